package content

import (
	"context"
	"slices"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/site/renames"
	"headless/pkg/table"
)

// TestRename renames fields, one unique, one without an index, and reads entries by every way
// before and after they are rewritten.
func TestRename(t *testing.T) {
	ctx := context.Background()
	c := newClaims(t, cms.Model{Fields: []cms.Field{
		{Name: "code", Type: cms.TypeText, Unique: true},
		{Name: "intro", Type: cms.TypeTextarea, Searchable: true}, {Name: "size", Type: cms.TypeNumber},
	}})
	old := c.must(nil, "en", "old", map[string]any{"code": "A", "intro": "A blue door", "lead": "stale"})
	was := c.model()
	next := *was
	next.Fields = []cms.Field{
		{Name: "number", Type: cms.TypeText, Unique: true},
		{Name: "lead", Type: cms.TypeTextarea, Searchable: true}, {Name: "size", Type: cms.TypeNumber},
	}
	next.RenameFields(renames.Rename{From: "code", To: "number"}, renames.Rename{From: "intro", To: "lead"})
	next.NextGeneration(was, "en")
	siteNow, err := c.s.Site(ctx)
	must.Do(t, err)
	tx := c.s.Begin()
	site.PutModel(tx, siteNow, was.Slug, next)
	must.Do(t, c.s.Commit(ctx, tx))
	renaming := func(name string) bool {
		again := *c.model()
		again.Fields = append(slices.Clone(again.Fields), cms.Field{Name: name, Type: cms.TypeText})
		return c.model().RenamesTo(&again) == name
	}
	if !renaming("code") || renaming("other") {
		t.Error("RenamesTo does not tell what is being renamed")
	}
	check := func(when string) {
		t.Helper()
		m := c.model()
		reads := map[string]func() ([]byte, error){
			"id": func() ([]byte, error) { return c.s.EntryJSON(ctx, m, old.ID) },
			"slug": func() ([]byte, error) {
				item, err := c.s.EntryBySlug(ctx, m, "en", "old", false)
				return item.JSON, err
			},
			"list": func() ([]byte, error) {
				page, err := c.s.Entries(ctx, m, []string{"en"}, cms.Statuses,
					index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 5},
						Filters: []query.Filter{{Path: "data.number", Op: query.OpEq,
							Values: []string{"A"}}}})
				if err != nil || len(page.Items) != 1 {
					return nil, err
				}
				return page.Items[0].JSON, nil
			},
			"change": func() ([]byte, error) {
				rec, err := c.s.EntryForChange(ctx, m, old.ID)
				if err != nil {
					return nil, err
				}
				return cms.Marshal(rec.Entry)
			},
			"include": func() ([]byte, error) {
				found, err := c.s.EntriesByID(ctx, []Reference{{Model: m, ID: old.ID}})
				if err != nil {
					return nil, err
				}
				return cms.Marshal(found[0])
			},
			"revision": func() ([]byte, error) {
				e, err := c.s.Revision(ctx, m, old.ID, 1)
				if err != nil {
					return nil, err
				}
				return cms.Marshal(e)
			},
		}
		for way, read := range reads {
			raw, err := read()
			if err != nil || !strings.Contains(string(raw), `"data":{"lead":"A blue door","number":"A"}`) {
				t.Errorf("%s, by %s: %s, %v", when, way, raw, err)
			}
		}
		c.refused(when+": the value is taken", "other", map[string]any{"number": "A"})
	}
	check("before the rewrite")
	c.reindex()
	check("after it")
	items, err := c.s.Table.Get(ctx, table.Strong, entryKey(next.ID, old.ID))
	must.Do(t, err)
	if raw, err := db.UnpackBytes(items[0].Body); err != nil || strings.Contains(string(raw), "intro") {
		t.Errorf("stored is %s, %v", raw, err)
	}
	if renaming("code") {
		t.Error("still renaming")
	}
	c.must(nil, "en", "new", map[string]any{"number": "B", "lead": "x"})
}

// model is the model as it is now.
func (c *claims) model() *site.Model { return currentModel(c.t, c.s, c.id) }
