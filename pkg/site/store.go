package site

import (
	"context"
	"time"

	"github.com/google/uuid"

	"headless/pkg/db"
	"headless/pkg/table"
)

// Store keeps the configuration of the site. It is safe for concurrent use.
type Store struct {
	*db.DB
	// Rebuild builds an entry anew in the generation of an index that is being built; the room of
	// the entries sets it when it is opened.
	Rebuild func(ctx context.Context, modelID string, id uuid.UUID)
	// Pace holds a save up while too many changes of the texts of an index are pending; the room of
	// the entries sets it too.
	Pace func(ctx context.Context, index string) error

	site siteCache
}

// Open keeps the site in a database.
func Open(d *db.DB) *Store { return &Store{DB: d} }

// New is Open for a database of its own.
func New(t table.Table, now func() time.Time) *Store { return Open(db.New(t, now)) }
