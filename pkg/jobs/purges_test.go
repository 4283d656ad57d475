package jobs

import (
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"headless/pkg/db"
	"headless/pkg/purge"
	"headless/pkg/table/bolt"
)

// lateCache takes purges and, like a CDN, stores whatever arrives, whenever it was computed.
type lateCache struct {
	answers map[string]string // by tag
	busy    bool
	ids     []string
}

func (c *lateCache) Purge(_ context.Context, b purge.Batch) error {
	if c.busy {
		return purge.ErrBusy
	}
	c.ids = append(c.ids, b.ID)
	for _, tag := range b.Tags {
		delete(c.answers, tag)
	}
	return nil
}

// TestLateAnswer takes every step of the race apart: an answer is computed, the content changes,
// the purge is taken, and only then the answer arrives at a cache that does not know how old it is.
func TestLateAnswer(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	if err != nil {
		t.Fatal(err)
	}
	defer tb.Close()
	store := db.New(tb, func() time.Time { return now })
	cache := &lateCache{answers: map[string]string{}}
	p := Purges{Store: store, To: cache, Log: slog.New(slog.DiscardHandler), RepeatAfter: time.Minute}
	run := func() {
		t.Helper()
		if err := p.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	change := func(tag string) {
		t.Helper()
		tx := store.Begin()
		tx.Touch(tag)
		if err := store.Commit(t.Context(), tx); err != nil {
			t.Fatal(err)
		}
	}
	computed := "before the change"
	change("e.1")
	run()
	cache.answers["e.1"] = computed
	run()
	if cache.answers["e.1"] == "" {
		t.Fatal("the purge came again too early")
	}
	now = now.Add(30 * time.Second)
	change("e.2")
	cache.busy = true
	now = now.Add(31 * time.Second)
	run()
	cache.busy = false
	run()
	if cache.answers["e.1"] != "" {
		t.Error("an answer from before the change stayed after its purge")
	}
	if pending, err := store.Purges(t.Context(), 10); err != nil || len(pending) > 0 {
		t.Errorf("pending: %v %v", pending, err)
	}
	now = now.Add(2 * time.Minute)
	run()
	taken := len(cache.ids)
	now = now.Add(time.Hour)
	run()
	if len(cache.ids) != taken || taken != 4 {
		t.Errorf("%d batches, then %d; want two for each change", taken, len(cache.ids))
	}
	if slices.Sort(cache.ids); len(slices.Compact(cache.ids)) != taken ||
		strings.Contains(strings.Join(cache.ids, ""), " ") {
		t.Errorf("batches share an id: %v", cache.ids)
	}
}
