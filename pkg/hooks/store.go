package hooks

import (
	"headless/pkg/site"
)

// Store keeps subscriptions, deliveries and their log. It is safe for concurrent use.
type Store struct {
	*site.Store
}

// Open returns the store that shares the database of a site.
func Open(s *site.Store) *Store { return &Store{Store: s} }
