// Package cloudfront is the adapter of the purge port for CloudFront. It invalidates answers by the
// tags that CloudFront reads from them (CacheTagConfig).
package cloudfront

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/cloudfront"
	"github.com/aws/aws-sdk-go-v2/service/cloudfront/types"

	"headless/pkg/cms"
	"headless/pkg/purge"
)

// Purger invalidates objects in the distributions of a service.
type Purger struct {
	Client       *cloudfront.Client
	Distribution string // id of the distribution of the delivery API
	// Media is the id of the distribution of media files and their variants: "" if there is none;
	// it may equal Distribution. Objects from a bucket have no tags, so files are invalidated by
	// path.
	Media string
}

const (
	allPaths = "/*"
	allMedia = "/media/*"
	// maxWildcards is how many paths with a final * CloudFront accepts at a time.
	maxWildcards = 15
)

// Purge creates one invalidation in each distribution that the batch concerns. CloudFront
// recognizes a repeated batch by the caller reference. It allows 3,000 tags and paths in progress;
// beyond that Purge returns purge.ErrBusy.
func (p Purger) Purge(ctx context.Context, b purge.Batch) error {
	items := []string{allPaths}
	if !b.All {
		items = make([]string, len(b.Tags))
		for i, tag := range b.Tags {
			items[i] = "#" + tag
		}
	}
	if p.Media == p.Distribution { // one invalidation, since a caller reference identifies only one
		if !b.All {
			items = append(items, mediaPaths(b)...)
		}
		return p.invalidate(ctx, p.Distribution, b.ID, items)
	}
	if err := p.invalidate(ctx, p.Distribution, b.ID, items); err != nil {
		return err
	}
	if files := mediaPaths(b); p.Media != "" && len(files) > 0 {
		return p.invalidate(ctx, p.Media, b.ID, files)
	}
	return nil
}

// mediaPaths returns the paths of the files in a batch. The final * includes their variants and
// names.
func mediaPaths(b purge.Batch) (paths []string) {
	for _, tag := range b.Tags {
		if id, ok := strings.CutPrefix(tag, cms.TagFile("")); ok {
			paths = append(paths, "/media/"+id+"*")
		}
	}
	every := slices.Contains(b.Tags, cms.TagFiles) && len(paths) == 0 // a user purged all files
	if b.All || every || len(paths) > maxWildcards {
		return []string{allMedia}
	}
	return paths
}

func (p Purger) invalidate(ctx context.Context, distribution, reference string, items []string) error {
	quantity := int32(len(items))
	_, err := p.Client.CreateInvalidation(ctx, &cloudfront.CreateInvalidationInput{
		DistributionId: &distribution,
		InvalidationBatch: &types.InvalidationBatch{CallerReference: &reference,
			Paths: &types.Paths{Quantity: &quantity, Items: items}},
	})
	var many *types.TooManyInvalidationsInProgress
	if errors.As(err, &many) {
		return purge.ErrBusy
	}
	return err
}
