package content

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/table"
)

// change is one operation on an entry, prepared so that it can be tried on any store.
type change struct {
	name  string
	id    string
	after *cms.Entry // nil: the entry is gone
	run   func(ctx context.Context, s *Store) error
}

const crashEvent = "entry.tried"

// changesOf prepares a create, updates of each kind, a delete and a restore.
func changesOf(t *testing.T, s *Store, m *site.Model, r *rand.Rand, all map[string]*cms.Entry,
	trash map[string]*cms.Entry, kind string) change {
	t.Helper()
	ctx := context.Background()
	commit := func(s *Store, tx *db.Tx, e *cms.Entry) error {
		tx.Event(cms.Actor{}, crashEvent, m.Slug, map[string]any{"id": e.ID, "version": e.Version})
		return s.Commit(ctx, tx)
	}
	switch kind {
	case "create":
		e := &cms.Entry{ID: uuid.NewString(), Version: 1, Slug: "new-" + uuid.NewString()}
		randomEntry(r, e)
		return change{kind, e.ID, e, func(ctx context.Context, s *Store) error {
			tx := s.Begin()
			SaveEntry(tx, m, nil, e, cms.Actor{}, crashEvent)
			return commit(s, tx, e)
		}}
	case "restore":
		for id, was := range trash {
			rec, err := s.FromTrash(ctx, &site.Site{}, id)
			must.Do(t, err)
			must.Do(t, s.FinishDeletion(ctx, m, rec))
			e := *was
			e.Version++
			return change{kind, id, &e, func(ctx context.Context, s *Store) error {
				tx := s.Begin()
				RestoreEntry(tx, m, rec, &e, cms.Actor{}, crashEvent)
				return commit(s, tx, &e)
			}}
		}
	}
	for id := range all {
		rec, err := s.EntryForChange(ctx, m, id)
		must.Do(t, err)
		e := *rec.Entry
		e.Version++
		if kind == "delete" {
			return change{kind, id, nil, func(ctx context.Context, s *Store) error {
				tx := s.Begin()
				TrashEntry(tx, m, rec, &e, cms.Actor{}, crashEvent)
				return commit(s, tx, &e)
			}}
		}
		changeEntry(r, &e, kind)
		return change{kind, id, &e, func(ctx context.Context, s *Store) error {
			tx := s.Begin()
			SaveEntry(tx, m, rec, &e, cms.Actor{}, crashEvent)
			return commit(s, tx, &e)
		}}
	}
	t.Fatal("nothing to change")
	return change{}
}

func changeEntry(r *rand.Rand, e *cms.Entry, kind string) {
	was := *e
	randomEntry(r, e)
	switch kind {
	case "text":
		e.Status, e.Locale = was.Status, was.Locale
	case "status":
		e.Title, e.Data, e.Locale = was.Title, was.Data, was.Locale
		e.Status = map[cms.Status]cms.Status{cms.StatusDraft: cms.StatusPublished,
			cms.StatusPublished: cms.StatusArchived, cms.StatusArchived: cms.StatusDraft}[was.Status]
	case "slug":
		e.Title, e.Data, e.Locale, e.Status = was.Title, was.Data, was.Locale, was.Status
		e.Slug = "slug-" + uuid.NewString()
	case "locale":
		e.Title, e.Data, e.Status = was.Title, was.Data, was.Status
		e.Locale = map[string]string{"en": "de", "de": "en"}[was.Locale]
	}
}

// TestCrashes crashes every change before and after each of its calls, and looks at everything
// afterwards.
func TestCrashes(t *testing.T) {
	t.Parallel()
	tryCrashes(t, oracleModel())
}

// TestCrashesOfLargeChanges does so where a change of status takes more than one transaction.
func TestCrashesOfLargeChanges(t *testing.T) {
	t.Parallel()
	rests := 0
	for range 4 { // how many crashes hit a change between its transactions depends on random ids
		m := oracleModel()
		for i := range 13 { // rows that every entry has, so that there are none of lists, which may be few
			name := fmt.Sprint("more", i)
			m.Fields = append(m.Fields, cms.Field{Name: name, Type: cms.TypeText})
			m.Indexes = append(m.Indexes, []string{"data.color", "data." + name})
		}
		if rests += tryCrashes(t, m); rests >= 5 {
			return
		}
	}
	t.Errorf("%d crashes left something to do: the changes are too small", rests)
}

// tryCrashes returns how many crashes left something to do of a change.
func tryCrashes(t *testing.T, m *site.Model) (rests int) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(3, 4))
	base := testStore(t)
	m.Fields[3].Unique = false
	m.Fields = append(m.Fields, cms.Field{Name: "code", Type: cms.TypeText, Unique: true})
	tb := recorded(base.Table)
	all, trash := map[string]*cms.Entry{}, map[string]*cms.Entry{}
	s := opened(tb)
	for range 12 {
		writeRandom(t, s, m, r, all)
	}
	for _, kind := range []string{"create", "text", "status", "slug", "locale", "all", "delete", "restore"} {
		for _, fault := range []table.FaultKind{table.CrashBefore, table.CrashAfter, table.AnswerLost} {
			for n, done := 1, false; !done; n++ {
				for len(all) < 10 {
					writeRandom(t, s, m, r, all)
				}
				if kind == "restore" && len(trash) == 0 {
					c := changesOf(t, s, m, r, all, trash, "delete")
					if err := c.run(ctx, s); err != nil || !settle(t, s, m, c, all, trash) {
						t.Fatal(err)
					}
				}
				c := changesOf(t, s, m, r, all, trash, kind)
				events := len(tb.items(t, "OUT#"))
				faulty := table.NewFaulty(tb, table.FaultAt(n, fault))
				err := c.run(ctx, opened(faulty))
				done = faulty.Calls() < n
				if done && err != nil {
					t.Fatalf("%s without a fault: %v", kind, err)
				}
				if !done && fault != table.AnswerLost && err != nil && !errors.Is(err, table.ErrCrashed) {
					t.Fatalf("%s, crash at %d: %v", kind, n, err)
				}
				applied := settle(t, s, m, c, all, trash)
				if err == nil && !applied {
					t.Errorf("%s: confirmed, but not applied", kind)
				}
				if got := len(tb.items(t, "OUT#")) - events; (got == 1) != applied {
					t.Errorf("%s, fault %d at %d: %d events, applied %v", kind, fault, n, got, applied)
				}
				s = opened(tb) // another process goes on
				if len(tb.items(t, "REST#")) > 0 {
					rests++
					finishAny(t, s, m, n, c.id)
				}
				checkRandom(ctx, t, s, m, r, all)
				checkSearch(ctx, t, s, m, all)
				if n%3 == 0 { // else a later change meets pending ones
					if _, err := s.FlushTexts(ctx); err != nil {
						t.Fatal(err)
					}
				}
				audit(t, tb, m, all, n%3 == 0)
				if t.Failed() {
					t.Fatalf("%s, fault %d at call %d", kind, fault, n)
				}
			}
		}
	}
	return rests
}

// finishAny has what a crash left to do of an entry done by the sweeper, or by the next change.
func finishAny(t *testing.T, s *Store, m *site.Model, n int, id string) {
	t.Helper()
	ctx := context.Background()
	if n%2 == 0 {
		must.Do(t, s.FinishRests(ctx))
		return
	}
	if _, err := s.EntryForChange(ctx, m, id); err != nil && !errors.Is(err, db.ErrNotFound) {
		t.Fatal(err)
	}
}

// settle finds out whether a change was applied and follows it.
func settle(t *testing.T, s *Store, m *site.Model, c change, all, trash map[string]*cms.Entry) bool {
	t.Helper()
	stored, err := s.Entry(context.Background(), m, c.id)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		t.Fatal(err)
	}
	before := all[c.id]
	switch {
	case stored == nil && c.after == nil:
		was := *before
		was.Version++
		trash[c.id] = &was
		delete(all, c.id)
		return true
	case stored != nil && c.after != nil && stored.Version == c.after.Version:
		all[c.id] = c.after
		delete(trash, c.id)
		return true
	case stored == nil && before == nil, stored != nil && before != nil && stored.Version == before.Version:
		return false
	}
	t.Fatalf("%s: the entry is neither as before nor as after: %v", c.name, stored)
	return false
}

// checkSearch compares members and scores of searches with a look at the texts alone.
func checkSearch(ctx context.Context, t *testing.T, s *Store, m *site.Model, all map[string]*cms.Entry) {
	t.Helper()
	for _, text := range []string{"apple", "zebra 1", "1 äpf", "日本", "strasse"} {
		for _, locale := range []string{"en", "de"} {
			hits := searched(ctx, t, s, m, TextQuery{Text: text, Locales: []string{locale},
				Statuses: cms.Statuses, Default: "en"})
			want := oracleScores(m, all, locale, text)
			got := map[string]float64{}
			for _, h := range hits {
				got[h.ID.String()] = h.Score
			}
			if len(got) != len(hits) || len(got) != len(want) {
				t.Errorf("%q in %s: %d hits of %d entries, want %d", text, locale, len(hits),
					len(got), len(want))
			}
			for id, score := range want {
				// Weights are stored in steps of 1.5 %.
				if diff := got[id] - score; math.Abs(diff) > 0.0075*score {
					t.Errorf("%q in %s: score %v, want %v", text, locale, got[id], score)
				}
			}
		}
	}
}

func (c change) String() string { return fmt.Sprintf("%s %s", c.name, c.id) }
