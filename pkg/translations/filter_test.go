package translations_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/index"
	"headless/pkg/search"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
	"headless/pkg/translations"
)

// world is entries of a localized model on a real store, whose clock goes on with each look at it.
type world struct {
	t       *testing.T
	table   *table.Counting
	entries *editing.Entries
	actor   cms.Actor
	made    []*made
}

// made is an entry as the test remembers it.
type made struct {
	id, locale string
	changed    int // when it was saved last, as the number of the save
	group      int
}

func newWorld(t *testing.T) *world {
	t.Helper()
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	w := &world{t: t, table: table.NewCounting(tb), actor: cms.Actor{Name: "ed", Source: cms.SourceAdmin}}
	w.entries = &editing.Entries{Store: content.New(w.table, func() time.Time {
		now = now.Add(time.Millisecond)
		return now
	})}
	t.Cleanup(func() {
		if err := w.entries.Store.Close(); err != nil {
			t.Error(err)
		}
	})
	store := w.entries.Store.Store
	locales := &site.Locales{Store: store, InUse: w.entries.LocaleInUse}
	if err := locales.EnsureDefault(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, code := range []string{"de", "fr"} {
		if _, err := locales.Create(t.Context(), w.actor, map[string]any{"code": code, "name": code}); err != nil {
			t.Fatal(err)
		}
	}
	models := &site.Models{Store: store, HasEntries: w.entries.ModelHasEntries}
	if _, err := models.Create(t.Context(), w.actor, map[string]any{"slug": "posts", "name": "Posts",
		"localized": true}); err != nil {
		t.Fatal(err)
	}
	return w
}

// create makes an entry in a group, whose number is that of its first entry.
func (w *world) create(locale string, group int) {
	w.t.Helper()
	body := map[string]any{"title": fmt.Sprint(locale, " ", len(w.made)), "locale": locale}
	if group < len(w.made) {
		body["translation_of"] = w.made[group].id
	}
	e, err := w.entries.Create(w.t.Context(), w.actor, "posts", body)
	if err != nil {
		w.t.Fatal(err)
	}
	w.made = append(w.made, &made{e.ID, locale, len(w.made), group})
}

// update saves an entry once more.
func (w *world) update(m *made, save int) {
	w.t.Helper()
	_, err := w.entries.Update(w.t.Context(), w.actor, "posts", m.id,
		map[string]any{"title": fmt.Sprint("Saved ", save)}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	m.changed = save
}

// member is the entry of a group in a locale, nil where there is none.
func (w *world) member(group int, locale string) *made {
	i := slices.IndexFunc(w.made, func(m *made) bool { return m.group == group && m.locale == locale })
	if i < 0 {
		return nil
	}
	return w.made[i]
}

// want is what a filter should choose.
func (w *world) want(f translations.Filter) (ids []string) {
	for _, m := range w.made {
		found := slices.ContainsFunc(f.Missing,
			func(code string) bool { return w.member(m.group, code) != nil })
		original := w.member(m.group, "en")
		outdated := original != nil && m.changed < original.changed
		if !found && (f.Outdated == nil || *f.Outdated == outdated) {
			ids = append(ids, m.id)
		}
	}
	slices.Sort(ids)
	return ids
}

// page reads one page of what a filter chooses, and counts the units that it took.
func (w *world) page(f translations.Filter, q search.EntryQuery) (page db.Page[content.EntryItem],
	ids []string, units float64) {
	w.t.Helper()
	store := w.entries.Store
	now, err := store.Site(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	w.table.Reset()
	q.Locales, q.PerPage = now.Codes(), 20
	if err := translations.Choose(w.t.Context(), store, now, now.Models["posts"], &q, f); err != nil {
		w.t.Fatal(err)
	}
	if page, err = search.List(w.t.Context(), store, now, now.Models["posts"], q); err != nil {
		w.t.Fatal(err)
	}
	units = w.table.Snapshot().ReadUnits
	for i := range page.Items {
		e, err := page.Items[i].Decoded()
		if err != nil {
			w.t.Fatal(err)
		}
		ids = append(ids, e.ID)
	}
	return page, ids, units
}

// list goes through all pages of what a filter chooses, by cursors and to the last by its number,
// and gives the most units that a page took.
func (w *world) list(f translations.Filter, q search.EntryQuery) (ids []string, units float64) {
	w.t.Helper()
	q.Page = 1
	for {
		page, more, cost := w.page(f, q)
		ids, units = append(ids, more...), max(units, cost)
		if q.Cursor = page.Next; q.Cursor == "" {
			break
		}
	}
	q.Page = max(1, (len(ids)+19)/20)
	page, last, cost := w.page(f, q)
	if page.Total != len(ids) || !slices.Equal(last, ids[(q.Page-1)*20:]) {
		w.t.Errorf("%+v: a total of %d for %d entries, and the last page is %v", f, page.Total,
			len(ids), last)
	}
	slices.Sort(ids)
	return ids, max(units, cost)
}

// TestChoose compares what is missing and what is outdated with a plain look at all entries, of few
// entries and of many, and bounds what a page reads: 6,293 units at 3,000 entries before.
func TestChoose(t *testing.T) {
	for _, groups := range []int{15, 90} {
		t.Run(fmt.Sprint(groups), func(t *testing.T) {
			w := newWorld(t)
			for i := range groups {
				group := len(w.made)
				w.create([]string{"en", "en", "de", "fr"}[i%4], group)
				for _, code := range []string{"de", "fr"} {
					if (i/4+len(code)+i)%3 != 0 && w.member(group, code) == nil && i%7 != 0 {
						w.create(code, group)
					}
				}
			}
			for i, save := 0, len(w.made); i < len(w.made); i += 5 {
				w.update(w.made[i], save+i)
			}
			yes, no := true, false
			for _, f := range []translations.Filter{{Missing: []string{"de"}}, {Missing: []string{"en"}},
				{Missing: []string{"de", "fr"}}, {Outdated: &yes}, {Outdated: &no},
				{Missing: []string{"fr"}, Outdated: &yes}, {Missing: []string{"de", "fr", "en"}}} {
				for _, q := range []search.EntryQuery{{Statuses: cms.Statuses},
					{Statuses: []cms.Status{cms.StatusDraft}}, // which is what all are
					{Statuses: cms.Statuses,
						ListQuery: index.ListQuery{Sort: []query.SortField{{Path: "title", Desc: true}}}}} {
					got, units := w.list(f, q)
					if want := w.want(f); !slices.Equal(got, want) {
						t.Errorf("%v %v: %d entries, want %d", f, q, len(got), len(want))
					}
					if most := 100 + float64(len(w.made))/10; units > most {
						t.Errorf("%v %v: %.0f units for %d entries, want at most %.0f", f, q, units,
							len(w.made), most)
					}
				}
			}
		})
	}
}
