package benchsim

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/fulltext"
	"headless/pkg/must"
	"headless/pkg/rooms"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/table/sim"
)

var span = flag.Duration("span", 2*time.Second, "simulated time of each load")

// load is a site of one model on the simulated table.
type load struct {
	t       *testing.T
	table   *sim.Table
	store   *rooms.Stores
	entries *editing.Entries
	models  *site.Models
	actor   cms.Actor
}

func newLoad(t *testing.T) *load {
	t.Helper()
	opts := sim.AWS()
	opts.HoldMin, opts.HoldMax = 20*time.Millisecond, 20*time.Millisecond
	opts.TableWrites, opts.TableReads = 40_000,
		40_000 // a table that has been busy before: the test measures the keys
	opts.NoStream = true
	l := &load{t: t, table: sim.New(opts)}
	l.store = rooms.New(l.table, time.Now)
	l.entries = &editing.Entries{Store: l.store.Content}
	l.models = &site.Models{Store: l.store.Site, HasEntries: l.entries.ModelHasEntries}
	locales := &site.Locales{Store: l.store.Site, InUse: l.entries.LocaleInUse}
	must.Do(t, locales.EnsureDefault(t.Context()))
	body := map[string]any{"slug": "things", "name": "Things", "fields": []any{
		map[string]any{"name": "text", "type": "text"}, map[string]any{"name": "num", "type": "number"},
		map[string]any{"name": "flag", "type": "boolean"}, map[string]any{"name": "day", "type": "date"},
	}}
	if _, err := l.models.Create(t.Context(), l.actor, body); err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *load) save(ctx context.Context, entries *editing.Entries, w, n int) error {
	_, err := entries.Create(ctx, l.actor, "things",
		map[string]any{"title": fmt.Sprintf("Entry %d of writer %d", n, w),
			"data": map[string]any{"text": "some words", "num": json.Number(fmt.Sprint(n % 7)),
				"flag": true}})
	return err
}

// write has writers save one after the other until the context ends, with a pause after each save.
// Each is a process of its own, as functions are.
func (l *load) write(ctx context.Context, writers int, every time.Duration) (took []time.Duration,
	failed int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			entries := &editing.Entries{Store: rooms.New(l.table, time.Now).Content}
			time.Sleep(time.Duration(w) * every / time.Duration(writers))
			for n := 0; ctx.Err() == nil; n++ {
				start := time.Now()
				err := l.save(context.WithoutCancel(ctx), entries, w, n)
				mu.Lock()
				if err != nil {
					if failed++; failed == 1 {
						l.t.Logf("the first failure: %v", err)
					}
				}
				took = append(took, time.Since(start))
				mu.Unlock()
				time.Sleep(max(0, every-time.Since(start)))
			}
		})
	}
	wg.Wait()
	return took, failed
}

func quantile(took []time.Duration, q float64) time.Duration {
	slices.Sort(took)
	return took[int(q*float64(len(took)-1))].Round(time.Millisecond)
}

// TestHotWriters: 200 writers of one model want to save twice a second each.
func TestHotWriters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLoad(t)
		l.table.Reset()
		ctx, cancel := context.WithTimeout(t.Context(), *span)
		defer cancel()
		took, failed := l.write(ctx, 200, 500*time.Millisecond)
		u := l.table.Usage()
		t.Logf("200 writers: %.0f saves/s, p50 %v, p99 %v, %d of %d failed, %.1f %% of requests refused, %.0f write units "+
			"a save   (goal 400/s, p99 0.5 s, none, 2 %%)",
			float64(len(took)-failed)/span.Seconds(), quantile(took, 0.5),
			quantile(took, 0.99), failed, len(took),
			100*float64(u.Conflicts+u.Throttled)/float64(u.Requests), u.WriteUnits/float64(len(took)))
	})
}

// TestModelChangeBesideImporter: 20 changes of the model while 16 connections import.
func TestModelChangeBesideImporter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLoad(t)
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { l.write(ctx, 16, 0) })
		time.Sleep(500 * time.Millisecond)
		var took []time.Duration
		inTime := 0
		for n := range 20 {
			start := time.Now()
			_, err := l.models.Update(t.Context(), l.actor, "things",
				map[string]any{"name": fmt.Sprint("Things ", n)}, nil)
			if took = append(took, time.Since(start)); err == nil && time.Since(start) < time.Second {
				inTime++
			}
		}
		cancel()
		wg.Wait()
		t.Logf("model change beside an importer of 16: %d of 20 within 1 s, p50 %v, worst %v   (goal 20 of 20)",
			inTime, quantile(took, 0.5), quantile(took, 1))
	})
}

// TestReadsOfOneKey: requests that one key may make in a second, as its limit lets them.
func TestReadsOfOneKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLoad(t)
		l.table.Reset()
		processes := make([]*rooms.Stores, 20)
		for i := range processes {
			processes[i] = rooms.New(table.Table(l.table), time.Now)
		}
		var passed atomic.Int64
		var wg sync.WaitGroup
		start := time.Now()
		for w := range 200 {
			wg.Go(func() {
				for time.Since(start) < *span {
					if _, ok, err := processes[w%len(processes)].Keys.Count(t.Context(), "key", 1_000_000); err == nil &&
						ok {
						passed.Add(1)
					}
					time.Sleep(10 * time.Millisecond) // the answer
				}
			})
		}
		wg.Wait()
		u := l.table.Usage()
		t.Logf("one key: %.0f requests/s, %.3f write units each   (goal 10,000/s, 0.1)",
			float64(passed.Load())/time.Since(start).Seconds(), u.WriteUnits/float64(passed.Load()))
	})
}

// TestSearchBesideImporter: searches while 16 connections import texts of 200 words. Each search
// looks for an entry that was confirmed just before.
func TestSearchBesideImporter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLoad(t)
		_, err := l.models.Update(t.Context(), l.actor, "things", map[string]any{"fields": []any{
			map[string]any{"name": "text", "type": "textarea", "searchable": true},
		}}, nil)
		must.Do(t, err)
		must.Do(t, l.entries.Reindex(t.Context()))
		ctx, cancel := context.WithTimeout(t.Context(), *span)
		defer cancel()
		var last atomic.Pointer[string]
		var saved atomic.Int64
		var wg sync.WaitGroup
		for w := range 16 {
			wg.Go(func() {
				entries := &editing.Entries{Store: rooms.New(l.table, time.Now).Content}
				random := rand.New(rand.NewPCG(1, uint64(w)))
				for n := 0; ctx.Err() == nil; n++ {
					name := fmt.Sprintf("w%dn%d", w, n)
					if _, err := entries.Create(t.Context(), l.actor, "things", map[string]any{
						"title": name, "status": "published", "data": map[string]any{"text": words(random)},
					}); err != nil {
						t.Error(err)
						return
					}
					saved.Add(1)
					last.Store(&name)
				}
			})
		}
		var took []time.Duration
		worst, reads := 0, 0.0
		for ctx.Err() == nil {
			time.Sleep(200 * time.Millisecond)
			q := last.Load()
			if q == nil {
				continue
			}
			now, err := l.store.Content.Site(t.Context())
			must.Do(t, err)
			start := time.Now()
			found, err := l.store.Content.Search(t.Context(), []*site.Model{now.Models["things"]}, content.TextQuery{
				Text: *q, Locales: []string{"en"}, Statuses: []cms.Status{cms.StatusPublished}})
			if err != nil || found.Total == 0 {
				t.Errorf("found %+v of %s: %v", found, *q, err)
			}
			took = append(took, time.Since(start))
			rows, size := 0, 0
			for _, partition := range fulltext.PendingPartitions(now.Models["things"].IndexName()) {
				part, err := l.table.Query(t.Context(), table.Range{Partition: partition})
				must.Do(t, err)
				for _, row := range part {
					size += row.Size()
				}
				rows += len(part)
			}
			worst, reads = max(worst, rows), max(reads, float64(size)/4096)
		}
		wg.Wait()
		t.Logf("searches beside an importer of 16: p50 %v, p99 %v; at most %d changes pending, %.0f read units; %.0f saves/s",
			quantile(took, 0.5), quantile(took, 0.99), worst, reads, float64(saved.Load())/span.Seconds())
	})
}

// words is a text of 200 words that are as frequent as those of languages: a few very, most seldom.
func words(random *rand.Rand) string {
	zipf := rand.NewZipf(random, 1.1, 2, 20_000)
	var text strings.Builder
	for range 200 {
		text.WriteString(base26(zipf.Uint64()) + " ")
	}
	return text.String()
}

// base26 writes a number in letters, the last digit first, so that words begin with all of them.
func base26(n uint64) string {
	word := "o"
	for ; n > 0; n /= 26 {
		word += string(rune('a' + n%26))
	}
	return word[1:] + "ol"
}
