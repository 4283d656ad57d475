package assets

import (
	"time"

	"headless/pkg/db"
	"headless/pkg/table"
)

// Store stores the records of files and folders. It is safe for concurrent use.
type Store struct {
	*db.DB
}

// Open returns a Store in a database.
func Open(d *db.DB) *Store { return &Store{DB: d} }

// New returns a Store with a database of its own.
func New(t table.Table, now func() time.Time) *Store { return Open(db.New(t, now)) }
