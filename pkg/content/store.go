package content

import (
	"context"
	"time"

	"github.com/google/uuid"

	"headless/pkg/assets"
	"headless/pkg/db"
	"headless/pkg/fulltext"
	"headless/pkg/site"
	"headless/pkg/table"
)

// Store keeps the entries of models. It is safe for concurrent use.
type Store struct {
	*site.Store
	Assets   *assets.Store // that entries refer to
	texts    *fulltext.Texts
	slugs    slugCache
	maxExact int // see maxExact; tests set others
}

// Open keeps entries beside a site.
func Open(s *site.Store, a *assets.Store) *Store {
	st := &Store{Store: s, Assets: a, texts: fulltext.NewTexts(s.DB), maxExact: maxExact}
	s.Rebuild = func(ctx context.Context, modelID string, id uuid.UUID) {
		_ = st.build(ctx, modelID, id) // the mark stays, and Reindex finds it
	}
	s.Pace = st.texts.Pace
	return st
}

// New is Open for a database of its own.
func New(t table.Table, now func() time.Time) *Store {
	d := db.New(t, now)
	return Open(site.Open(d), assets.Open(d))
}
