// Package oracle_test compares the whole service with a small model of its contract.
//
// A history is a sequence of random changes: saves, drafts, revisions, duplicates, publications, translations, moves in
// the tree, plans, releases, jobs, what takes these back, reviews, redirects, the trash, saved views and entries of a
// model whose fields get other names, and exports as CSV that are sent back. Some are made by people who need
// approvals. With -races, some are made at the same time; then a history that failed may not fail again. With -faults,
// calls to the table fail, and clients leave; see faults_test.go.
// The embedded service makes each of them, and so does the model (type site), which says before whether the change is
// refused, and why. After each change all stored entries are compared; after some, also the answers of every public
// route, to keys that may read all or a part, from the API and from the cache of the delivery API, previews of the
// times to come, the events that a webhook gets, and what is found wrong with entries.
//
// A history that fails is made again with fewer steps. To run more histories:
//
//	go test ./pkg/app/oracle -seeds 1000 -first 100 -races
//	go test ./pkg/app/oracle -seeds 60 -length 120 -faults
package oracle_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

var (
	seeds  = flag.Int("seeds", 5, "how many histories the oracle test runs")
	first  = flag.Uint64("first", 0, "the seed of the first history")
	length = flag.Int("length", 60, "how many steps a history has")
	races  = flag.Bool("races", false, "make some changes at the same time")
	faulty = flag.Bool("faults", false, "let calls to the table fail and clients leave")
)

func TestHistories(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; make check leaves it out")
	}
	runAll(t, *seeds)
}

// TestHistoriesWithFaults runs a few histories as -faults does.
func TestHistoriesWithFaults(t *testing.T) {
	if testing.Short() || *faulty {
		t.Skip("takes seconds; make check leaves it out")
	}
	defer func() { *faulty = false }()
	*faulty = true
	runAll(t, 2)
}

// runAll runs histories.
func runAll(t *testing.T, seeds int) {
	for i := range seeds {
		seed := *first + uint64(i)
		var steps []int
		for n := range *length {
			steps = append(steps, n)
		}
		if problem, calls := run(t, seed, steps); problem != "" {
			// Changes at the same time may not fail again.
			if again, fewer := run(t, seed, shrink(t, seed, steps)); again != "" {
				problem, calls = again, fewer
			}
			t.Errorf("seed %d: %s\n%s", seed, problem, strings.Join(calls, "\n"))
		}
	}
}

// run makes some steps of a history. It returns the first difference, "" if there is none, and the calls before it.
func run(t *testing.T, seed uint64, steps []int) (problem string, calls []string) {
	dir := t.TempDir()
	synctest.Test(t, func(*testing.T) {
		s := start(dir)
		defer func() { check(s.close()) }()
		w := &world{
			service: s,
			reader:  s.readers[0],
			site: &site{gone: map[string]time.Time{}, held: map[string]map[string]bool{},
				redirects: map[string]redirect{}, shared: map[int]int{}},
			notes:     &notebook{slug: "notes", fields: []string{"one", "two"}, unique: map[string]bool{"two": true}},
			paths:     map[string]string{},
			tags:      map[string]tagged{},
			reserved:  map[int64]bool{},
			addresses: map[string]map[string]string{},
			synced:    map[string]obj{},
		}
		defer func() {
			calls = s.history
			switch p := recover().(type) {
			case nil:
			case failure:
				problem = string(p)
			default:
				panic(p)
			}
		}()
		w.as(nil)
		time.Sleep(90 * time.Second) // half a minute past a minute; see wait
		w.define()
		w.faults.begin(seed, -1)
		w.faults.on = *faulty
		for i, n := range steps {
			w.number, w.random = n, rand.New(rand.NewPCG(seed, uint64(n)))
			w.faults.begin(seed, n)
			w.step()
			w.as(nil)
			w.repair()
			w.checkLog()
			w.checkStored()
			w.walkOn()
			if n%6 == 5 || i == len(steps)-1 {
				w.checkPublic(w.site, "")
				w.previewTime()
				w.previewDrafts()
				w.checkUsage()
				w.checkViews()
				w.checkReviews()
				w.checkSavedViews()
				w.checkDelivered()
				w.checkPlanned()
				w.checkNarrow()
				w.checkNotes()
				w.checkHealth()
			}
		}
	})
	return problem, calls
}

// shrink leaves out steps without which a history still fails.
func shrink(t *testing.T, seed uint64, steps []int) []int {
	for size := len(steps) / 2; size > 0; size /= 2 {
		for at := len(steps) - size; at >= 0; at -= size {
			fewer := slices.Delete(slices.Clone(steps), at, at+size)
			if problem, _ := run(t, seed, fewer); problem != "" {
				steps = fewer
			}
		}
	}
	return steps
}
