package waiting_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"headless/pkg/db/waiting"
	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

var stateKey = table.Key{Partition: "S", Sort: "s"}

// leased reads the state and reports whether others must wait for a merge.
func leased(t *testing.T, tb table.Table) (*table.Item, bool) {
	t.Helper()
	items, err := tb.Get(context.Background(), table.Strong, stateKey)
	must.Do(t, err)
	return items[0], waiting.Merging(items[0], time.Now(), func(time.Time) bool { return false })
}

func testTable(t *testing.T) table.Table {
	t.Helper()
	tb, err := bolt.Open(t.TempDir() + "/t.db")
	must.Do(t, err)
	t.Cleanup(func() { tb.Close() })
	return tb
}

// TestMergeOutlivesItsCaller cancels the caller before each call of the table: the merge runs to
// its end all the same, and nobody waits for its lease.
func TestMergeOutlivesItsCaller(t *testing.T) {
	for before := range 4 {
		inner := testTable(t)
		ctx, cancel := context.WithCancel(t.Context())
		tb := table.NewFaulty(inner, func(c table.Call) table.Fault {
			if c.N == before {
				cancel()
			}
			return table.Fault{}
		})
		if before == 0 {
			cancel() // gone before the merge begins
		}
		finished := false
		begun, err := waiting.Merge(ctx, tb, nil, table.Item{Key: stateKey}, time.Now(),
			func(ctx context.Context, state table.Item) error {
				if _, err := tb.Get(ctx, table.Strong, stateKey); err != nil {
					return err
				}
				finished = true
				state.Count = 0
				return tb.BatchWrite(ctx, []table.Item{state}, nil)
			})
		if _, held := leased(t, inner); !begun || err != nil || !finished || held {
			t.Errorf("canceled before call %d: begun %t, %v, finished %t, lease held %t", before, begun, err,
				finished, held)
		}
		cancel()
	}
}

// TestFailedMergeGivesBack: the next merge need not wait for the lease of one that failed.
func TestFailedMergeGivesBack(t *testing.T) {
	tb, failed := testTable(t), errors.New("failed")
	begun, err := waiting.Merge(t.Context(), tb, nil, table.Item{Key: stateKey, Body: []byte("state")}, time.Now(),
		func(context.Context, table.Item) error { return failed })
	state, held := leased(t, tb)
	if !begun || !errors.Is(err, failed) || held || string(state.Body) != "state" {
		t.Fatalf("begun %t, %v, lease held %t, state %+v", begun, err, held, state)
	}
	begun, err = waiting.Merge(t.Context(), tb, state, table.Item{Key: stateKey}, time.Now(),
		func(context.Context, table.Item) error { return nil })
	if !begun || err != nil {
		t.Errorf("the next merge: %t, %v", begun, err)
	}
}

// TestOneWriterChecks: while one writer of a process checks the rows, the others wait for it rather
// than check them too.
func TestOneWriterChecks(t *testing.T) {
	const writers = 50
	var pace waiting.Pace
	checks, release := make(chan int, 1000), make(chan struct{})
	rows := waiting.Rows{Name: "n", Clock: time.Now, Busy: errors.New("busy"),
		Help: func(context.Context) (bool, int, error) {
			checks <- 1
			<-release
			return len(checks) < 3, 1, nil // too many rows until the third check
		}}
	done := make(chan error)
	go func() { done <- holdUntilChecked(t.Context(), &pace, rows, checks) }()
	release <- struct{}{} // the first check finds too many rows: from now on, all writers wait
	for range writers {
		go func() { done <- pace.Hold(t.Context(), rows) }()
	}
	close(release)
	for range writers + 1 {
		must.Do(t, <-done)
	}
	if n := len(checks); n > 20 {
		t.Errorf("%d writers made %d checks", writers, n)
	}
}

// holdUntilChecked holds writers until one of them has checked: most do not.
func holdUntilChecked(ctx context.Context, p *waiting.Pace, r waiting.Rows, checks chan int) error {
	for len(checks) == 0 {
		if err := p.Hold(ctx, r); err != nil {
			return err
		}
	}
	return nil
}
