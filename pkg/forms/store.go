package forms

import (
	"time"

	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/table"
)

// Store keeps what this package is about. It is safe for concurrent use.
type Store struct {
	*site.Store
}

// Open keeps it beside a site.
func Open(s *site.Store) *Store { return &Store{Store: s} }

// New is Open for a database of its own.
func New(t table.Table, now func() time.Time) *Store { return Open(site.Open(db.New(t, now))) }
