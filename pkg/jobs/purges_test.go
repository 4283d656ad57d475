package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/purge"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

// billedCache accepts batches and counts their tags.
type billedCache struct {
	busy    bool
	batches []purge.Batch
	sent    map[string]int
}

func (c *billedCache) Purge(_ context.Context, b purge.Batch) (purge.Batch, error) {
	if c.busy {
		return b, purge.ErrBusy
	}
	c.batches = append(c.batches, b)
	for _, tag := range b.Tags {
		c.sent[tag]++
	}
	return purge.Batch{}, nil
}

// purgeSite is a table with a purger, whose clock is the test's.
type purgeSite struct {
	t     *testing.T
	store *db.DB
	cache *billedCache
	Purges
	published bool
}

func newPurgeSite(t *testing.T) *purgeSite {
	t.Helper()
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	t.Cleanup(func() { tb.Close() })
	s := &purgeSite{t: t, store: db.New(tb, time.Now), cache: &billedCache{sent: map[string]int{}},
		published: true}
	s.Purges = Purges{Store: s.store, To: s.cache, Log: slog.New(slog.DiscardHandler),
		Published: func(context.Context) (bool, error) { return s.published, nil }}
	return s
}

func (s *purgeSite) change(tags ...string) {
	s.t.Helper()
	tx := s.store.Begin()
	tx.Touch(tags...)
	must.Do(s.t, s.store.Commit(s.t.Context(), tx))
}

func (s *purgeSite) run() {
	s.t.Helper()
	must.Do(s.t, s.Run(s.t.Context()))
}

// month returns what was sent in this month, and fails if rows are pending.
func (s *purgeSite) month() db.PurgeMonth {
	s.t.Helper()
	if left, err := s.store.Purges(s.t.Context(), 10); err != nil || len(left) > 0 {
		s.t.Fatalf("pending: %v %v", left, err)
	}
	state, err := s.store.PurgeState(s.t.Context())
	must.Do(s.t, err)
	return state.MonthAt(s.store.Now())
}

// TestPurgeOnce sends each tag of a change once, 2 to 3 seconds after it, and counts it.
func TestPurgeOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newPurgeSite(t)
		s.run()
		s.change("k.1")
		s.run() // the first publishable key: everything, once
		if m := s.month(); m.Tags != 0 || m.Paths != 1 {
			t.Errorf("the first key sent %+v, want one path", m)
		}
		began := time.Now()
		s.change("e.1", "l.posts.en", "m.posts")
		s.change("e.2", "l.posts.en", "m.posts")
		s.run()
		if took := time.Since(began); took < purgeDelay || took > purgeDelay+purgeBundle {
			t.Errorf("the purge left after %s", took)
		}
		s.run()
		if m := s.month(); m.Tags != 4 || m.Paths != 1 || len(s.cache.batches) != 2 {
			t.Errorf("two changes sent %+v in %d batches", m, len(s.cache.batches))
		}
	})
}

// silentCache does not answer for longer than a function may run. most is how many calls waited at once.
type silentCache struct {
	mu          sync.Mutex
	calls, most int
}

func (c *silentCache) count(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls += n
	c.most = max(c.most, c.calls)
}

func (c *silentCache) Purge(ctx context.Context, b purge.Batch) (purge.Batch, error) {
	c.count(1)
	defer c.count(-1)
	select {
	case <-ctx.Done():
		return b, ctx.Err()
	case <-time.After(3 * time.Minute):
		return b, purge.ErrBusy
	}
}

// TestSilentCache: while a cache does not answer, one purger at a time waits for it, and no longer than its
// function may run, which is two minutes. Two used to wait for the same batch.
func TestSilentCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, cache := newPurgeSite(t), &silentCache{}
		s.Purges.To = cache
		s.change("k.1")
		for range 5 {
			go func() {
				began := time.Now()
				if err := s.Run(t.Context()); err == nil || time.Since(began) > 2*time.Minute {
					t.Errorf("after %s: %v", time.Since(began), err)
				}
			}()
			time.Sleep(time.Minute)
		}
		time.Sleep(5 * time.Minute)
		cache.mu.Lock()
		defer cache.mu.Unlock()
		if cache.most != 1 {
			t.Errorf("%d purgers waited at once", cache.most)
		}
	})
}

// TestPurgesOfAMomentAreOneBatch saves one entry 20 times within a second.
func TestPurgesOfAMomentAreOneBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newPurgeSite(t)
		s.change("k.1")
		s.run()
		for i := range 20 {
			s.change("e.1", "l.posts.en", "m.posts")
			if i == 0 {
				go func() { _ = s.Run(t.Context()) }() // what it leaves, month finds
			}
			time.Sleep(45 * time.Millisecond)
		}
		time.Sleep(time.Minute)
		if m := s.month(); m.Tags != 3 || len(s.cache.batches) != 2 {
			t.Errorf("20 changes sent %+v in %d batches", m, len(s.cache.batches))
		}
	})
}

// TestPurgeWithoutKey sends nothing while no publishable key is valid, but the tags of a key that
// ended, what a user asks for, and the paths of files. The next key purges everything once.
func TestPurgeWithoutKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newPurgeSite(t)
		s.published = false
		s.change("e.1", "m.posts")
		s.change("k.1")
		s.run()
		if m := s.month(); m.Tags != 1 || m.Paths != 0 || s.cache.sent["k.1"] != 1 {
			t.Errorf("sent %+v %v, want the tag of the key", m, s.cache.sent)
		}
		tx := s.store.Begin()
		tx.Touch("e.9")
		tx.AskPurge()
		must.Do(t, s.store.Commit(t.Context(), tx))
		tx = s.store.Begin()
		tx.TouchFile("a")
		must.Do(t, s.store.Commit(t.Context(), tx))
		s.run()
		if m := s.month(); m.Tags != 2 || m.Paths != 1 || s.cache.sent["e.9"] != 1 {
			t.Errorf("sent %+v %v, want what was asked for and a file", m, s.cache.sent)
		}
		s.published = true
		s.change("k.2")
		s.run()
		s.change("k.3")
		s.run()
		if m := s.month(); m.Tags != 3 || m.Paths != 2 {
			t.Errorf("two new keys sent %+v in all, want everything once", m)
		}
	})
}

// TestPurgeCap changes 20 entries a second for ten minutes. At most 100 tags leave within a minute,
// and everything at most every 30 seconds, so that each change is fresh within 35 seconds.
func TestPurgeCap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newPurgeSite(t)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for i := range 600 {
				for n := range 20 {
					s.change(fmt.Sprint("e.", i, ".", n))
				}
				time.Sleep(time.Second)
			}
		}()
		for range 700 {
			s.run()
			if rows, err := s.store.Purges(t.Context(), 1); err != nil {
				t.Fatal(err)
			} else if len(rows) > 0 && time.Since(rows[0].CreatedAt.Time) > 35*time.Second {
				t.Fatalf("a change waits for %s", time.Since(rows[0].CreatedAt.Time))
			}
			time.Sleep(time.Second)
		}
		<-done
		s.run()
		if m := s.month(); m.Tags > 100 || m.Paths > 30 || m.Paths < 15 {
			t.Errorf("12,000 changes in ten minutes sent %+v", m)
		}
	})
}

// TestPurgeAfterBurst changes an entry every 20 seconds after a burst. A minute after the burst, each
// change is purged at once, by its tag: a few changes a minute do not prolong the burst.
func TestPurgeAfterBurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newPurgeSite(t)
		s.change("k.1")
		s.run()
		for n := range 200 {
			s.change(fmt.Sprint("e.burst.", n))
		}
		for began := time.Now(); time.Since(began) < 100*time.Second; time.Sleep(20 * time.Second) {
			s.change("e.again")
			s.run()
		}
		for i := range 10 {
			tag, began := fmt.Sprint("e.", i), time.Now()
			s.change(tag)
			s.run()
			if took := time.Since(began); took > purgeDelay+time.Second || s.cache.sent[tag] != 1 {
				t.Errorf("the change of %s left after %s, sent %d times", tag, took, s.cache.sent[tag])
			}
			time.Sleep(20 * time.Second)
		}
	})
}

// TestPurgersAreApart lets two purgers work at the same time, one of which ends between any two of
// its calls: no tag goes out under two ids.
func TestPurgersAreApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newPurgeSite(t)
		s.change("k.1")
		s.run()
		other := s.Purges
		for i := range 20 {
			s.change(fmt.Sprint("e.", i))
			ended := make(chan error)
			go func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*200*time.Millisecond)
				defer cancel()
				ended <- other.Run(ctx)
			}()
			s.run()
			<-ended
		}
		s.run()
		for tag, n := range s.cache.sent {
			if n != 1 && strings.HasPrefix(tag, "e.") {
				t.Errorf("%s was sent %d times", tag, n)
			}
		}
		if m := s.month(); m.Tags != 20 {
			t.Errorf("20 changes sent %+v", m)
		}
	})
}

// TestPurgeRepeatsUnderItsID repeats a batch that a busy cache refused, under the same id, and
// counts it once.
func TestPurgeRepeatsUnderItsID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newPurgeSite(t)
		s.change("k.1")
		s.run()
		s.cache.busy = true
		var lines strings.Builder
		s.Metrics = slog.New(slog.NewJSONHandler(&lines, nil))
		s.change("e.1")
		s.run()
		time.Sleep(time.Minute) // of the fake clock
		s.run()
		if got := lines.String(); strings.Count(got, "OldestPurge\":") != 2 ||
			!strings.Contains(got, "\"OldestPurge\":63") {
			t.Errorf("the age of the change is not measured: %s", got)
		}
		state, err := s.store.PurgeState(t.Context())
		if err != nil || state.Pending == nil {
			t.Fatalf("the refused batch is not kept: %+v %v", state, err)
		}
		s.cache.busy = false
		s.run()
		last := s.cache.batches[len(s.cache.batches)-1]
		if m := s.month(); last.ID != state.Pending.ID || m.Tags != 1 {
			t.Errorf("repeated as %s, was %s; counted %+v", last.ID, state.Pending.ID, m)
		}
	})
}

// TestPurgePlanOfFiles removes all files together if there are too many to name.
func TestPurgePlanOfFiles(t *testing.T) {
	now := cms.At(time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC))
	row := db.Purge{CreatedAt: cms.At(now.Add(-time.Minute))}
	for i := range purge.MaxFiles + 1 {
		row.Files = append(row.Files, fmt.Sprint(i))
	}
	next, done, _ := planPurge(db.PurgeState{Open: true}, []db.Purge{row}, true, now)
	if next.Pending == nil || !next.Pending.AllFiles || len(done) != 1 || next.Month.Paths != 1 {
		t.Errorf("%+v, %d done", next, len(done))
	}
}

// failingCache is a cache in which a call in turn fails before or after it acts.
type failingCache struct {
	*billedCache
	fail func() table.FaultKind
}

func (c failingCache) Purge(ctx context.Context, b purge.Batch) (purge.Batch, error) {
	kind := c.fail()
	if kind != table.Throttled {
		if left, err := c.billedCache.Purge(ctx, b); err != nil || kind == table.NoFault {
			return left, err
		}
	}
	return b, errors.New("the cache did not answer")
}

// TestPurgesWithEachCallFailing: whichever calls to the table and the cache fail, before or after they act, what has
// changed leaves the cache, and a batch that is repeated is the same.
func TestPurgesWithEachCallFailing(t *testing.T) {
	for _, kind := range []table.FaultKind{table.Throttled, table.AnswerLost} {
		for _, times := range []int{1, 4} {
			for at, calls := 1, 1; calls >= at-1; at++ {
				synctest.Test(t, func(t *testing.T) {
					s := newPurgeSite(t)
					s.change("k.1")
					s.run()
					s.change("e.1", "m.posts")
					tx := s.store.Begin()
					tx.TouchFile("a")
					must.Do(t, s.store.Commit(t.Context(), tx))
					n := 0
					fail := func() table.FaultKind {
						if n++; n < at || n >= at+times {
							return table.NoFault
						}
						return kind
					}
					s.Purges.Store = db.New(table.NewFaulty(s.store.Table,
						func(table.Call) table.Fault { return table.Fault{Kind: fail()} }), time.Now)
					s.Purges.To = failingCache{s.cache, fail}
					for n < at+times && s.Run(t.Context()) != nil || n == 0 {
						s.change("e.2")
					}
					calls = n
					s.Purges.Store, s.Purges.To = s.store, s.cache
					time.Sleep(time.Minute)
					s.run()
					s.month()
					files := 0
					first := map[string]purge.Batch{}
					for _, b := range s.cache.batches {
						if was, ok := first[b.ID]; ok && !reflect.DeepEqual(was, b) {
							t.Errorf("%d in call %d: %+v is repeated as %+v", kind, at, was, b)
						}
						first[b.ID] = b
						files += len(b.Files)
					}
					if s.cache.sent["e.1"] == 0 || s.cache.sent["m.posts"] == 0 || files == 0 {
						t.Errorf("%d in call %d: sent %v and %d files", kind, at, s.cache.sent, files)
					}
				})
			}
		}
	}
}
