package recovery

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"headless/pkg/assets"
	"headless/pkg/forms/files"
)

// copies is how many objects are copied at a time.
const copies = 16

// version is one state of an object: its content, or a marker that it was deleted.
type version struct {
	key, id  string
	modified time.Time
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
// newest first.
func mergeVersions(out *s3.ListObjectVersionsOutput) []version {
	var all []version
	objects, markers := out.Versions, out.DeleteMarkers
	for len(objects) > 0 || len(markers) > 0 {
		if len(markers) == 0 || len(objects) > 0 && isBefore(objects[0], markers[0]) {
			o := objects[0]
			all = append(all, version{aws.ToString(o.Key), aws.ToString(o.VersionId),
				aws.ToTime(o.LastModified), false})
			objects = objects[1:]
			continue
		}
		m := markers[0]
		all = append(all, version{aws.ToString(m.Key), aws.ToString(m.VersionId), aws.ToTime(m.LastModified), true})
		markers = markers[1:]
	}
	return all
}

// isBefore reports whether an object comes before a deletion marker. At the same second, the one that
// is current is the newer.
func isBefore(o types.ObjectVersion, m types.DeleteMarkerEntry) bool {
	if a, b := aws.ToString(o.Key), aws.ToString(m.Key); a != b {
		return a < b
	}
	if a, b := aws.ToTime(o.LastModified), aws.ToTime(m.LastModified); !a.Equal(b) {
		return a.After(b)
	}
	return aws.ToBool(o.IsLatest)
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
