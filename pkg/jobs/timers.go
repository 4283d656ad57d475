package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/queue"
)

// TimerHandler does the work that is due for what a timer refers to. It may be called more than
// once, and by two workers at a time. If it returns a time, it is called again then; after an error
// it is called again soon.
type TimerHandler func(ctx context.Context, ref string) (again cms.Time, err error)

// Timers calls handlers when their timers are due: schedules, releases, jobs and bundles of events.
// A timer that is being handled is first moved a little into the future, so that another worker
// goes on after a crash.
type Timers struct {
	Store    *db.DB
	Queue    queue.Queue // wakes the workers on AWS; nil where this process is the only one
	Handlers map[string]TimerHandler
	Log      *slog.Logger

	mu      sync.Mutex
	running map[string]bool // by kind and reference, in this process
	group   sync.WaitGroup
}

const (
	timerLease   = 30 * time.Second // after which another worker takes over
	timerRetry   = 5 * time.Second  // after an error
	timerIdle    = 30 * time.Second // between looks where nothing is due
	timerAhead   = 2 * time.Minute  // how far ahead a sweep sends messages; above its interval
	timerBatch   = 200              // timers taken at a time
	timerWorkers = 8                // of each kind
)

// taken returns the time that a claimed timer is moved to. Times that clients set have whole
// milliseconds, so it equals none of those.
func taken(at time.Time) cms.Time {
	return cms.Time{Time: cms.At(at).Add(time.Microsecond)}
}

// take moves timers that are about to be handled.
func (t *Timers) take(ctx context.Context, due []db.Timer) ([]db.Timer, error) {
	moved := make([]db.Timer, len(due))
	until := taken(t.Store.Now().Add(timerLease))
	for i, d := range due {
		moved[i] = db.Timer{At: until, Kind: d.Kind, Ref: d.Ref}
	}
	return moved, t.Store.MoveTimers(ctx, due, distinctTimers(moved))
}

// distinctTimers removes duplicates: two timers of one thing become equal when they are claimed.
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

// handle calls the handler of a timer that was taken, and clears it or sets when it is due again.
func (t *Timers) handle(ctx context.Context, moved db.Timer) error {
	again, err := t.call(ctx, moved)
	after := context.WithoutCancel(ctx)
	if err != nil {
		if ctx.Err() == nil {
			t.Log.Error("timer", "kind", moved.Kind, "ref", moved.Ref, "error", err.Error())
		}
		again = taken(t.Store.Now().Add(timerRetry))
	}
	var next []db.Timer
	if !again.IsZero() {
		next = []db.Timer{{At: again, Kind: moved.Kind, Ref: moved.Ref}}
		if next[0] == moved {
			return err
		}
	}
	if moveErr := t.Store.MoveTimers(after, []db.Timer{moved}, next); err == nil {
		err = moveErr
	}
	return err
}

// call runs the handler; a panic is an error.
func (t *Timers) call(ctx context.Context, timer db.Timer) (again cms.Time, err error) {
	handler := t.Handlers[timer.Kind]
	if handler == nil {
		return taken(t.Store.Now().Add(time.Minute)), nil // of a newer version of the service
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return handler(ctx, timer.Ref)
}

// Due handles all timers that are due now and returns how many. It returns when they are done.
func (t *Timers) Due(ctx context.Context) (int, error) {
	due, err := t.Store.Timers(ctx, t.Store.Now().Add(time.Millisecond), timerBatch)
	if err != nil || len(due) == 0 {
		return 0, err
	}
	moved, err := t.take(ctx, due)
	if err != nil {
		return 0, err
	}
	moved = distinctTimers(moved)
	errs := make([]error, len(moved))
	each(len(moved), timerWorkers, func(i int) { errs[i] = t.handle(ctx, moved[i]) })
	for _, e := range errs {
		if e != nil {
			err = e
		}
	}
	return len(due), err
}

// Loop handles timers when they are due until ctx ends, and then waits for the handlers. wake says
// that timers were set.
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

// round starts the handlers of what is due and returns how long nothing else is.
func (t *Timers) round(ctx context.Context, slots map[string]chan struct{}) (time.Duration, error) {
	due, err := t.Store.Timers(ctx, t.Store.Now().Add(time.Millisecond), timerBatch)
	if err != nil {
		return 0, err
	}
	if len(due) > 0 {
		moved, err := t.take(ctx, due)
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

// start handles a timer beside others, unless the same is being handled already.
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
			_ = t.handle(ctx, moved) // logged, and the timer stays
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

// message wakes a worker when a timer is due, as far ahead as the queue can hold it.
func (t *Timers) message(timer db.Timer) queue.Message {
	body, err := json.Marshal(timerWake{timer.Kind, timer.Ref, timer.At.UnixMicro()})
	if err != nil {
		panic("jobs: a wake-up cannot be encoded: " + err.Error())
	}
	return queue.Message{Body: body, Delay: min(max(timer.At.Sub(t.Store.Now().Time), 0), queue.MaxDelay)}
}

// Announce sends messages for timers that were set just now; later ones are left to the sweep.
func (t *Timers) Announce(ctx context.Context, timers ...db.Timer) error {
	var msgs []queue.Message
	for _, timer := range timers {
		if timer.At.Sub(t.Store.Now().Time) <= queue.MaxDelay {
			msgs = append(msgs, t.message(timer))
		}
	}
	if len(msgs) == 0 {
		return nil
	}
	return t.Queue.Send(ctx, msgs...)
}

// Sweep enqueues what is due within two minutes, and handles what is due already if the queue
// fails. On AWS it runs once a minute.
func (t *Timers) Sweep(ctx context.Context) error {
	soon, err := t.Store.Timers(ctx, t.Store.Now().Add(timerAhead), 10*timerBatch)
	if err != nil || len(soon) == 0 {
		return err
	}
	if t.Queue != nil {
		if err = t.Announce(ctx, soon...); err == nil {
			return nil
		}
		t.Log.Warn("timers", "error", err.Error())
	}
	_, err = t.Due(ctx)
	return err
}

// IsTimerWake reports whether a message of the webhook queue wakes a worker for a timer.
func IsTimerWake(m queue.Message) bool {
	var w timerWake
	return json.Unmarshal(m.Body, &w) == nil && w.Kind != ""
}

// One handles the timer that a message is for, where it is still set; on an error the message must
// come again.
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
	moved, err := t.take(ctx, []db.Timer{timer})
	if err != nil {
		return err
	}
	_ = t.handle(ctx, moved[0]) // logged, and the timer stays: its own message comes later
	return nil
}
