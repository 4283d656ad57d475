package table_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"headless/pkg/table"
)

func TestFaulty(t *testing.T) {
	k := table.Key{Partition: "p", Sort: "s"}
	for _, test := range []struct {
		name    string
		kind    table.FaultKind
		err     error
		applied bool
		after   error // of the next call
	}{
		{"none", table.NoFault, nil, true, nil},
		{"conflict", table.Conflict, nil, true, nil},
		{"throttled", table.Throttled, table.ErrUnavailable, false, nil},
		{"answer lost", table.AnswerLost, table.ErrUnavailable, true, nil},
		{"crash before", table.CrashBefore, table.ErrCrashed, false, table.ErrCrashed},
		{"crash after", table.CrashAfter, table.ErrCrashed, true, table.ErrCrashed},
	} {
		for method, call := range map[string]func(table.Table) error{
			"Write": func(tab table.Table) error {
				return tab.Write(t.Context(), []table.Op{{Kind: table.Put, Item: table.Item{Key: k}}})
			},
			"BatchWrite": func(tab table.Table) error {
				return tab.BatchWrite(t.Context(), []table.Item{{Key: k}}, nil)
			},
		} {
			t.Run(test.name+"/"+method, func(t *testing.T) {
				inner := openBolt(t)
				tab := table.NewFaulty(inner, table.FaultAt(2, test.kind))
				if _, err := tab.Add(t.Context(), k, 1, 1, 0); err != nil {
					t.Fatal(err)
				}
				if err := call(tab); !errors.Is(err, test.err) {
					t.Errorf("got %v, want %v", err, test.err)
				}
				got, err := inner.Get(t.Context(), table.Strong, k)
				if err != nil || (got[0] != nil) != test.applied {
					t.Errorf("applied: %v, %v", got, err)
				}
				if _, err := tab.Query(t.Context(), table.Range{Partition: "p"}); !errors.Is(err,
					test.after) {
					t.Errorf("next call: got %v, want %v", err, test.after)
				}
				if _, err := tab.Get(t.Context(), table.Strong, k); !errors.Is(err, test.after) {
					t.Errorf("call after that: got %v, want %v", err, test.after)
				}
				want := 4
				if test.after != nil {
					want = 2
				}
				if n := tab.Calls(); n != want {
					t.Errorf("%d calls, want %d", n, want)
				}
			})
		}
	}
}

func TestFaultyRival(t *testing.T) {
	inner := openBolt(t)
	k := table.Key{Partition: "p", Sort: "s"}
	claim := []table.Op{{Kind: table.Put, Item: table.Item{Key: k}, If: table.Absent}}
	tab := table.NewFaulty(inner, func(c table.Call) table.Fault {
		if c.Method != "Write" || c.Ops[0].If != table.Absent {
			t.Errorf("asked about %+v", c)
		}
		return table.Fault{Before: func() {
			if err := inner.Write(t.Context(), claim); err != nil {
				t.Error(err)
			}
		}}
	})
	var failed *table.ConditionError
	if err := tab.Write(t.Context(), claim); !errors.As(err, &failed) {
		t.Errorf("got %v, want a failed condition", err)
	}
}

func TestFaultyDelay(t *testing.T) {
	tab := table.NewFaulty(openBolt(t), table.Latency(time.Hour))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	if _, err := tab.Query(ctx, table.Range{Partition: "p"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want deadline exceeded", err)
	}
}

func TestRandomFaults(t *testing.T) {
	rates := table.Rates{Conflict: 0.1, Throttled: 0.2, AnswerLost: 0.3, Delay: time.Second}
	one, two := table.RandomFaults(7, rates), table.RandomFaults(7, rates)
	counts := make(map[table.FaultKind]int)
	for n := range 10_000 {
		f, g := one(table.Call{N: n}), two(table.Call{N: n})
		if f.Kind != g.Kind || f.Delay != g.Delay || f.Delay > time.Second {
			t.Fatalf("call %d: %+v and %+v", n, f, g)
		}
		counts[f.Kind]++
	}
	for kind, want := range map[table.FaultKind]int{table.NoFault: 4000, table.Conflict: 1000,
		table.Throttled: 2000, table.AnswerLost: 3000} {
		if got := counts[kind]; got < want-300 || got > want+300 {
			t.Errorf("fault %d: %d of 10,000, want about %d", kind, got, want)
		}
	}
}
