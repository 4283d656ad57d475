package access

import (
	"time"

	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/table"
)

// Store stores users, roles and sessions. It is safe for concurrent use.
type Store struct{ *site.Store }

// Open returns a Store that shares the database of a site.
func Open(s *site.Store) *Store { return &Store{Store: s} }

// New returns a Store with a database of its own.
func New(t table.Table, now func() time.Time) *Store { return Open(site.Open(db.New(t, now))) }
