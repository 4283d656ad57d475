package jobs

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/queue"
	"headless/pkg/slice"
)

// TimerHandler does the work of a timer; ref is the timer's reference. It may be called more than
// once, and by two workers at the same time. If nextRun is not zero, it is called again at that
// time. After an error it is called again, soon at first.
type TimerHandler func(ctx context.Context, ref string) (nextRun cms.Time, err error)

// TogetherHandler does the work of many timers of a kind, which are due together: what they ask for
// twice is done once. It gets each reference once, without what follows a #. After an error it is called
// for each reference, and again soon for those that fail.
type TogetherHandler func(ctx context.Context, refs []string) error

// Timers calls handlers when their timers are due: for schedules, releases, jobs, bundles of events
// and others. Before a timer is handled, it is claimed: moved a little into the future, so that
// another worker takes over after a crash.
type Timers struct {
	Store    *db.DB
	Queue    queue.Queue // wakes the workers on AWS; nil if this process is the only worker
	Handlers map[string]TimerHandler
	// Together has the handlers of other kinds, of which there are many timers and none is urgent. They
	// get no messages on AWS: each sweep handles those that are due.
	Together map[string]TogetherHandler
	Log      *slog.Logger
	// Metrics gets a line of metrics from a sweep that finds timers that fail; nil for none. Stack is
	// their dimension.
	Metrics *slog.Logger
	Stack   string

	mu      sync.Mutex
	running map[string][]db.Timer // by kind and reference, in this process: those claimed since it began
	group   sync.WaitGroup
}

const (
	timerLease   = 30 * time.Second      // how long a claim lasts
	timerRetry   = 5 * time.Second       // after the first error; each further one doubles it
	timerRest    = 5 * time.Minute       // the longest time between two attempts
	maxFailures  = 6                     // after which timerRetry, doubled each time, is more than timerRest
	timerIdle    = 30 * time.Second      // the longest time between two checks
	timerGather  = 25 * time.Millisecond // between a timer that is set and a check, so that many share it
	timerBatch   = 200                   // timers claimed at a time
	timerWorkers = 8                     // concurrent handlers of each kind
)

// claimedUntil returns the time that a claimed timer is moved to. Its microseconds count the failures of
// the timer, from one on: so it differs from every time that a client can set, since those have whole
// milliseconds.
func claimedUntil(at time.Time, failures int) cms.Time {
	return cms.Time{Time: cms.At(at).Add(time.Duration(1+failures) * time.Microsecond)}
}

// failuresOf returns how often the handler of a timer has failed since it was set.
func failuresOf(timer db.Timer) int {
	return max(0, timer.At.Nanosecond()%int(time.Millisecond)/int(time.Microsecond)-1)
}

// claim moves due timers into the future, and returns them with their new times. Two timers of the same kind and
// reference become one.
func (t *Timers) claim(ctx context.Context, due []db.Timer) ([]db.Timer, error) {
	moved := make([]db.Timer, len(due))
	until := t.Store.Now().Add(timerLease)
	for i, d := range due {
		moved[i] = claimed(d, until)
	}
	moved = slice.Distinct(moved)
	return moved, t.Store.MoveTimers(ctx, due, moved)
}

// claimed returns a timer as it is while somebody handles it.
func claimed(d db.Timer, until time.Time) db.Timer {
	return db.Timer{At: claimedUntil(until, failuresOf(d)), Kind: d.Kind, Ref: d.Ref}
}

// handle calls the handler of a claimed timer, and then deletes the timer or sets its next time.
func (t *Timers) handle(ctx context.Context, moved db.Timer) error {
	nextRun, err := t.call(ctx, moved)
	if err != nil {
		nextRun = t.logFailure(ctx, moved, err)
	}
	var next []db.Timer
	if !nextRun.IsZero() {
		next = []db.Timer{{At: nextRun, Kind: moved.Kind, Ref: moved.Ref}}
		if next[0] == moved {
			return err
		}
	}
	return cmp.Or(err, t.Store.MoveTimers(context.WithoutCancel(ctx), []db.Timer{moved}, next))
}

// logFailure logs the error of a timer's handler, and returns when it is called again: later after each
// failure, so that one that always fails costs little.
func (t *Timers) logFailure(ctx context.Context, timer db.Timer, err error) (again cms.Time) {
	if ctx.Err() == nil {
		t.Log.Error("timer", "kind", timer.Kind, "ref", timer.Ref, "error", err.Error())
	}
	failures := failuresOf(timer)
	wait := min(timerRetry<<failures, timerRest)
	return claimedUntil(t.Store.Now().Add(wait), min(failures+1, maxFailures))
}

// call runs the handler of a timer. It returns a panic as an error.
func (t *Timers) call(ctx context.Context, timer db.Timer) (nextRun cms.Time, err error) {
	handler := t.Handlers[timer.Kind]
	if handler == nil {
		return claimedUntil(t.Store.Now().Add(time.Minute), 0), nil // a kind of a newer version of the service
	}
	err = safely(func() (err error) {
		nextRun, err = handler(ctx, timer.Ref)
		return err
	})
	return nextRun, err
}

// safely returns the error of do. A panic becomes an error, so that it fails nothing else.
func safely(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return do()
}

// Due handles the timers that are due now, waits for their handlers and returns their number.
func (t *Timers) Due(ctx context.Context) (int, error) {
	due, err := t.Store.Timers(ctx, t.Store.Now().Add(time.Millisecond), timerBatch)
	if err != nil || len(due) == 0 {
		return 0, err
	}
	return len(due), t.runDue(ctx, due)
}

// runDue claims timers and waits for their handlers.
func (t *Timers) runDue(ctx context.Context, due []db.Timer) error {
	moved, err := t.claim(ctx, due)
	if err != nil {
		return err
	}
	single, together := t.split(moved)
	errs := make([]error, len(single))
	eachLimited(len(single), timerWorkers, func(i int) { errs[i] = t.handle(ctx, single[i]) })
	for _, timers := range together {
		errs = append(errs, t.handleTogether(ctx, timers))
	}
	return cmp.Or(errs...)
}

// split separates the timers that are handled together, by kind.
func (t *Timers) split(timers []db.Timer) (single []db.Timer, together map[string][]db.Timer) {
	together = map[string][]db.Timer{}
	for _, timer := range timers {
		if t.Together[timer.Kind] == nil {
			single = append(single, timer)
		} else {
			together[timer.Kind] = append(together[timer.Kind], timer)
		}
	}
	return single, together
}

// handleTogether calls the handler of timers of one kind, and then deletes those that did not fail.
func (t *Timers) handleTogether(ctx context.Context, timers []db.Timer) error {
	var refs []string
	same := map[string][]db.Timer{}
	for _, timer := range timers {
		ref, _, _ := strings.Cut(timer.Ref, "#")
		if same[ref] == nil {
			refs = append(refs, ref)
		}
		same[ref] = append(same[ref], timer)
	}
	call := func(refs ...string) error {
		return safely(func() error { return t.Together[timers[0].Kind](ctx, refs) })
	}
	if call(refs...) == nil {
		return t.Store.MoveTimers(context.WithoutCancel(ctx), timers, nil)
	}
	errs := make([]error, len(refs)) // of each on its own, so that one that fails does not hold up the others
	eachLimited(len(refs), timerWorkers, func(i int) {
		timers, err := same[refs[i]], call(refs[i])
		var next []db.Timer
		if err != nil {
			next = []db.Timer{{At: t.logFailure(ctx, timers[0], err), Kind: timers[0].Kind, Ref: timers[0].Ref}}
		}
		errs[i] = cmp.Or(err, t.Store.MoveTimers(context.WithoutCancel(ctx), timers, next))
	})
	return cmp.Or(errs...)
}

// Loop handles timers when they are due until ctx ends, and then waits for the handlers. A value on
// wake says that timers were set.
func (t *Timers) Loop(ctx context.Context, wake <-chan struct{}) {
	slots := map[string]chan struct{}{}
	for kind := range t.Handlers {
		slots[kind] = make(chan struct{}, timerWorkers)
	}
	for kind := range t.Together {
		slots[kind] = make(chan struct{}, 1)
	}
	defer t.group.Wait()
	for {
		wait, err := t.round(ctx, slots)
		if err != nil && ctx.Err() == nil {
			t.Log.Error("timers", "error", err.Error())
			wait = time.Second
		}
		pause := time.NewTimer(max(wait, timerGather))
		select {
		case <-ctx.Done():
			pause.Stop()
			return
		case <-wake:
			pause.Reset(timerGather)
			<-pause.C
		case <-pause.C:
		}
	}
}

// round starts the handlers of due timers and returns how long to wait until the next timer is due.
func (t *Timers) round(ctx context.Context, slots map[string]chan struct{}) (time.Duration, error) {
	due, err := t.Store.Timers(ctx, t.Store.Now().Add(time.Millisecond), timerBatch)
	if err != nil {
		return 0, err
	}
	if len(due) > 0 {
		moved, err := t.claim(ctx, due)
		if err != nil {
			return 0, err
		}
		single, together := t.split(moved)
		for _, m := range single {
			t.startHandling(ctx, slots[m.Kind], []db.Timer{m}, func(free []db.Timer) { _ = t.handle(ctx, free[0]) })
		}
		for kind, timers := range together {
			t.startHandling(ctx, slots[kind], timers, func(free []db.Timer) { _ = t.handleTogether(ctx, free) })
		}
	}
	next, ok, err := t.Store.NextTimer(ctx)
	if err != nil || !ok {
		return timerIdle, err
	}
	return min(max(next.At.Sub(t.Store.Now().Time), 0), timerIdle), nil
}

// startHandling handles timers in the background. A timer whose kind and reference are being handled waits until
// that has ended, since it may have been set after the handler had read. Errors were logged, and the timers stay.
func (t *Timers) startHandling(ctx context.Context, slots chan struct{}, timers []db.Timer,
	handle func(free []db.Timer)) {
	if slots == nil {
		return
	}
	name := func(timer db.Timer) string { return timer.Kind + "/" + timer.Ref }
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.running == nil {
		t.running = map[string][]db.Timer{}
	}
	var free []db.Timer
	for _, timer := range timers {
		if _, runs := t.running[name(timer)]; runs {
			t.running[name(timer)] = []db.Timer{timer} // the last one is enough
			continue
		}
		t.running[name(timer)] = nil
		free = append(free, timer)
	}
	if len(free) == 0 {
		return
	}
	t.group.Go(func() {
		select {
		case slots <- struct{}{}:
			handle(free)
			<-slots
		case <-ctx.Done():
		}
		var waiting []db.Timer
		t.mu.Lock()
		for _, timer := range free {
			waiting = append(waiting, t.running[name(timer)]...)
			delete(t.running, name(timer))
		}
		t.mu.Unlock()
		if ctx.Err() == nil {
			t.startHandling(ctx, slots, waiting, handle)
		}
	})
}
