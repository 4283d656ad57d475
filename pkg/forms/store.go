package forms

import (
	"context"
	"time"

	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/table"
)

// Store keeps submissions and mails. It is safe for concurrent use.
type Store struct {
	*site.Store
	// KeyOrigins returns the origins that API keys name. Nil: none.
	KeyOrigins func(ctx context.Context) ([]string, error)
}

// Open returns the store that shares the database of a site.
func Open(s *site.Store) *Store { return &Store{Store: s} }

// New returns a store on a table, with a site of its own.
func New(t table.Table, now func() time.Time) *Store { return Open(site.Open(db.New(t, now))) }
