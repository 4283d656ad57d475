package assets

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/index/totals"
	"headless/pkg/must"
	"headless/pkg/table"
)

// tagged stores a file with tags, and returns what is kept.
func (w *mediaWorld) tagged(t *testing.T, s *Media, tags ...any) (cms.Media, error) {
	t.Helper()
	m, err := s.Upload(t.Context(), mediaActor, textUpload("a.txt", "x"))
	must.Do(t, err)
	return s.Update(t.Context(), mediaActor, m.ID, map[string]any{"tags": tags}, nil)
}

// TestTags trims tags, writes known ones as they are known, and lists those that files have.
func TestTags(t *testing.T) {
	w := newMediaWorld(t)
	s := w.start(nil)
	first, err := w.tagged(t, s, " Summer  2026 ", "press", "PRESS", "")
	if err != nil || !slices.Equal(first.Tags, []string{"Summer 2026", "press"}) {
		t.Fatalf("%q, %v", first.Tags, err)
	}
	second, err := w.tagged(t, s, "Press", "über")
	if err != nil || !slices.Equal(second.Tags, []string{"press", "über"}) {
		t.Fatalf("%q, %v", second.Tags, err)
	}
	listed := func(want ...string) {
		t.Helper()
		if got, err := s.Tags(t.Context()); err != nil || !slices.Equal(got, want) {
			t.Errorf("the tags are %q, want %q (%v)", got, want, err)
		}
	}
	listed("press", "Summer 2026", "über")
	if _, err := s.Update(t.Context(), mediaActor, first.ID, map[string]any{"tags": []any{}}, nil); err != nil {
		t.Fatal(err)
	}
	listed("press", "über")
	if page, err := s.List(t.Context(), index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 10},
		Filters: LibrarySearch("übe")}); err != nil || page.Total != 1 || page.Items[0].ID != second.ID {
		t.Errorf("a search finds %+v (%v)", page, err)
	}
	for _, tags := range [][]any{{strings.Repeat("ä", MaxTagChars+1)}, {"a,b"}, slices.Repeat([]any{"x"}, 3)} {
		if _, err := w.tagged(t, s, tags...); (err == nil) != (len(tags) == 3) {
			t.Errorf("%q: %v", tags, err)
		}
	}
	var many []any
	for i := range MaxTags + 1 {
		many = append(many, strings.Repeat("x", i+1))
	}
	if _, err := w.tagged(t, s, many...); err == nil {
		t.Error("too many tags are taken")
	}
	if m, err := w.tagged(t, s, many[:MaxTags]...); err != nil || len(m.Tags) != MaxTags {
		t.Errorf("%q, %v", m.Tags, err)
	}
	if n := len(CleanTags(strings.Fields(fmt.Sprint(rand.Perm(1 << 17))))); n != MaxTags+1 {
		t.Errorf("%d tags are compared with one another", n)
	}
}

// TestUnseenChanges purges nothing for changes of a file that no published answer shows (extensions §8).
func TestUnseenChanges(t *testing.T) {
	w := newMediaWorld(t)
	s := w.start(nil)
	s.Locales = func(context.Context) ([]cms.Locale, error) { return nil, nil }
	m, err := s.Upload(t.Context(), mediaActor, textUpload("a.txt", "x"))
	must.Do(t, err)
	folder, err := s.CreateFolder(t.Context(), mediaActor, map[string]any{"name": "F"})
	must.Do(t, err)
	var purged []string
	s.Store.OnPurge(func(p db.Purge) { purged = append(purged, p.Tags...) })
	for _, change := range []struct {
		body  map[string]any
		shown bool
	}{
		{map[string]any{"tags": []any{"press"}}, false}, {map[string]any{"caption": "A caption"}, false},
		{map[string]any{"decorative": true}, false}, {map[string]any{"folder_id": folder.ID}, false},
		{map[string]any{"alt": "A text", "tags": []any{}}, true}, {map[string]any{"name": "b.txt"}, true},
	} {
		purged = nil
		if _, err := s.Update(t.Context(), mediaActor, m.ID, change.body, nil); err != nil {
			t.Fatal(change.body, err)
		}
		if slices.Contains(purged, cms.TagFile(m.ID)) != change.shown || len(purged) > 0 != change.shown {
			t.Errorf("%v purges %v", change.body, purged)
		}
	}
}

// TestTagsCost lists tags at the same cost among few files and among many.
func TestTagsCost(t *testing.T) {
	var used []table.Usage
	for _, n := range []int{10, 300} {
		w := newMediaWorld(t)
		if _, err := w.tagged(t, w.start(nil), "T"); err != nil {
			t.Fatal(err)
		}
		w.fill(t, n)
		if _, err := totals.Merge(t.Context(), db.New(w.table, time.Now), MediaSpace); err != nil {
			t.Fatal(err)
		}
		counting := table.NewCounting(table.NewFaulty(w.table, table.Latency(3*time.Millisecond)))
		s := &Media{Store: Open(db.New(counting, time.Now))}
		if _, err := s.Tags(t.Context()); err != nil { // the process knows of the merge then
			t.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) { // with a clock that no other load slows down
			counting.Reset()
			if tags, err := s.Tags(t.Context()); err != nil || !slices.Equal(tags, []string{"T"}) {
				t.Fatalf("%q, %v", tags, err)
			}
			used = append(used, counting.Snapshot())
		})
	}
	if used[1] != used[0] {
		t.Errorf("%+v among 10 files, %+v among 300", used[0], used[1])
	}
}
