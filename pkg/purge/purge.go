// Package purge is the port for the cache in front of the delivery API: it removes answers by their
// tags (extensions §8).
//
// Two adapters implement it: purge/memory, the cache of the embedded server, and purge/cloudfront.
// Package purge/purgetest holds their conformance suite.
package purge

import (
	"context"
	"errors"
)

const (
	// MaxTags is the maximum number of tags in a batch.
	MaxTags = 3000
	// MaxFiles is the maximum number of files in a batch: CloudFront accepts 15 paths that end in *
	// at a time.
	MaxFiles = 15
)

// Batch names answers to remove.
type Batch struct {
	ID       string   // the same for a repeat of the same batch
	Tags     []string // each once, at most MaxTags
	All      bool     // remove every answer, whatever its tags
	Files    []string // ids of media files, which are removed with their variants
	AllFiles bool     // remove every media file
}

// Paths returns how many paths a batch costs: CloudFront bills each tag and each path.
func (b *Batch) Paths() int {
	n := len(b.Files)
	if b.AllFiles {
		n = 1
	}
	if b.All {
		n++
	}
	return n
}

// ErrBusy is returned when too many purges are in progress. Try the batch again later.
var ErrBusy = errors.New("purge: too many purges in progress")

// Purger removes answers from a cache. It is safe for concurrent use.
type Purger interface {
	// Purge removes every answer that has one of the tags, and the files. If it returns nil, the
	// cache has accepted the batch and removes the answers within seconds. Otherwise left is the part
	// of the batch to repeat: a cache that accepted its part gets it no second time. Errors: ErrBusy,
	// and others after which left may or may not have been accepted. Retry after both.
	Purge(ctx context.Context, b Batch) (left Batch, err error)
}

// None is the Purger of a service without a cache.
type None struct{}

// Purge does nothing.
func (None) Purge(context.Context, Batch) (Batch, error) { return Batch{}, nil }
