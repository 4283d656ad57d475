package content

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/must"
	"headless/pkg/redirects"
	"headless/pkg/site"
	"headless/pkg/table"
)

// claims is a model with unique fields, for changes of their uniqueness.
type claims struct {
	t  *testing.T
	s  *Store
	id string
}

func newClaims(t *testing.T, m cms.Model) *claims {
	m.ID, m.Slug, m.IsActive = "m1", "posts", true
	s := testStore(t)
	siteWithModel(t, s, &site.Model{Model: m, Gen: 1})
	return &claims{t, s, m.ID}
}

func (c *claims) change(edit func(*cms.Model)) { commitModel(c.t, c.s, c.id, edit) }

// save stores an entry with a slug and data, new or changed, under the current definition.
func (c *claims) save(was *cms.Entry, locale, slug string, data map[string]any) (*cms.Entry, error) {
	ctx := context.Background()
	m := currentModel(c.t, c.s, c.id)
	e := &cms.Entry{ID: uuid.NewString(), Version: 1, Slug: slug, Title: slug,
		Status: cms.StatusPublished, Locale: locale, Data: data}
	var rec *EntryRecord
	if was != nil {
		var err error
		if rec, err = c.s.EntryForChange(ctx, m, was.ID); err != nil {
			c.t.Fatal(err)
		}
		e.ID, e.Version = was.ID, rec.Entry.Version+1
	}
	tx := c.s.Begin()
	SaveEntry(tx, m, rec, e, cms.Actor{}, "entry.saved")
	return e, c.s.Commit(ctx, tx)
}

func (c *claims) must(was *cms.Entry, locale, slug string, data map[string]any) *cms.Entry {
	c.t.Helper()
	e, err := c.save(was, locale, slug, data)
	must.Do(c.t, err)
	return e
}

// refused saves what another entry rules out.
func (c *claims) refused(what, slug string, data map[string]any) {
	c.t.Helper()
	_, err := c.save(nil, "en", slug, data)
	if _, ok := errors.AsType[*SlugTakenError](err); !ok && cms.CodeOf(err) != cms.CodeConflict {
		c.t.Errorf("%s: %v", what, err)
	}
}

func (c *claims) reindex() {
	c.t.Helper()
	if _, err := c.s.Reindex(context.Background(), c.id); err != nil {
		c.t.Fatal(err)
	}
}

func unique(names ...string) []cms.Field {
	var fields []cms.Field
	for _, name := range []string{"a", "b"} {
		f := cms.Field{Name: name, Type: cms.TypeText}
		for _, u := range names {
			f.Unique = f.Unique || u == name
		}
		fields = append(fields, f)
	}
	return fields
}

// TestLocalizedSwitched switches localization while there are entries: they keep their values
// before, during and after the move.
func TestLocalizedSwitched(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, localized := range []bool{false, true} {
		c := newClaims(t, cms.Model{Localized: localized, Fields: unique("a")})
		var entries []*cms.Entry
		for i := range 12 {
			entries = append(entries, c.must(nil, "en", fmt.Sprintf("s-%d", i),
				map[string]any{"a": fmt.Sprint(i)}))
		}
		c.change(func(m *cms.Model) { m.Localized = !localized })
		for range 3 {
			m := currentModel(t, c.s, c.id)
			for i, e := range entries {
				item, err := c.s.EntryBySlug(ctx, m, "en", e.Slug, false)
				if err != nil {
					t.Fatalf("to localized %v: by slug: %v", !localized, err)
				}
				if read, _ := item.Decoded(); read.ID != e.ID {
					t.Error("another entry by this slug")
				}
				c.refused("taken slug", e.Slug, map[string]any{"a": "free"})
				c.refused("taken value", "free", map[string]any{"a": fmt.Sprint(i)})
				held, err := c.s.SlugHolders(ctx, m, []redirects.Slug{{Locale: "en", Slug: e.Slug},
					{Locale: "en", Slug: e.Slug + "-2"}})
				if err != nil || held[0] != e.ID || held[1] != "" {
					t.Errorf("slugs held: %v, %v", held, err)
				}
			}
			page, err := c.s.Entries(ctx, m, []string{"en", "de"}, cms.Statuses,
				index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 100}})
			if err != nil || page.Total != len(entries) || len(page.Items) != len(entries) {
				t.Errorf("%d of %d entries listed, %v", len(page.Items), page.Total, err)
			}
			moveSome(t, c.s, c.id, 5)
		}
		if !localized { // in another locale, all of it is free
			c.must(nil, "de", "s-0", map[string]any{"a": "0"})
			if _, err := c.s.EntryBySlug(ctx, currentModel(t, c.s, c.id), "de", "s-1", false); !errors.Is(err,
				db.ErrNotFound) {
				t.Errorf("an entry of another locale by slug: %v", err)
			}
		}
		c.reindex()
	}
}

// TestSingleLocalized keeps a single-type model to one entry while it moves.
func TestSingleLocalized(t *testing.T) {
	t.Parallel()
	c := newClaims(t, cms.Model{Kind: cms.KindSingle})
	e := c.must(nil, "en", "home", nil)
	c.change(func(m *cms.Model) { m.Localized = true })
	c.refused("second entry", "other", nil)
	m := currentModel(t, c.s, c.id)
	if raw, err := c.s.SingleJSON(context.Background(), m, "en"); err != nil {
		t.Error(err)
	} else if read, _ := decodeEntryJSON(raw); read.ID != e.ID {
		t.Error("another entry")
	}
	c.must(nil, "de", "home", nil)
	c.reindex()
	c.refused("second entry afterwards", "other", nil)
}

// TestMadeUnique makes fields unique whose values entries share already.
func TestMadeUnique(t *testing.T) {
	t.Parallel()
	c := newClaims(t, cms.Model{Fields: unique()})
	first := c.must(nil, "en", "first", map[string]any{"a": "v", "b": "1"})
	second := c.must(nil, "en", "second", map[string]any{"a": "v", "b": "2"})
	c.change(func(m *cms.Model) { m.Fields = unique("a", "b") })
	c.refused("before the move", "third", map[string]any{"a": "v"})
	c.refused("a value of one, before the move", "third", map[string]any{"b": "2"})
	c.reindex()
	c.refused("after the move", "third", map[string]any{"a": "v"})
	for _, b := range []string{"1", "2"} {
		c.refused("the value of one that shares another", "third", map[string]any{"b": b})
	}
	c.must(first, "en", "first", map[string]any{"a": "w", "b": "1"})
	c.refused("still held by the second", "third", map[string]any{"a": "v"})
	c.must(second, "en", "second", map[string]any{"a": "w2", "b": "2"})
	third := c.must(nil, "en", "third", map[string]any{"a": "v"})
	c.must(third, "en", "third-renamed", map[string]any{"a": "v"})
}

// TestStuckEntry builds the index of a model in which an entry cannot have its slug to itself.
func TestStuckEntry(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	c := newClaims(t, cms.Model{})
	stuck := c.must(nil, "en", "stuck", nil)
	for i := range 5 {
		c.must(nil, "en", fmt.Sprintf("s-%d", i), nil)
	}
	c.change(func(m *cms.Model) { m.Localized = true })
	tx := c.s.Begin() // damage: its slug is another's
	reserveSlug(tx, currentModel(t, c.s, c.id).Next(),
		&cms.Entry{ID: uuid.NewString(), Slug: "stuck", Locale: "en"})
	must.Do(t, c.s.Commit(ctx, tx))
	if built, err := c.s.Reindex(ctx, c.id); built != 6 || err != nil ||
		currentModel(t, c.s, c.id).Building() {
		t.Errorf("%d built, %v", built, err)
	}
	if _, err := c.s.Entry(ctx, currentModel(t, c.s, c.id), stuck.ID); err != nil {
		t.Error(err)
	}
}

// TestOwnSlugReserved saves an entry with a slug whose row an earlier change of the same entry still has to
// remove. That is no conflict: the save is made again, until the row is gone.
func TestOwnSlugReserved(t *testing.T) {
	c := newClaims(t, cms.Model{})
	e := c.must(nil, "en", "first", nil)
	m := currentModel(t, c.s, c.id)
	for owner, overtaken := range map[string]bool{e.ID: true, uuid.NewString(): false} {
		tx := c.s.Begin()
		tx.Put(table.Item{Key: slugKey(m.ID, m.KeyLocale("en"), "second"), Body: []byte(owner)})
		must.Do(t, c.s.Commit(t.Context(), tx))
		_, err := c.save(e, "en", "second", nil)
		if taken := (*SlugTakenError)(nil); errors.Is(err, db.ErrOvertaken) != overtaken ||
			errors.As(err, &taken) == overtaken {
			t.Errorf("the entry itself has the slug: %t, error %v", overtaken, err)
		}
	}
}

// TestSlugTakenMeanwhile: when the owner of a slug cannot be read, or gave it up after the commit failed, a save does
// not say that another entry has the slug.
func TestSlugTakenMeanwhile(t *testing.T) {
	c := newClaims(t, cms.Model{})
	m := currentModel(t, c.s, c.id)
	tb, key := c.s.Table, slugKey(m.ID, m.KeyLocale("en"), "wanted")
	release := func() {
		must.Do(t, tb.Write(t.Context(), []table.Op{{Kind: table.Delete, Item: table.Item{Key: key}}}))
	}
	for _, v := range []struct {
		fault table.Fault
		want  error
	}{{table.Fault{Kind: table.Throttled}, table.ErrUnavailable}, {table.Fault{Before: release}, db.ErrOvertaken}} {
		must.Do(t, tb.Write(t.Context(), []table.Op{{Kind: table.Put, Item: table.Item{Key: key, Body: []byte("other")}}}))
		c.s = opened(table.NewFaulty(tb, func(call table.Call) table.Fault {
			if call.Method == "Get" && slices.Equal(call.Keys, []table.Key{key}) {
				return v.fault
			}
			return table.Fault{}
		}))
		if _, err := c.save(nil, "en", "wanted", nil); !errors.Is(err, v.want) {
			t.Errorf("%v, want %v", err, v.want)
		}
	}
}
