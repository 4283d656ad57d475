package content

import (
	"context"
	"time"

	"github.com/google/uuid"

	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/content/tree"
	"headless/pkg/db"
	"headless/pkg/fulltext"
	"headless/pkg/site"
	"headless/pkg/table"
)

// Store stores the entries of models. It is safe for concurrent use.
type Store struct {
	*site.Store
	*tree.Places
	Assets   *assets.Store   // the files to which entries refer
	texts    *fulltext.Texts // nil: there is no search
	slugs    slugCache
	maxExact int // see the constant maxExact; tests set other values
}

// Open returns the entries of a site.
func Open(s *site.Store, a *assets.Store) *Store {
	st := &Store{Store: s, Assets: a, Places: &tree.Places{Data: s.DB}, texts: fulltext.NewTexts(s.DB), maxExact: maxExact}
	s.Rebuild = func(ctx context.Context, modelID string, id uuid.UUID) {
		_ = st.build(ctx, modelID, id) // after an error the mark stays, and Reindex finds it
	}
	s.Pace = st.texts.Pace
	return st
}

// Over returns a Store for reads from another table, over which changes are laid (see LayEntry). It
// searches no texts. See db.DB.Over for expect.
func (s *Store) Over(t table.Table, expect func(spaces ...string)) *Store {
	over := s.Store.Over(t, expect)
	return &Store{Store: over, Places: &tree.Places{Data: over.DB}, Assets: s.Assets, maxExact: s.maxExact}
}

// New is Open with a new database on t.
func New(t table.Table, now func() time.Time) *Store {
	d := db.New(t, now)
	return Open(site.Open(d), assets.Open(d))
}

// ErrEntryNotFound is returned for an entry that does not exist in the model and locale.
var ErrEntryNotFound = cms.Errorf(cms.CodeEntryNotFound, "There is no such entry in this model and locale.")

// EntryNotFound turns db.ErrNotFound into ErrEntryNotFound. Other errors stay the same.
func EntryNotFound(err error) error {
	return db.Missing(err, ErrEntryNotFound)
}
