package transfer

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/input"
	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

// newImporter makes an importer of a site with a number of models, m0 and on.
func newImporter(t *testing.T, models int) (Importer, *table.Counting) {
	t.Helper()
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	counting := table.NewCounting(tb)
	entries := &editing.Entries{Store: content.New(counting, time.Now)}
	t.Cleanup(func() {
		if err := entries.Store.Close(); err != nil {
			t.Error(err)
		}
	})
	err = (&site.Locales{Store: entries.Store.Store}).EnsureDefault(t.Context())
	for i := 0; i < models && err == nil; i++ {
		slug := fmt.Sprintf("m%d", i)
		_, err = (&site.Models{Store: entries.Store.Store}).Create(t.Context(), cms.Actor{},
			map[string]any{"slug": slug, "name": slug})
	}
	must.Do(t, err)
	return Importer{entries}, counting
}

func importLine(t *testing.T, b *Batch, model, id string) error {
	t.Helper()
	line := map[string]any{"id": id, "title": "An entry " + id}
	_, _, _, err := b.Import(t.Context(), cms.Actor{}, model, line,
		input.ImportOptions{OnConflict: input.ImportNewer})
	return err
}

// TestLinesCostTheSame: what lines after the first of a request cost does not depend on how many
// models the site has, but for the configuration that is read once and holds all models.
func TestLinesCostTheSame(t *testing.T) {
	cost := func(models int) float64 {
		importer, counting := newImporter(t, models)
		b := importer.NewBatch()
		for n := range 11 {
			if n == 1 {
				counting.Reset()
			}
			must.Do(t, importLine(t, b, "m0", uuid.NewString()))
		}
		return counting.Snapshot().ReadUnits
	}
	if few, many := cost(2), cost(22); many >= few+10 || few == 0 {
		t.Errorf("10 lines read %v units with 2 models and %v with 22", few, many)
	}
}

// TestOtherModel refuses ids that entries of another model have, all of them in each request.
func TestOtherModel(t *testing.T) {
	importer, _ := newImporter(t, 3)
	var ids []string
	first := importer.NewBatch()
	for range 3 {
		ids = append(ids, uuid.NewString())
		must.Do(t, importLine(t, first, "m1", ids[len(ids)-1]))
	}
	for _, b := range []*Batch{first, importer.NewBatch()} {
		for _, id := range ids {
			var refused *cms.Error
			if err := importLine(t, b, "m2", id); !errors.As(err, &refused) ||
				refused.Code != cms.CodeConflict {
				t.Errorf("%s: %v", id, err)
			}
		}
	}
}

// TestPurgesOfImports: a new entry purges its own tag only if something refers to its id already (extensions §8).
func TestPurgesOfImports(t *testing.T) {
	importer, _ := newImporter(t, 0)
	_, err := (&site.Models{Store: importer.Entries.Store.Store}).Create(t.Context(), cms.Actor{},
		map[string]any{"slug": "pages", "name": "pages", "fields": []any{map[string]any{"name": "body", "type": "richtext"}}})
	must.Do(t, err)
	var purged []string
	importer.Entries.Store.OnPurge(func(p db.Purge) { purged = append(purged, p.Tags...) })
	awaited := uuid.NewString()
	for _, test := range []struct {
		name, id, status, body string
		tags                   int
		own                    bool
	}{
		{"a draft", uuid.NewString(), "draft", "", 0, false},
		{"one that refers", uuid.NewString(), "published", "[a](cms://entry/" + awaited + ")", 2, false},
		{"one that is awaited", awaited, "published", "", 3, true},
	} {
		purged = nil
		_, _, _, err := importer.NewBatch().Import(t.Context(), cms.Actor{}, "pages", map[string]any{"id": test.id,
			"title": test.name, "status": test.status, "data": map[string]any{"body": test.body}}, input.ImportOptions{})
		must.Do(t, err)
		if len(purged) != test.tags || slices.Contains(purged, cms.TagEntry(test.id)) != test.own {
			t.Errorf("%s purges %v", test.name, purged)
		}
	}
}
