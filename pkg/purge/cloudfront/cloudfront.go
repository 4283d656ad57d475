// Package cloudfront is the adapter of the purge port for CloudFront. It invalidates answers by the
// tags that CloudFront reads from them (CacheTagConfig).
package cloudfront

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/cloudfront"
	"github.com/aws/aws-sdk-go-v2/service/cloudfront/types"

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
	allAnswers = "/delivery/*"
	allMedia   = "/media/*"
)

// Purge creates one invalidation in each distribution that the batch concerns. CloudFront
// recognizes a repeated batch by the caller reference. It allows 3,000 tags and paths in progress;
// beyond that Purge returns purge.ErrBusy, with what the busy distribution has not accepted.
func (p Purger) Purge(ctx context.Context, b purge.Batch) (left purge.Batch, err error) {
	answers, files := answersOf(b), filesOf(b)
	if p.Media == "" {
		files = nil
	}
	if p.Media == p.Distribution { // one invalidation, since a caller reference identifies only one
		return b, p.invalidate(ctx, p.Distribution, b.ID, append(answers, files...))
	}
	errAnswers := p.invalidate(ctx, p.Distribution, b.ID, answers)
	errFiles := p.invalidate(ctx, p.Media, b.ID, files)
	left = b
	if errAnswers == nil {
		left.Tags, left.All = nil, false
	}
	if errFiles == nil {
		left.Files, left.AllFiles = nil, false
	}
	return left, errors.Join(errAnswers, errFiles)
}

// answersOf returns the items that remove the answers of a batch.
func answersOf(b purge.Batch) []string {
	if b.All {
		return []string{allAnswers}
	}
	items := make([]string, len(b.Tags))
	for i, tag := range b.Tags {
		items[i] = "#" + tag
	}
	return items
}

// filesOf returns the paths of the files of a batch. Objects of a bucket have no tags. The final *
// includes their variants and names.
func filesOf(b purge.Batch) []string {
	if b.AllFiles || len(b.Files) > purge.MaxFiles {
		return []string{allMedia}
	}
	paths := make([]string, len(b.Files))
	for i, id := range b.Files {
		paths[i] = "/media/" + id + "*"
	}
	return paths
}

func (p Purger) invalidate(ctx context.Context, distribution, reference string, items []string) error {
	if len(items) == 0 {
		return nil
	}
	quantity := int32(len(items))
	_, err := p.Client.CreateInvalidation(ctx, &cloudfront.CreateInvalidationInput{
		DistributionId: &distribution,
		InvalidationBatch: &types.InvalidationBatch{CallerReference: &reference,
			Paths: &types.Paths{Quantity: &quantity, Items: items}},
	})
	if _, ok := errors.AsType[*types.TooManyInvalidationsInProgress](err); ok {
		return purge.ErrBusy
	}
	return err
}
