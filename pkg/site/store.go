package site

import (
	"context"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"

	"headless/pkg/db"
	"headless/pkg/table"
)

// Store stores the configuration of the site. It is safe for concurrent use.
type Store struct {
	*db.DB
	// Rebuild rebuilds a stale entry in a new generation of an index. Package content sets it.
	Rebuild func(ctx context.Context, modelID string, id uuid.UUID)
	// Pace delays a save while too many changes of the texts of an index are pending. Package
	// content sets it.
	Pace func(ctx context.Context, index string) error

	site *siteCache
	// upgrading accepts the format before this one; see Upgrade.
	upgrading bool
}

// Open returns a Store in a database.
func Open(d *db.DB) *Store {
	return &Store{DB: d, site: &siteCache{loads: semaphore.NewWeighted(1), changes: semaphore.NewWeighted(1)}}
}

// Over returns a Store for reads from another table, which has the configuration of this one. They
// share what they have read of it. See db.DB.Over.
func (s *Store) Over(t table.Table, expect func(spaces ...string)) *Store {
	over := *s
	over.DB = s.DB.Over(t, expect)
	return &over
}
