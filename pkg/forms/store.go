package forms

import (
	"context"

	"headless/pkg/site"
)

// Store keeps submissions and mails. It is safe for concurrent use.
type Store struct {
	*site.Store
	// KeyOrigins returns the origins that API keys name. Nil: none.
	KeyOrigins func(ctx context.Context) ([]string, error)
}

// Open returns the store that shares the database of a site.
func Open(s *site.Store) *Store { return &Store{Store: s} }
