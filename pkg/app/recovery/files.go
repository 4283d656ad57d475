package recovery

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/forms/files"
)

// copies is how many objects are copied at a time.
const copies = 16

// version is one state of an object: its content, or a marker that it was deleted.
type version struct {
	key, id  string
	modified time.Time
	current  bool
	deleted  bool
}

// Files copies the media files of a bucket and those of forms, as they were at a time, into another one. It returns
// how many it copied. The headers of the objects are copied too. A bucket without versions has
// the present objects only; these are copied even if they are newer than the time.
func Files(ctx context.Context, client *s3.Client, from, to string, at time.Time) (copied int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	work := make(chan version)
	var running sync.WaitGroup
	var mu sync.Mutex
	for range copies {
		running.Go(func() {
			for v := range work {
				failed := copyVersion(ctx, client, from, to, v)
				mu.Lock()
				if failed != nil {
					err = errors.Join(err, failed)
					cancel()
				} else {
					copied++
				}
				mu.Unlock()
			}
		})
	}
	var listed []error
	for _, prefix := range []string{assets.MediaPrefix, files.Prefix} {
		listed = append(listed, eachFile(ctx, client, from, prefix, func(all []version) {
			v, ok := chooseVersion(all, at)
			if prefix == files.Prefix && v.modified.After(at) {
				ok = false // no submission has it, and nothing would remove it
			}
			if ok {
				work <- v
			}
		}))
	}
	close(work)
	running.Wait()
	return copied, errors.Join(append(listed, err)...)
}

// chooseVersion returns the version of an object that was current at a time; ok is false if the object was
// deleted then. all is sorted, the newest first.
func chooseVersion(all []version, at time.Time) (v version, ok bool) {
	var oldest version
	for _, v := range all {
		if !v.modified.After(at) {
			return v, !v.deleted
		}
		if !v.deleted {
			oldest, ok = v, true
		}
	}
	return oldest, ok
}

// eachFile calls visit with all versions of each file, the newest first.
func eachFile(ctx context.Context, client *s3.Client, bucket, prefix string, visit func([]version)) error {
	var group []version
	add := func(v version) {
		if len(group) > 0 && group[0].key != v.key {
			visit(group)
			group = nil
		}
		group = append(group, v)
	}
	in := &s3.ListObjectVersionsInput{Bucket: &bucket, Prefix: &prefix}
	for {
		out, err := client.ListObjectVersions(ctx, in)
		if err != nil {
			return err
		}
		for _, v := range mergeVersions(out) {
			add(v)
		}
		if !aws.ToBool(out.IsTruncated) {
			break
		}
		in.KeyMarker, in.VersionIdMarker = out.NextKeyMarker, out.NextVersionIdMarker
	}
	if len(group) > 0 {
		visit(group)
	}
	return nil
}

// mergeVersions returns versions and deletion markers of a page in the order of S3: by key, then the
// newest first. At the same second, the one that is current is the newer.
func mergeVersions(out *s3.ListObjectVersionsOutput) []version {
	var all []version
	add := func(key, id *string, modified *time.Time, current *bool, deleted bool) {
		all = append(all,
			version{aws.ToString(key), aws.ToString(id), aws.ToTime(modified), aws.ToBool(current), deleted})
	}
	for _, m := range out.DeleteMarkers {
		add(m.Key, m.VersionId, m.LastModified, m.IsLatest, true)
	}
	for _, o := range out.Versions {
		add(o.Key, o.VersionId, o.LastModified, o.IsLatest, false)
	}
	slices.SortStableFunc(all, func(a, b version) int {
		return cmp.Or(cmp.Compare(a.key, b.key), b.modified.Compare(a.modified), cms.CompareBool(b.current, a.current))
	})
	return all
}

func copyVersion(ctx context.Context, client *s3.Client, from, to string, v version) error {
	source := url.PathEscape(from) + "/" + (&url.URL{Path: v.key}).EscapedPath()
	if v.id != "" && v.id != "null" {
		source += "?versionId=" + url.QueryEscape(v.id)
	}
	_, err := client.CopyObject(ctx, &s3.CopyObjectInput{Bucket: &to, Key: &v.key, CopySource: &source})
	if err != nil {
		return fmt.Errorf("%s: %w", v.key, err)
	}
	return nil
}
