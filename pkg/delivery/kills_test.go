package delivery

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"headless/pkg/api"
	"headless/pkg/api/pipeline"
	"headless/pkg/editing"
	"headless/pkg/jobs"
	"headless/pkg/must"
	"headless/pkg/purge"
	"headless/pkg/rooms"
	"headless/pkg/table"
)

// cdn keeps whatever arrives, whenever it was computed, and loses purges: as a network before the
// service does.
type cdn struct {
	kept  map[string]page // by path
	slow  []page          // computed, and still on their way to the cache
	fault func() table.FaultKind
}

// page is an answer.
type page struct {
	path, body string
	code       int
	tags       []string
	until      time.Time // when the cache removes it; zero for never
}

// Purge takes a batch, loses it, or takes it and loses the confirmation.
func (c *cdn) Purge(_ context.Context, b purge.Batch) (purge.Batch, error) {
	kind := c.fault()
	if kind == table.Throttled {
		return b, purge.ErrBusy
	}
	if kind == table.CrashBefore {
		return b, errors.New("the purge is lost")
	}
	for path, p := range c.kept {
		if b.All ||
			slices.ContainsFunc(p.tags, func(tag string) bool { return slices.Contains(b.Tags, tag) }) {
			delete(c.kept, path)
		}
	}
	if kind == table.CrashAfter {
		return b, errors.New("the confirmation is lost")
	}
	return purge.Batch{}, nil
}

// arrive stores answers that were on their way, until a time.
func (c *cdn) arrive(n int, until time.Time) {
	for _, p := range c.slow[:n] {
		p.until = until
		c.kept[p.path] = p
	}
	c.slow = c.slow[n:]
}

// process is a running service without a cache of its own.
type process struct {
	stores  *rooms.Stores
	entries *editing.Entries
	origin  *Handler
}

func startProcess(t table.Table, now func() time.Time) process {
	st := rooms.New(t, now)
	entries := &editing.Entries{Store: st.Content}
	log := slog.New(slog.DiscardHandler)
	reader := pipeline.NewReader(st.Keys, log, api.SiteRoutes(), api.ContentRoutes(entries),
		api.SearchRoutes(entries))
	return process{st, entries,
		New(Config{Keys: st.Keys, Log: log, Entries: entries, SiteURL: "https://cms.example",
			Reader: reader})}
}

// ask computes an answer.
func (p process) ask(path string) page {
	a := get(p.origin, path)
	answer := page{path: path, code: a.Code, body: a.Body.String()}
	if names := a.Header().Get("Cache-Tag"); names != "" {
		answer.tags = strings.Split(names, ",")
	}
	return answer
}

// TestKilledBetweenSaveAndPurge ends the process at random calls of a change and of its purge,
// loses purges and their confirmations, and lets slow answers arrive at any time. Once the purge is
// acknowledged no answer that is kept differs from a fresh one. An answer that arrives after the
// purge of a change that it does not show left the service too late, and is kept for 5 seconds.
func TestKilledBetweenSaveAndPurge(t *testing.T) {
	w := newWorld(t)
	inner := w.stores.Table
	now := time.Now()
	clock := func() time.Time { return now }
	random := rand.New(rand.NewPCG(17, 1))
	paths := killPaths(w.base)
	faults, kills, lost := false, 0, 0
	edge := &cdn{kept: map[string]page{}}
	edge.fault = func() table.FaultKind {
		if !faults || random.IntN(4) == 0 {
			return table.NoFault
		}
		lost++
		return []table.FaultKind{table.Throttled, table.CrashBefore, table.CrashAfter}[random.IntN(3)]
	}
	run := func(p process) error {
		now = now.Add(time.Minute) // the purge is due, and the lease of a killed purger is over
		return jobs.Purges{Store: p.stores.DB, To: edge, Log: slog.New(slog.DiscardHandler),
			Published: p.stores.Keys.Published}.Run(t.Context())
	}
	read := func(p process) {
		for range 6 {
			if a := p.ask(paths[random.IntN(len(paths))]); len(a.tags) > 0 {
				edge.slow = append(edge.slow, a)
			}
		}
		edge.arrive(random.IntN(len(edge.slow)+1), time.Time{})
	}
	same := func(p process, when string) {
		t.Helper()
		for _, path := range paths {
			kept, ok := edge.kept[path]
			ok = ok && (kept.until.IsZero() || now.Before(kept.until))
			if fresh := p.ask(path); ok && (kept.code != fresh.code || kept.body != fresh.body) {
				t.Fatalf("%s, %s: %d %s\nwant %d %s", when, path, kept.code, kept.body, fresh.code,
					fresh.body)
			}
		}
	}
	ids := w.createSome(t)
	for step := range 120 {
		live := startProcess(inner, clock)
		read(live)
		faults = true
		at, kind := 1+random.IntN(60), []table.FaultKind{table.CrashBefore, table.CrashAfter}[random.IntN(2)]
		dying := startProcess(table.NewFaulty(inner, func(c table.Call) table.Fault {
			if c.N == at {
				kills++
				return table.Fault{Kind: kind}
			}
			return table.Fault{}
		}), clock)
		randomChange(t.Context(), random, dying.entries, ids, step)
		read(live)     // sees the change before its purge, or an answer from before it is still on its way
		_ = run(dying) // what fails is left to the next process
		faults = false

		must.Do(t, run(live))
		if left, err := live.stores.DB.Purges(t.Context(), 1); err != nil || len(left) > 0 {
			t.Fatalf("purges are pending after all were acknowledged: %v %v", left, err)
		}
		same(live, fmt.Sprint("step ", step, " after the purge"))
		edge.arrive(len(edge.slow), now.Add(staleTime))
		now = now.Add(staleTime)
		same(live, fmt.Sprint("step ", step, " after the late answers"))
	}
	if kills < 20 || lost < 8 {
		t.Errorf("only %d kills and %d lost purges", kills, lost)
	}
}

// createSome publishes three authors and three posts.
func (w *world) createSome(t *testing.T) map[string][]string {
	t.Helper()
	ids := map[string][]string{}
	for i := range 6 {
		model := []string{"authors", "posts"}[i%2]
		e, err := w.entries.Create(t.Context(), editor, model,
			map[string]any{"title": "title", "slug": fmt.Sprint(model[:1], i/2), "status": "published"})
		must.Do(t, err)
		ids[model] = append(ids[model], e.ID)
	}
	return ids
}

func killPaths(base string) (paths []string) {
	for _, path := range []string{"/posts", "/posts?include=author", "/authors", "/search?q=title",
		"/posts/feed.xml", "/sitemap-1.xml"} {
		paths = append(paths, base+path)
	}
	for i := range 4 {
		paths = append(paths, fmt.Sprint(base, "/posts/p", i, "?include=author"),
			fmt.Sprint(base, "/authors/a", i))
	}
	return paths
}

// randomChange changes, deletes or restores one of the entries, or adds one. It may be refused, and
// the process may end.
func randomChange(ctx context.Context, random *rand.Rand, entries *editing.Entries,
	ids map[string][]string, step int) {
	model := []string{"authors", "posts"}[random.IntN(2)]
	body := changed(random, model, fmt.Sprint("title ", step))
	if model == "posts" {
		body["data"] = map[string]any{"author": ids["authors"][random.IntN(3)]}
	}
	id := ids[model][random.IntN(len(ids[model]))]
	switch random.IntN(8) {
	case 0:
		_, _ = entries.Create(ctx, editor, model, body)
	case 1:
		_ = entries.Delete(ctx, editor, model, id, nil)
	case 2, 3:
		_, _ = entries.RestoreFromTrash(ctx, editor, id)
	default:
		_, _ = entries.Update(ctx, editor, model, id, body, nil)
	}
}

func changed(random *rand.Rand, model, title string) map[string]any {
	slug := fmt.Sprint(model[:1], random.IntN(4))
	return map[string]any{"title": title, "slug": slug, "status": []any{"published", "published",
		"draft"}[random.IntN(3)]}
}

// TestLateAnswers takes the race of an answer with a change apart: the answer is begun, the content
// changes while it is computed, the answer leaves, arrives up to a second later, and the purge comes
// 2 to 3 seconds after the change. No cache holds the answer for more than 5 seconds after the purge.
func TestLateAnswers(t *testing.T) {
	const network, step = time.Second, 100 * time.Millisecond
	for took := time.Duration(0); took <= 8*time.Second; took += step {
		header := http.Header{"Cache-Tag": {"e.1"}, "Cache-Control": {"public, s-maxage=86400"}}
		limitAge(header, took)
		var kept time.Duration
		switch control := header.Get("Cache-Control"); {
		case strings.Contains(control, "s-maxage=86400"):
			kept = 24 * time.Hour
		case strings.Contains(control, "s-maxage=5"):
			kept = 5 * time.Second
		case control != "no-store" || header.Get("Cache-Tag") != "":
			t.Fatalf("after %s: %v", took, header)
		}
		for changed := time.Duration(0); changed <= took; changed += step {
			for purged := changed + 2*time.Second; purged <= changed+3*time.Second; purged += step {
				if arrived := max(took, purged); arrived < took+network && kept > 5*time.Second {
					t.Fatalf("took %s, changed at %s, arrived at %s: kept for %s after the purge at %s", took,
						changed, arrived, kept, purged)
				}
			}
		}
	}
}
