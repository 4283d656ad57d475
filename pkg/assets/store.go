package assets

import (
	"time"

	"headless/pkg/db"
	"headless/pkg/table"
)

// Store keeps the records of files and folders. It is safe for concurrent use.
type Store struct {
	*db.DB
}

// Open keeps them in a database.
func Open(d *db.DB) *Store { return &Store{DB: d} }

// New is Open for a database of its own.
func New(t table.Table, now func() time.Time) *Store { return Open(db.New(t, now)) }
