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

// MaxTags is the maximum number of tags in a batch.
const MaxTags = 3000

// Batch names answers to remove.
type Batch struct {
	ID   string   // the same for a repeat of the same batch
	Tags []string // each once, at most MaxTags
	All  bool     // remove every answer, whatever its tags
}

// ErrBusy is returned when too many purges are in progress. Try the batch again later.
var ErrBusy = errors.New("purge: too many purges in progress")

// Purger removes answers from a cache. It is safe for concurrent use.
type Purger interface {
	// Purge removes every answer that has one of the tags. If it returns nil, the cache has
	// accepted the batch and removes the answers within seconds. A batch may be repeated. Errors:
	// ErrBusy, and others after which the batch may or may not have been accepted. Retry after
	// both.
	Purge(ctx context.Context, b Batch) error
}

// None is the Purger of a service without a cache.
type None struct{}

// Purge does nothing.
func (None) Purge(context.Context, Batch) error { return nil }
