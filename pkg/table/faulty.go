package table

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrCrashed is the error of a Faulty after its crash. It simulates a process that has ended, so
// nothing should handle it.
var ErrCrashed = errors.New("table: crashed")

// Call is a call that is about to be made through a Faulty.
type Call struct {
	N       int    // 1 for the first call
	Method  string // "Get", "Query", "Write", "Add" or "BatchWrite"
	Keys    []Key  // of Get and Add
	Range   Range  // of Query
	Ops     []Op   // of Write and, as puts and deletes, of BatchWrite
	Context context.Context
}

// Fault is the fault for a call. The zero Fault is none.
type Fault struct {
	Delay time.Duration // wait before the call
	// Before runs before the call. It can write like a rival process, which is the effect of a
	// retried conflict.
	Before func()
	Kind   FaultKind
}

// FaultKind is the way in which a call fails.
type FaultKind int

// The kinds of fault.
const (
	NoFault FaultKind = iota
	// A Write conflicts with others and is retried until it succeeds, which takes a while.
	Conflict
	Throttled   // ErrUnavailable, and nothing is applied
	AnswerLost  // the call is made, but returns ErrUnavailable
	CrashBefore // this call is not made; it and all later ones return ErrCrashed
	CrashAfter  // this call is made; it and all later ones return ErrCrashed
)

const conflictPause = time.Millisecond

// Faulty injects faults into calls to a table.
type Faulty struct {
	inner  Table
	policy func(Call) Fault

	mu      sync.Mutex
	n       int
	crashed bool
}

var _ Table = (*Faulty)(nil)

// NewFaulty wraps a table. It calls policy before every call, one at a time. To restart after a
// crash, wrap the inner table again.
func NewFaulty(inner Table, policy func(Call) Fault) *Faulty {
	return &Faulty{inner: inner, policy: policy}
}

// Calls returns the number of calls so far, without those after a crash.
func (f *Faulty) Calls() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.n
}

// nextFault returns the policy's fault for a call.
func (f *Faulty) nextFault(call Call) (Fault, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.crashed {
		return Fault{}, ErrCrashed
	}
	f.n++
	call.N = f.n
	fault := f.policy(call)
	f.crashed = fault.Kind == CrashBefore || fault.Kind == CrashAfter
	return fault, nil
}

// do makes a call with its fault.
func (f *Faulty) do(ctx context.Context, call Call, run func() error) error {
	call.Context = ctx
	fault, err := f.nextFault(call)
	if err != nil {
		return err
	}
	if fault.Kind == Conflict && call.Method == "Write" {
		fault.Delay += conflictPause
	}
	if fault.Delay > 0 {
		if err := Pause(ctx, fault.Delay); err != nil {
			return err
		}
	}
	if fault.Before != nil {
		fault.Before()
	}
	switch fault.Kind {
	case Throttled:
		return fmt.Errorf("%w: throttled by a test", ErrUnavailable)
	case CrashBefore:
		return ErrCrashed
	}
	err = run()
	switch fault.Kind {
	case AnswerLost:
		return fmt.Errorf("%w: answer lost by a test", ErrUnavailable)
	case CrashAfter:
		return ErrCrashed
	}
	return err
}

// Get implements Table.
func (f *Faulty) Get(ctx context.Context, c Consistency, keys ...Key) (items []*Item, err error) {
	err = f.do(ctx, Call{Method: "Get", Keys: keys}, func() (err error) {
		items, err = f.inner.Get(ctx, c, keys...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return items, nil
}

// Query implements Table.
func (f *Faulty) Query(ctx context.Context, r Range) (items []Item, err error) {
	err = f.do(ctx, Call{Method: "Query", Range: r}, func() (err error) {
		items, err = f.inner.Query(ctx, r)
		return err
	})
	if err != nil {
		return nil, err
	}
	return items, nil
}

// Write implements Table.
func (f *Faulty) Write(ctx context.Context, ops []Op) error {
	return f.do(ctx, Call{Method: "Write", Ops: ops}, func() error { return f.inner.Write(ctx, ops) })
}

// Add implements Table.
func (f *Faulty) Add(ctx context.Context, key Key, delta, limit, expires int64) (count int64, err error) {
	err = f.do(ctx, Call{Method: "Add", Keys: []Key{key}}, func() (err error) {
		count, err = f.inner.Add(ctx, key, delta, limit, expires)
		return err
	})
	if err != nil {
		return 0, err
	}
	return count, nil
}

// BatchWrite implements Table.
func (f *Faulty) BatchWrite(ctx context.Context, puts []Item, deletes []Key) error {
	return f.do(ctx, Call{Method: "BatchWrite", Ops: BatchOps(puts, deletes)}, func() error {
		return f.inner.BatchWrite(ctx, puts, deletes)
	})
}

// Close implements Table.
func (f *Faulty) Close() error { return f.inner.Close() }
