package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/queue"
)

// TimerHandler does the work of a timer; ref is the timer's reference. It may be called more than
// once, and by two workers at the same time. If nextRun is not zero, it is called again at that
// time. After an error it is called again soon.
type TimerHandler func(ctx context.Context, ref string) (nextRun cms.Time, err error)

// Timers calls handlers when their timers are due: for schedules, releases, jobs, bundles of events
// and others. Before a timer is handled, it is claimed: moved a little into the future, so that
// another worker takes over after a crash.
type Timers struct {
	Store    *db.DB
	Queue    queue.Queue // wakes the workers on AWS; nil if this process is the only worker
	Handlers map[string]TimerHandler
	// Swept are the kinds whose timers get no messages on AWS. There are many of them, and none is
	// urgent: each sweep handles those that are due.
	Swept []string
	Log   *slog.Logger

	mu      sync.Mutex
	running map[string]bool // by kind and reference, in this process
	group   sync.WaitGroup
}

const (
	timerLease   = 30 * time.Second // how long a claim lasts
	timerRetry   = 5 * time.Second  // after an error
	timerIdle    = 30 * time.Second // the longest time between two checks
	timerHorizon = 2 * time.Minute  // a sweep sends messages for timers due within this; more than its interval
	timerBatch   = 200              // timers claimed at a time
	timerWorkers = 8                // concurrent handlers of each kind
)

// claimedUntil returns the time that a claimed timer is moved to. It differs from every time that a
// client can set, since those have whole milliseconds.
func claimedUntil(at time.Time) cms.Time {
	return cms.Time{Time: cms.At(at).Add(time.Microsecond)}
}

// claim moves due timers into the future, and returns them with their new times.
func (t *Timers) claim(ctx context.Context, due []db.Timer) ([]db.Timer, error) {
	moved := make([]db.Timer, len(due))
	until := claimedUntil(t.Store.Now().Add(timerLease))
	for i, d := range due {
		moved[i] = db.Timer{At: until, Kind: d.Kind, Ref: d.Ref}
	}
	return moved, t.Store.MoveTimers(ctx, due, distinctTimers(moved))
}

// distinctTimers removes duplicates: two timers of the same kind and reference become equal when
// they are claimed.
func distinctTimers(list []db.Timer) []db.Timer {
	seen := map[db.Timer]bool{}
	var out []db.Timer
	for _, t := range list {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}

// handle calls the handler of a claimed timer, and then deletes the timer or sets its next time.
func (t *Timers) handle(ctx context.Context, moved db.Timer) error {
	nextRun, err := t.call(ctx, moved)
	if err != nil {
		if ctx.Err() == nil {
			t.Log.Error("timer", "kind", moved.Kind, "ref", moved.Ref, "error", err.Error())
		}
		nextRun = claimedUntil(t.Store.Now().Add(timerRetry))
	}
	var next []db.Timer
	if !nextRun.IsZero() {
		next = []db.Timer{{At: nextRun, Kind: moved.Kind, Ref: moved.Ref}}
		if next[0] == moved {
			return err
		}
	}
	moveErr := t.Store.MoveTimers(context.WithoutCancel(ctx), []db.Timer{moved}, next)
	if err == nil {
		err = moveErr
	}
	return err
}

// call runs the handler of a timer. It returns a panic as an error.
func (t *Timers) call(ctx context.Context, timer db.Timer) (nextRun cms.Time, err error) {
	handler := t.Handlers[timer.Kind]
	if handler == nil {
		return claimedUntil(t.Store.Now().Add(time.Minute)), nil // a kind of a newer version of the service
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return handler(ctx, timer.Ref)
}

// Due handles the timers that are due now, waits for their handlers and returns their number.
func (t *Timers) Due(ctx context.Context) (int, error) {
	due, err := t.Store.Timers(ctx, t.Store.Now().Add(time.Millisecond), timerBatch)
	if err != nil || len(due) == 0 {
		return 0, err
	}
	return len(due), t.run(ctx, due)
}

// run claims timers and waits for their handlers.
func (t *Timers) run(ctx context.Context, due []db.Timer) error {
	moved, err := t.claim(ctx, due)
	if err != nil {
		return err
	}
	moved = distinctTimers(moved)
	errs := make([]error, len(moved))
	each(len(moved), timerWorkers, func(i int) { errs[i] = t.handle(ctx, moved[i]) })
	return cmp.Or(errs...)
}

// Loop handles timers when they are due until ctx ends, and then waits for the handlers. A value on
// wake says that timers were set.
func (t *Timers) Loop(ctx context.Context, wake <-chan struct{}) {
	slots := map[string]chan struct{}{}
	for kind := range t.Handlers {
		slots[kind] = make(chan struct{}, timerWorkers)
	}
	defer t.group.Wait()
	for {
		wait, err := t.round(ctx, slots)
		if err != nil && ctx.Err() == nil {
			t.Log.Error("timers", "error", err.Error())
			wait = time.Second
		}
		pause := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			pause.Stop()
			return
		case <-wake:
			pause.Stop()
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
		for _, m := range distinctTimers(moved) {
			t.start(ctx, m, slots[m.Kind])
		}
	}
	next, ok, err := t.Store.NextTimer(ctx)
	if err != nil || !ok {
		return timerIdle, err
	}
	return min(max(next.At.Sub(t.Store.Now().Time), 0), timerIdle), nil
}

// start handles a timer in the background, unless a timer of the same kind and reference is being
// handled.
func (t *Timers) start(ctx context.Context, moved db.Timer, slots chan struct{}) {
	name := moved.Kind + "/" + moved.Ref
	t.mu.Lock()
	defer t.mu.Unlock()
	if slots == nil || t.running[name] {
		return
	}
	if t.running == nil {
		t.running = map[string]bool{}
	}
	t.running[name] = true
	t.group.Go(func() {
		defer func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			delete(t.running, name)
		}()
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
			_ = t.handle(ctx, moved) // the error was logged, and the timer stays
		case <-ctx.Done():
		}
	})
}

// timerWake is the content of a message that wakes a worker for a timer.
type timerWake struct {
	Kind string `json:"timer"`
	Ref  string `json:"ref"`
	At   int64  `json:"at"` // Unix microseconds
}

// message returns the message that wakes a worker when a timer is due, or earlier if the queue
// cannot hold a message for so long.
func (t *Timers) message(timer db.Timer) queue.Message {
	return queue.Message{Body: db.MustMarshal(timerWake{timer.Kind, timer.Ref, timer.At.UnixMicro()}),
		Delay: min(max(timer.At.Sub(t.Store.Now().Time), 0), queue.MaxDelay)}
}

// Announce sends messages for timers that were just set. The sweep sends the messages of timers
// that are due later than queue.MaxDelay.
func (t *Timers) Announce(ctx context.Context, timers ...db.Timer) error {
	var msgs []queue.Message
	for _, timer := range timers {
		if timer.At.Sub(t.Store.Now().Time) <= queue.MaxDelay && !slices.Contains(t.Swept, timer.Kind) {
			msgs = append(msgs, t.message(timer))
		}
	}
	if len(msgs) == 0 {
		return nil
	}
	return t.Queue.Send(ctx, msgs...)
}

// sweepTime bounds how long a sweep handles timers, so that it ends before the next one begins.
const sweepTime = 30 * time.Second

// Sweep sends messages for timers that are due within two minutes, and handles those that get none.
// If the queue fails, it handles the due timers itself. On AWS it runs once a minute.
func (t *Timers) Sweep(ctx context.Context) error {
	for began, first := t.Store.Now(), true; ; first = false {
		soon, err := t.Store.Timers(ctx, t.Store.Now().Add(timerHorizon), 10*timerBatch)
		if err != nil || len(soon) == 0 {
			return err
		}
		if t.Queue == nil {
			_, err = t.Due(ctx)
			return err
		}
		if first {
			err = t.Announce(ctx, soon...)
		}
		if err != nil {
			t.Log.Warn("timers", "error", err.Error())
			_, err = t.Due(ctx)
			return err
		}
		now := t.Store.Now().Add(time.Millisecond)
		swept := slices.DeleteFunc(soon, func(d db.Timer) bool {
			return !slices.Contains(t.Swept, d.Kind) || d.At.After(now)
		})
		if len(swept) == 0 || t.Store.Now().Sub(began.Time) > sweepTime {
			return nil
		}
		if err := t.runSwept(ctx, swept[:min(len(swept), timerBatch)]); err != nil {
			return err
		}
	}
}

// runSwept handles timers that only sweeps handle, one after the other, so it does not claim them.
// Timers whose references differ only behind # are handled once.
func (t *Timers) runSwept(ctx context.Context, due []db.Timer) error {
	var names []string
	same := map[string][]db.Timer{}
	for _, d := range due {
		ref, _, _ := strings.Cut(d.Ref, "#")
		name := d.Kind + " " + ref
		if same[name] == nil {
			names = append(names, name)
		}
		same[name] = append(same[name], d)
	}
	errs := make([]error, len(names))
	each(len(names), timerWorkers, func(i int) {
		timers := same[names[i]]
		nextRun, err := t.call(ctx, timers[0])
		if err != nil {
			t.Log.Error("timer", "kind", timers[0].Kind, "ref", timers[0].Ref, "error", err.Error())
			nextRun, errs[i] = claimedUntil(t.Store.Now().Add(timerRetry)), err
		}
		var next []db.Timer
		if !nextRun.IsZero() {
			next = []db.Timer{{At: nextRun, Kind: timers[0].Kind, Ref: timers[0].Ref}}
		}
		errs[i] = cmp.Or(errs[i], t.Store.MoveTimers(context.WithoutCancel(ctx), timers, next))
	})
	return cmp.Or(errs...)
}

// IsTimerWake reports whether a message of the webhook queue wakes a worker for a timer.
func IsTimerWake(m queue.Message) bool {
	var w timerWake
	return json.Unmarshal(m.Body, &w) == nil && w.Kind != ""
}

// One handles the timer of a message if the timer is still set. After an error the message must be
// delivered again.
func (t *Timers) One(ctx context.Context, m queue.Message) error {
	var w timerWake
	if err := json.Unmarshal(m.Body, &w); err != nil {
		return fmt.Errorf("webhook queue: not a timer: %w", err)
	}
	timer := db.Timer{At: cms.Time{Time: time.UnixMicro(w.At).UTC()}, Kind: w.Kind, Ref: w.Ref}
	if set, err := t.Store.HasTimer(ctx, timer); !set || err != nil {
		return err
	}
	if t.Store.Now().Before(timer.At.Time.Truncate(time.Millisecond)) {
		return t.Announce(ctx, timer)
	}
	moved, err := t.claim(ctx, []db.Timer{timer})
	if err != nil {
		return err
	}
	_ = t.handle(ctx, moved[0]) // the error was logged; the timer stays and gets a message of its own
	return nil
}
