package totals

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/db"
	"headless/pkg/db/waiting"
	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/table/sim"
)

const (
	space = "m.1#en#published"
	other = "m.1#en#draft"
)

func save(t *testing.T, s *db.DB, moves map[db.Counter]int64) {
	t.Helper()
	tx := s.Begin()
	for c, n := range moves {
		Count(tx, c, n)
	}
	tx.Put(table.Item{Key: table.Key{Partition: "E", Sort: fmt.Sprint(rand.Int64())}})
	must.Do(t, s.Commit(t.Context(), tx))
}

// asked are the counters that the tests read, near and far ones.
var asked = []string{All, "va", "vb", "vc", Overflow + "list"}

// fill saves eight documents, one of which moves from a space to the other, and gives the totals.
func fill(t *testing.T, s *db.DB) []int {
	t.Helper()
	for i := range 8 {
		moves := map[db.Counter]int64{{Space: space, Name: All}: 1, {Space: space, Name: "va"}: 1}
		switch i {
		case 2, 5:
			moves[db.Counter{Space: space, Name: "vb"}] = 1
		case 6:
			moves = map[db.Counter]int64{{Space: space, Name: All}: -1, {Space: other, Name: All}: 1,
				{Space: space, Name: "va"}: -1, {Space: other, Name: "va"}: 1}
		case 7:
			moves = map[db.Counter]int64{{Space: space, Name: "vb"}: -1, {Space: space, Name: "vc"}: 1,
				{Space: space, Name: Overflow + "list"}: 1}
		}
		save(t, s, moves)
	}
	return []int{5, 5, 1, 1, 1}
}

func expect(t *testing.T, s *db.DB, want []int) {
	t.Helper()
	found, err := Of(context.Background(), s, []string{space}, asked...)
	if err != nil || !slices.Equal(found, want) {
		t.Errorf("totals %v, want %v, %v", found, want, err)
	}
}

// timeline has a script run to certain calls before each call of a reader.
type timeline struct {
	table.Table
	mu      sync.Mutex
	passed  *sync.Cond
	steps   map[string]int // at which step of the script the first call of a kind is made
	later   int            // and all calls after these
	at      int            // the script made so many calls
	advance func(to int)
	first   map[string]bool // kinds that made their first call
}

func (l *timeline) wait(kind string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	step := l.later
	if !l.first[kind] {
		step = l.steps[kind]
		for k, s := range l.steps { // an earlier one has to be made before
			for k != kind && !l.first[k] && (s < step || s == step && k < kind) {
				l.passed.Wait()
			}
		}
	}
	if step > l.at {
		l.advance(step)
		l.at = step
	}
}

func (l *timeline) made(kind string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.first[kind] = true
	l.passed.Broadcast()
}

func (l *timeline) Query(ctx context.Context, r table.Range) ([]table.Item, error) {
	l.wait("Query")
	defer l.made("Query")
	return l.Table.Query(ctx, r)
}

func (l *timeline) Get(ctx context.Context, c table.Consistency, keys ...table.Key) ([]*table.Item, error) {
	l.wait("Get")
	defer l.made("Get")
	return l.Table.Get(ctx, c, keys...)
}

// stepped is a table for a script that waits before each call, and after it until the next step.
type stepped struct {
	table.Table
	turn chan chan struct{}
}

func (s stepped) step(call func()) {
	made := <-s.turn
	call()
	made <- struct{}{}
}

func (s stepped) Query(ctx context.Context, r table.Range) (items []table.Item, err error) {
	s.step(func() { items, err = s.Table.Query(ctx, r) })
	return items, err
}

func (s stepped) Get(ctx context.Context, c table.Consistency, keys ...table.Key) (items []*table.Item,
	err error) {
	s.step(func() { items, err = s.Table.Get(ctx, c, keys...) })
	return items, err
}

func (s stepped) Write(ctx context.Context, ops []table.Op) (err error) {
	s.step(func() { err = s.Table.Write(ctx, ops) })
	return err
}

func (s stepped) BatchWrite(ctx context.Context, puts []table.Item, deletes []table.Key) (err error) {
	for _, key := range deletes { // DynamoDB deletes them one by one
		s.step(func() { err = s.Table.BatchWrite(ctx, nil, []table.Key{key}) })
	}
	return err
}

// later is a clock by which no lease is running any more.
func later() time.Time { return time.Now().Add(waiting.Lease) }

// script is what happens beside a read.
type script struct {
	name   string
	before func(t *testing.T, base table.Table) // the read
	beside func(base table.Table) error
}

func scripts() []script {
	two := func(base table.Table) error {
		s := db.New(base, time.Now)
		for range 2 {
			if _, _, err := mergeSome(context.Background(), s, "m.1", 4); err != nil {
				return err
			}
		}
		return nil
	}
	all := []script{{"two merges", func(*testing.T, table.Table) {}, two}}
	for _, kind := range []table.FaultKind{table.CrashBefore, table.CrashAfter, table.AnswerLost} {
		for n := 2; n < 9; n++ {
			all = append(all, script{fmt.Sprintf("after a crash %d at call %d", kind, n),
				func(t *testing.T, base table.Table) {
					s := db.New(table.NewFaulty(base, table.FaultAt(n, kind)), time.Now)
					_, _, err := mergeSome(t.Context(), s, "m.1", 4)
					if err != nil && !errors.Is(err, table.ErrCrashed) && !errors.Is(err, table.ErrUnavailable) {
						t.Fatal(err)
					}
				},
				func(base table.Table) error {
					s := db.New(base, later)
					for range 2 {
						if _, _, err := mergeSome(context.Background(), s, "m.1", 4); err != nil {
							return err
						}
					}
					return nil
				}})
		}
	}
	return all
}

// TestInterleavings reads totals at every moment of two merges, the rows and the far counters at
// moments of their own: in a process that knows nothing, and in one that read them before.
func TestInterleavings(t *testing.T) {
	for _, sc := range scripts() {
		synctest.Test(t, func(t *testing.T) {
			for _, knows := range []bool{false, true} {
				for rows, last := 0, false; !last; rows++ {
					for far := 0; ; far++ {
						total := interleave(t, sc, knows, rows, far)
						if t.Failed() {
							t.Fatalf("%s, knows %v, rows at %d, far counters at %d", sc.name, knows, rows, far)
						}
						if last = rows >= total; far >= total {
							break
						}
					}
				}
			}
		})
	}
}

// interleave makes a read, and returns how many calls the script makes.
func interleave(t *testing.T, sc script, knows bool, rows, far int) int {
	base := sim.New(sim.Options{})
	want := fill(t, db.New(base, time.Now))
	sc.before(t, base)
	turn := make(chan chan struct{})
	ended := make(chan struct{})
	go func() {
		if err := sc.beside(stepped{base, turn}); err != nil {
			t.Error(err)
		}
		close(ended)
	}()
	made, calls := make(chan struct{}), 0
	step := func() bool {
		select {
		case turn <- made:
			<-made
			calls++
			return true
		case <-ended:
			return false
		}
	}
	line := &timeline{Table: base, steps: map[string]int{"Query": rows, "Get": far}, later: max(rows, far) + 1,
		first: map[string]bool{}, advance: func(to int) {
			for calls < to && step() {
			}
		}}
	line.passed = sync.NewCond(&line.mu)
	reader := db.New(line, time.Now)
	if knows {
		reader.Table = base
		expect(t, reader, want)
		reader.Table = line
	}
	expect(t, reader, want)
	for step() {
	}
	expect(t, reader, want)
	expect(t, db.New(base, time.Now), want)
	return calls
}

// TestCrashes crashes merges before and after each of their calls: totals are right then, and when
// another process has merged the rest.
func TestCrashes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, kind := range []table.FaultKind{table.CrashBefore, table.CrashAfter, table.AnswerLost} {
			for n, done := 1, false; !done; n++ {
				base := sim.New(sim.Options{})
				want := fill(t, db.New(base, time.Now))
				faulty := table.NewFaulty(base, table.FaultAt(n, kind))
				for err := error(nil); err == nil && faulty.Calls() < n && !done; {
					var merged int
					merged, _, err = mergeSome(t.Context(), db.New(faulty, time.Now), "m.1", 3)
					done = err == nil && merged == 0
				}
				expect(t, db.New(base, time.Now), want)
				again := db.New(base, later)
				if _, err := Merge(t.Context(), again, "m.1"); err != nil {
					t.Fatal(err)
				}
				expect(t, again, want)
				rows, err := base.Query(t.Context(), table.Range{Partition: db.ChangesPartition("m.1")})
				if err != nil || len(rows) != 1 {
					t.Errorf("%d rows are left; %v", len(rows), err)
				}
				if t.Failed() {
					t.Fatalf("fault %d at call %d", kind, n)
				}
			}
		}
	})
}

// TestThawed has a merge go on that others took for dead and ended, at each of its calls.
func TestThawed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for n, total := 2, 3; n <= total; n++ {
			base := sim.New(sim.Options{})
			want := fill(t, db.New(base, time.Now))
			if _, _, err := mergeSome(t.Context(), db.New(base, time.Now), "m.1", 2); err != nil {
				t.Fatal(err)
			}
			frozen := table.NewFaulty(base, func(c table.Call) table.Fault {
				if c.N != n {
					return table.Fault{}
				}
				return table.Fault{Before: func() {
					if _, err := Merge(context.Background(), db.New(base, later), "m.1"); err != nil {
						t.Error(err)
					}
				}}
			})
			if _, _, err := mergeSome(t.Context(), db.New(frozen, time.Now), "m.1", 3); err != nil {
				t.Fatal(err)
			}
			total = max(total, frozen.Calls())
			expect(t, db.New(base, time.Now), want)
			if _, err := Merge(t.Context(), db.New(base, later), "m.1"); err != nil {
				t.Fatal(err)
			}
			if expect(t, db.New(base, time.Now), want); t.Failed() {
				t.Fatalf("frozen before call %d", n)
			}
		}
	})
}

// TestWriters has 16 writers add and take away documents of one collection on the simulated table,
// each in a space of its own, beside merges: each finds its totals exact after every change.
func TestWriters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := sim.AWS()
		opts.KeyWrites, opts.TableWrites, opts.KeyReads, opts.TableReads = 0, 0, 0, 0
		tab := sim.New(opts)
		var writers, merges sync.WaitGroup
		stop := make(chan struct{})
		merges.Go(func() {
			for {
				select {
				case <-stop:
					return
				case <-time.After(30 * time.Millisecond):
				}
				if _, err := Merge(t.Context(), db.New(tab, time.Now), "m.1"); err != nil {
					t.Error(err)
				}
			}
		})
		for w := range 16 {
			writers.Go(func() {
				s, own := db.New(tab, time.Now), fmt.Sprintf("m.1#w%d#draft", w)
				r := rand.New(rand.NewPCG(1, uint64(w)))
				all, values, labels := 0, map[string]int{}, map[string]int{}
				for range 60 {
					n, value, label := int64(1), fmt.Sprint(Value, r.IntN(3)), fmt.Sprint(r.IntN(2))
					if values[value] > 0 && labels[label] > 0 && r.IntN(3) == 0 {
						n = -1
					}
					save(t, s, map[db.Counter]int64{{Space: own, Name: All}: n, {Space: own, Name: value}: n,
						{Space: own, Name: Label + label}: n})
					all, values[value], labels[label] = all+int(n), values[value]+int(n), labels[label]+int(n)
					found, err := Of(t.Context(), s, []string{own}, All, value)
					if err != nil || found[0] != all || found[1] != values[value] {
						t.Errorf("writer %d: %v, want %d and %d, %v", w, found, all, values[value], err)
					}
					total, by, err := OfLabels(t.Context(), s, []string{own})
					if err != nil || total[0] != all || by[0][label] != labels[label] {
						t.Errorf("writer %d: labels %v of %v, want %v of %d, %v", w, by, total, labels, all, err)
					}
				}
			})
		}
		writers.Wait()
		close(stop)
		merges.Wait()
		u := tab.Usage()
		t.Logf("%d of %d requests refused", u.Conflicts, u.Requests)
	})
}
