package translations_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/groups"
	"headless/pkg/index"
	"headless/pkg/must"
	"headless/pkg/recheck"
	"headless/pkg/search"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
	"headless/pkg/translations"
)

// world is entries of a localized model on a real store, whose clock goes on with each look at it.
type world struct {
	t        testing.TB
	table    *table.Counting
	fault    func(table.Call) table.Fault // nil: none
	entries  *editing.Entries
	actor    cms.Actor
	made     []*made
	original string // the default locale
}

// made is an entry as the test remembers it.
type made struct {
	id, locale string
	changed    int // when it was saved last, as the number of the save
	group      int
	deleted    bool
	saved      bool // its title begins with Saved
}

func newWorld(t testing.TB) *world {
	t.Helper()
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	w := &world{t: t, original: "en", actor: cms.Actor{Name: "ed", Source: cms.SourceAdmin}}
	w.table = table.NewCounting(table.NewFaulty(tb, func(c table.Call) table.Fault {
		if w.fault == nil {
			return table.Fault{}
		}
		return w.fault(c)
	}))
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
	must.Do(t, locales.EnsureDefault(t.Context()))
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
	must.Do(w.t, err)
	w.made = append(w.made, &made{id: e.ID, locale: locale, changed: len(w.made), group: group})
}

// update saves an entry once more.
func (w *world) update(m *made, save int) {
	w.t.Helper()
	_, err := w.entries.Update(w.t.Context(), w.actor, "posts", m.id,
		map[string]any{"title": fmt.Sprint("Saved ", save)}, nil)
	must.Do(w.t, err)
	m.changed, m.saved = save, true
}

// member is the entry of a group in a locale, nil if there is none.
func (w *world) member(group int, locale string) *made {
	i := slices.IndexFunc(w.made, func(m *made) bool {
		return !m.deleted && m.group == group &&
			m.locale == locale
	})
	if i < 0 {
		return nil
	}
	return w.made[i]
}

// want returns the entries that a filter should choose; with saved, only those that were saved again.
func (w *world) want(f translations.Filter, saved bool) (ids []string) {
	for _, m := range w.made {
		if m.deleted || saved && !m.saved {
			continue
		}
		found := slices.ContainsFunc(f.Missing,
			func(code string) bool { return w.member(m.group, code) != nil })
		original := w.member(m.group, w.original)
		outdated := original != nil && m.changed < original.changed
		if !found && (f.Outdated == nil || *f.Outdated == outdated) {
			ids = append(ids, m.id)
		}
	}
	slices.Sort(ids)
	return ids
}

// page reads one page of the entries that a filter chooses, and counts the units that it took.
func (w *world) page(f translations.Filter, q content.EntryQuery) (page db.Page[content.EntryItem],
	ids []string, units float64) {
	w.t.Helper()
	store := w.entries.Store
	now, err := store.Site(w.t.Context())
	must.Do(w.t, err)
	w.table.Reset()
	q.Locales, q.PerPage = now.Codes(), 20
	must.Do(w.t, translations.Choose(w.t.Context(), store, now, now.Models["posts"], &q, f))
	if page, err = search.List(w.t.Context(), store, now, now.Models["posts"], q); err != nil {
		w.t.Fatal(err)
	}
	units = w.table.Snapshot().ReadUnits
	for i := range page.Items {
		e, err := page.Items[i].Decoded()
		must.Do(w.t, err)
		ids = append(ids, e.ID)
	}
	return page, ids, units
}

// list goes through all pages of the entries that a filter chooses, by cursors and to the last by its number,
// and gives the most units that a page took.
func (w *world) list(f translations.Filter, q content.EntryQuery) (ids []string, units float64) {
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

// TestChoose compares missing and outdated translations with a look at all entries.
func TestChoose(t *testing.T) {
	w := newWorld(t)
	for i := range 90 {
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
	w.compare()
}

// TestChooseAfterChanges compares the same while entries are saved, linked, unlinked, deleted and
// restored at random.
func TestChooseAfterChanges(t *testing.T) {
	w, r := newWorld(t), rand.New(rand.NewPCG(15, 3))
	codes := []string{"en", "de", "fr"}
	for save := 1000; save < 1300; save++ {
		var m *made
		if len(w.made) > 0 {
			m = w.made[r.IntN(len(w.made))]
		}
		switch n := r.IntN(10); {
		case m == nil || n < 2 && len(w.made) < 40:
			w.create(codes[r.IntN(3)], len(w.made))
			w.made[len(w.made)-1].changed = save
		case m.deleted:
			w.restore(m, save)
		case n < 5:
			w.update(m, save)
		case n < 7:
			w.join(m, w.made[r.IntN(len(w.made))], save)
		case n < 8:
			w.leave(m, save)
		case n < 9:
			w.delete(m)
		default:
			w.moveTo(m, codes[r.IntN(3)], save)
		}
		if save%25 == 0 {
			w.compare()
		}
	}
}

// compare compares all filters, in several lists, with a plain look.
func (w *world) compare() {
	w.t.Helper()
	yes, no := true, false
	title := []query.SortField{{Path: "title", Desc: true}}
	saved := []query.Filter{{Path: "title", Op: query.OpStartsWith, Values: []string{"Saved"}}}
	for _, f := range []translations.Filter{{Missing: []string{"de"}}, {Missing: []string{"en"}},
		{Missing: []string{"de", "fr"}}, {Outdated: &yes}, {Outdated: &no},
		{Missing: []string{"fr"}, Outdated: &yes}, {Missing: []string{"de", "fr", "en"}}} {
		for _, q := range []content.EntryQuery{{Statuses: cms.Statuses},
			{Statuses: []cms.Status{cms.StatusDraft}}, // all are drafts
			{Statuses: cms.Statuses, ListQuery: index.ListQuery{Sort: title}},
			{Statuses: cms.Statuses, ListQuery: index.ListQuery{Filters: saved}},
			{Statuses: cms.Statuses, Q: "saved"}} {
			want := w.want(f, len(q.Filters) > 0 || q.Q != "")
			if got, _ := w.list(f, q); !slices.Equal(got, want) {
				w.t.Errorf("%+v %+v: %d entries, want %d", f, q, len(got), len(want))
			}
		}
	}
}

// regroup links an entry to another's group, or to none with nil, and remembers the result.
func (w *world) regroup(m *made, target any, save int) bool {
	w.t.Helper()
	_, err := w.entries.Update(w.t.Context(), w.actor, "posts", m.id,
		map[string]any{"title": fmt.Sprint("Saved ", save), "translation_of": target}, nil)
	if err == nil {
		m.changed, m.saved = save, true
	}
	return err == nil
}

func (w *world) join(m, target *made, save int) {
	if w.regroup(m, target.id, save) {
		m.group = target.group
	}
}

func (w *world) leave(m *made, save int) {
	if w.regroup(m, nil, save) {
		m.group = -save
	}
}

// moveTo saves an entry in another locale, unless that is taken in its group.
func (w *world) moveTo(m *made, locale string, save int) {
	w.t.Helper()
	_, err := w.entries.Update(w.t.Context(), w.actor, "posts", m.id,
		map[string]any{"title": fmt.Sprint("Saved ", save), "locale": locale}, nil)
	if err == nil {
		m.changed, m.saved, m.locale = save, true, locale
	}
}

func (w *world) delete(m *made) {
	w.t.Helper()
	must.Do(w.t, w.entries.Delete(w.t.Context(), w.actor, "posts", m.id, nil))
	m.deleted = true
}

// restore brings an entry back, alone where its place in the group was taken.
func (w *world) restore(m *made, save int) {
	w.t.Helper()
	if _, err := w.entries.RestoreFromTrash(w.t.Context(), w.actor, m.id); err != nil {
		w.t.Fatal(err)
	}
	if w.member(m.group, m.locale) != nil {
		m.group = -save
	}
	m.deleted, m.changed = false, save
}

// TestChooseAfterCrash breaks off the work that follows a save of an original: the timer of the save
// does it.
func TestChooseAfterCrash(t *testing.T) {
	w := newWorld(t)
	w.create("en", 0)
	w.create("de", 0)
	broken := false
	w.fault = func(c table.Call) table.Fault {
		if c.Method == "Write" && broken {
			return table.Fault{Kind: table.Throttled}
		}
		broken = broken || c.Method == "Write"
		return table.Fault{}
	}
	w.update(w.made[0], 100)
	w.fault = nil
	yes := true
	outdated := func() (ids []string) {
		ids, _ = w.list(translations.Filter{Outdated: &yes}, content.EntryQuery{Statuses: cms.Statuses})
		return ids
	}
	if ids := outdated(); len(ids) != 0 {
		t.Fatalf("%v are outdated, though nothing followed the save", ids)
	}
	w.runTimers()
	if ids := outdated(); !slices.Equal(ids, []string{w.made[1].id}) {
		t.Errorf("%v are outdated, want the translation", ids)
	}
}

// TestChooseByAnotherDefault makes another locale the default: outdated translations go by it, and
// nothing wrong is said meanwhile.
func TestChooseByAnotherDefault(t *testing.T) {
	w := newWorld(t)
	for i := range 4 {
		w.create("en", 2*i)
		w.create("de", 2*i)
	}
	w.update(w.made[0], 100)
	w.update(w.made[3], 101)
	locales := &site.Locales{Store: w.entries.Store.Store, InUse: w.entries.LocaleInUse}
	if _, err := locales.Update(t.Context(), w.actor, "de", map[string]any{"is_default": true}, nil); err != nil {
		t.Fatal(err)
	}
	now, err := w.entries.Store.Site(t.Context())
	must.Do(t, err)
	yes := true
	q := content.EntryQuery{Statuses: cms.Statuses, Locales: now.Codes()}
	err = translations.Choose(t.Context(), w.entries.Store, now, now.Models["posts"], &q,
		translations.Filter{Outdated: &yes})
	if !errors.Is(err, index.ErrReindexing) {
		t.Errorf("while coverages go by the former locale: %v", err)
	}
	w.runTimers()
	w.original = "de"
	w.compare()
}

// runTimers handles all timers.
func (w *world) runTimers() {
	w.t.Helper()
	store := w.entries.Store
	for range 100 {
		timers, err := store.Timers(w.t.Context(), store.Now().Add(time.Hour), 100)
		must.Do(w.t, err)
		if len(timers) == 0 {
			return
		}
		for _, timer := range timers {
			do := map[string]func(context.Context, *content.Store, string) (cms.Time, error){
				groups.KindCoverage: groups.Cover, site.KindDefault: groups.CoverAll}[timer.Kind]
			if timer.Kind == recheck.Kind {
				do = func(context.Context, *content.Store, string) (cms.Time, error) { return cms.Time{}, nil }
			}
			if _, err := do(w.t.Context(), store, timer.Ref); err != nil {
				w.t.Fatal(err)
			}
			must.Do(w.t, store.MoveTimers(w.t.Context(), []db.Timer{timer}, nil))
		}
	}
	w.t.Fatal("there are always timers")
}

// TestChooseIsFlat compares the units that a page reads at few groups and at many. In another order than the
// default one, a page may read some hundred rows.
func TestChooseIsFlat(t *testing.T) {
	var before map[string]float64
	for _, n := range []int{60, 300} {
		w := newWorld(t)
		w.seed(n)
		units := w.pageUnits()
		for name, u := range units {
			more := 2.0
			if strings.HasSuffix(name, "by title") {
				more = 40
			}
			if before != nil && u > before[name]+more {
				t.Errorf("%s: %.1f units at %d groups, %.1f at 60", name, u, n, before[name])
			}
		}
		before = units
	}
}

// BenchmarkChoose reports the units that a page reads.
func BenchmarkChoose(b *testing.B) {
	for _, n := range []int{300, 3000, 30_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := newWorld(b)
			w.seed(n)
			for b.Loop() {
				for name, units := range w.pageUnits() {
					b.ReportMetric(units, strings.ReplaceAll(name, " ", "-"))
				}
			}
		})
	}
}

// seed makes groups: 30 have no translation to de, all but 30 none to fr, and 30 translations are
// outdated.
func (w *world) seed(n int) {
	for i := range n {
		group := len(w.made)
		w.create("en", group)
		if i >= 30 {
			w.create("de", group)
		}
		if i < 30 {
			w.create("fr", group)
			w.update(w.made[group], n)
		}
	}
	must.Do(w.t, w.entries.MergeTotals(w.t.Context()))
}

// pageUnits are the units that the first pages of lists read.
func (w *world) pageUnits() map[string]float64 {
	yes := true
	units := map[string]float64{}
	for name, f := range map[string]translations.Filter{"few missing": {Missing: []string{"de"}},
		"most missing": {Missing: []string{"fr"}}, "few outdated": {Outdated: &yes}} {
		for order, sort := range map[string][]query.SortField{"": nil, " by title": {{Path: "title"}}} {
			q := content.EntryQuery{Statuses: cms.Statuses, ListQuery: index.ListQuery{Sort: sort}}
			q.Page = 1
			w.page(f, q) // the process knows of the merge then
			page, _, cost := w.page(f, q)
			if page.Total < 30 || len(page.Items) != 20 {
				w.t.Errorf("%s: %d of %d", name, len(page.Items), page.Total)
			}
			units[name+order] = cost
		}
	}
	return units
}
