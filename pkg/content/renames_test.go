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

// TestRenameToRemoved gives fields the names of others that the admin area has removed, whose values stay in the rows.
// Entries show none of these, before they are rewritten and after. What is saved meanwhile stays.
func TestRenameToRemoved(t *testing.T) {
	fields := func(name string) []cms.Field {
		text := []cms.Field{{Name: name, Type: cms.TypeText}}
		return append(slices.Clone(text), cms.Field{Name: "group", Type: cms.TypeGroup, Fields: text},
			cms.Field{Name: "list", Type: cms.TypeList, Fields: text}, cms.Field{Name: "parts", Type: cms.TypeBlocks,
				Fields: []cms.Field{{Name: name, Type: cms.TypeGroup, Fields: text}}})
	}
	data := func(names ...string) map[string]any {
		level := func() map[string]any {
			values := map[string]any{}
			for _, name := range names {
				values[name] = "of " + name
			}
			return values
		}
		var parts []any
		for _, name := range names {
			part := level()
			part["type"] = name
			parts = append(parts, part)
		}
		all := level()
		all["group"], all["list"], all["parts"] = level(), []any{level()}, parts
		return all
	}
	c := newClaims(t, cms.Model{Fields: fields("b")})
	both, alone := c.must(nil, "en", "both", data("a", "b")), c.must(nil, "en", "alone", data("a"))
	later := c.must(nil, "en", "later", data("a"))
	was := c.model()
	next := *was
	next.Fields = fields("a")
	changes := renames.Changes{Fields: map[string]string{"b": "a", "group.b": "a", "list.b": "a", "parts.b.b": "a",
		"parts.b": "a"}}
	next.RenameFields(changes.Between(was.Fields, next.Fields, true)...)
	next.NextGeneration(was, "en")
	now, err := c.s.Site(t.Context())
	must.Do(t, err)
	tx := c.s.Begin()
	site.PutModel(tx, now, was.Slug, next)
	must.Do(t, c.s.Commit(t.Context(), tx))
	later = c.must(later, "en", "later", data("a"))
	for _, when := range []string{"before the rewrite", "after it"} {
		for e, want := range map[*cms.Entry]string{
			both:  `{"a":"of b","group":{"a":"of b"},"list":[{"a":"of b"}],"parts":[{"a":"of b","type":"a"}]}`,
			alone: `{"group":{},"list":[{}],"parts":[]}`,
			later: `{"a":"of a","group":{"a":"of a"},"list":[{"a":"of a"}],"parts":[{"a":"of a","type":"a"}]}`,
		} {
			if raw, err := c.s.EntryJSON(t.Context(), c.model(), e.ID); err != nil ||
				!strings.Contains(string(raw), `"data":`+want) {
				t.Errorf("%s, %s: %s, %v", when, e.Slug, raw, err)
			}
		}
		c.reindex()
	}
}
