package access

import (
	"headless/pkg/site"
)

// Store stores users, roles and sessions. It is safe for concurrent use.
type Store struct{ *site.Store }

// Open returns a Store that shares the database of a site.
func Open(s *site.Store) *Store { return &Store{Store: s} }
