package content

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/table"
)

// TestUpgrade opens a table of the format before this one, whose text index cannot be read, and
// crashes between any two calls: the next process continues, and finds every entry once.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	const entries = 30
	tb := recorded(testStore(t).Table)
	s := New(tb, time.Now)
	m := s.withModel(t, oracleModel())
	for i := range entries {
		tx := s.Begin()
		SaveEntry(tx, m, nil, &cms.Entry{ID: uuid.NewString(), Version: 1, Title: fmt.Sprint("Word ", i),
			Slug: fmt.Sprint("s", i), Locale: "en", Status: cms.Statuses[i%2]}, cms.Actor{}, cms.EventEntryCreated)
		must.Do(t, s.Commit(t.Context(), tx))
	}
	for partition := range tb.partitions {
		if strings.HasPrefix(partition, "Q#") || strings.HasPrefix(partition, "FT") {
			must.Do(t, s.DeleteAll(t.Context(), partition))
		}
	}
	mark(t, s, db.Format-1)
	if _, err := New(tb, time.Now).Site(t.Context()); err == nil {
		t.Error("a table of an older format is used")
	}
	progress := 0
	for n := 1; ; n++ {
		faulty := table.NewFaulty(tb, table.FaultAt(n, table.CrashAfter))
		err := New(faulty, time.Now).Upgrade(t.Context(), func(n int) { progress = n })
		if err == nil {
			break
		}
		if !errors.Is(err, table.ErrCrashed) {
			t.Fatal(err)
		}
	}
	if progress != entries {
		t.Errorf("progress ends with %d entries", progress)
	}
	s = New(tb, time.Now)
	for status, want := range map[cms.Status]int{cms.Statuses[0]: entries / 2, cms.Statuses[1]: entries / 2} {
		found, err := s.Search(t.Context(), []*site.Model{m}, TextQuery{Text: "word", Locales: []string{"en"},
			Statuses: []cms.Status{status}})
		if err != nil || found.Total != want {
			t.Errorf("found %+v that are %s, want %d; %v", found, status, want, err)
		}
	}
	if err := s.Upgrade(t.Context(), func(int) { t.Error("upgraded twice") }); err != nil {
		t.Error(err)
	}
}

// mark sets the mark of the format on all copies of the configuration's version.
func mark(t *testing.T, s *Store, format byte) {
	t.Helper()
	for shard := range db.Shards {
		items, err := s.Table.Get(t.Context(), table.Strong, site.ConfigKey(shard))
		if err != nil || items[0] == nil {
			t.Fatalf("copy %d: %v, %v", shard, items, err)
		}
		item := *items[0]
		item.Body[len(item.Body)-1] = format
		must.Do(t, s.Table.BatchWrite(t.Context(), []table.Item{item}, nil))
	}
}
