package links_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/links"
	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

var editor = cms.Actor{Name: "ed@example.com", Source: cms.SourceAdmin}

// pausing lets a rival act before one of its calls.
type pausing struct {
	table.Table
	calls int
	rival func()
}

func (p *pausing) step() {
	if p.calls--; p.calls == 0 {
		p.rival()
	}
}

func (p *pausing) Get(ctx context.Context, c table.Consistency, keys ...table.Key) ([]*table.Item, error) {
	p.step()
	return p.Table.Get(ctx, c, keys...)
}

func (p *pausing) Query(ctx context.Context, r table.Range) ([]table.Item, error) {
	p.step()
	return p.Table.Query(ctx, r)
}

func (p *pausing) Write(ctx context.Context, ops []table.Op) error {
	p.step()
	return p.Table.Write(ctx, ops)
}

func (p *pausing) BatchWrite(ctx context.Context, puts []table.Item, deletes []table.Key) error {
	p.step()
	return p.Table.BatchWrite(ctx, puts, deletes)
}

func entriesOn(tb table.Table) *editing.Entries {
	e := &editing.Entries{Store: content.New(tb, time.Now)}
	e.Uses = links.Usage{Store: e.Store}
	return e
}

// raceWorld is an entry and the target it will refer to.
func raceWorld(t *testing.T) (tb table.Table, entry, target string) {
	t.Helper()
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	t.Cleanup(func() { must.Do(t, tb.Close()) })
	ctx, e := t.Context(), entriesOn(tb)
	must.Do(t, (&site.Locales{Store: e.Store.Store, InUse: e.LocaleInUse}).EnsureDefault(ctx))
	_, err = (&site.Models{Store: e.Store.Store, HasEntries: e.ModelHasEntries}).Create(ctx, editor,
		body(t,
			`{"slug": "posts", "name": "Posts", "fields": [{"name": "more", "type": "relation", "model": "posts"}]}`))
	must.Do(t, err)
	var ids []string
	for range 2 {
		made, err := e.Create(ctx, editor, "posts", body(t, `{"title": "Post"}`))
		must.Do(t, err)
		ids = append(ids, made.ID)
	}
	return tb, ids[0], ids[1]
}

func body(t *testing.T, text string) map[string]any {
	t.Helper()
	o, err := cms.DecodeObject([]byte(text))
	must.Do(t, err)
	return o
}

// TestSaveBesideDeletion takes the steps of a save, of an entry and of a draft, and of a deletion
// of its target apart: between any two steps of one, the other is done. Never do both succeed.
func TestSaveBesideDeletion(t *testing.T) {
	type act func(e *editing.Entries, entry, target string) error
	refer := func(target string) map[string]any {
		return body(t, `{"data": {"more": "`+target+`"}}`)
	}
	remove := func(e *editing.Entries, _, target string) error {
		return e.DeleteUnused(t.Context(), editor, "posts", target, true, nil)
	}
	saves := map[string]act{
		"entry": func(e *editing.Entries, entry, target string) error {
			_, err := e.Update(t.Context(), editor, "posts", entry, refer(target), nil)
			return err
		},
		"draft": func(e *editing.Entries, entry, target string) error {
			_, err := e.SaveDraft(t.Context(), editor, "posts", entry, refer(target), nil)
			return err
		},
	}
	// race runs first and, before its nth call, second. It is false where first makes fewer calls.
	race := func(t *testing.T, first, second act, n int) (one, two error, met bool) {
		tb, entry, target := raceWorld(t)
		p := &pausing{Table: tb, calls: n}
		p.rival = func() { two, met = second(entriesOn(tb), entry, target), true }
		one = first(entriesOn(p), entry, target)
		return one, two, met
	}
	for name, save := range saves {
		t.Run(name+", deleted in between", func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n++ {
				saved, deleted, met := race(t, save, remove, n)
				if !met {
					break
				}
				if (saved == nil) == (deleted == nil) || saved != nil &&
					!hasCode(saved, cms.CodeValidationFailed) {
					t.Errorf("before call %d: saved %v, deleted %v", n, saved, deleted)
				}
			}
		})
		t.Run(name+", saved in between", func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n++ {
				deleted, saved, met := race(t, remove, save, n)
				if !met {
					break
				}
				if saved == nil && deleted == nil || deleted != nil && !hasCode(deleted, cms.CodeInUse) {
					t.Errorf("before call %d of the deletion: saved %v, deleted %v", n, saved, deleted)
				}
			}
		})
	}
}

func hasCode(err error, code cms.Code) bool {
	var refused *cms.Error
	return errors.As(err, &refused) && refused.Code == code
}

// TestFailedDeletionLeavesNoMark lets each call of a deletion of an unused entry fail. The next try works at once.
func TestFailedDeletionLeavesNoMark(t *testing.T) {
	for _, kind := range []table.FaultKind{table.Throttled, table.AnswerLost} {
		for n, met := 1, true; met; n++ {
			tb, _, target := raceWorld(t)
			faulty := table.NewFaulty(tb, table.FaultAt(n, kind))
			err := entriesOn(faulty).DeleteUnused(t.Context(), editor, "posts", target, true, nil)
			met = faulty.Calls() >= n
			switch again := entriesOn(tb).DeleteUnused(t.Context(), editor, "posts", target, true, nil); {
			case err == nil, hasCode(again, cms.CodeEntryNotFound): // the answer alone was lost
			case again != nil:
				t.Errorf("fault %d at call %d: %v, and then %v", kind, n, err, again)
			}
		}
	}
}
