package assets

import (
	"headless/pkg/db"
)

// Store stores the records of files and folders. It is safe for concurrent use.
type Store struct {
	*db.DB
}

// Open returns a Store in a database.
func Open(d *db.DB) *Store { return &Store{DB: d} }
