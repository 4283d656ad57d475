package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/queue"
)

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
		if timer.At.Sub(t.Store.Now().Time) <= queue.MaxDelay && t.Together[timer.Kind] == nil {
			msgs = append(msgs, t.message(timer))
		}
	}
	if len(msgs) == 0 {
		return nil
	}
	return t.Queue.Send(ctx, msgs...)
}

const (
	// timerHorizon is how long before they are due a sweep sends messages for timers; more than its
	// interval.
	timerHorizon = 2 * time.Minute
	// sweepTime bounds how long a sweep handles timers, so that it ends before the next one begins.
	sweepTime = 30 * time.Second
)

// Sweep sends messages for timers that are due within two minutes, and handles those that get none.
// If the queue fails, it handles the due timers itself. On AWS it runs once a minute. A metric has the
// number of those that fail again and again: an error would keep the deployment of a repair from its end.
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
			measure(ctx, t.Metrics, "timers fail", t.Stack, t.Store.Clock(),
				metric{"FailingTimers", "Count", float64(countFailing(soon))})
			err = t.Announce(ctx, soon...)
		}
		if err != nil {
			t.Log.Warn("timers", "error", err.Error())
			_, err = t.Due(ctx)
			return err
		}
		now := t.Store.Now().Add(time.Millisecond)
		due := slices.DeleteFunc(soon, func(d db.Timer) bool { return d.At.After(now) })
		_, together := t.split(due)
		if len(together) == 0 || t.Store.Now().Sub(began.Time) > sweepTime {
			return nil
		}
		for _, timers := range together { // sweeps run one after the other, so these are not claimed
			if err := t.handleTogether(ctx, timers[:min(len(timers), timerBatch)]); err != nil {
				return err
			}
		}
	}
}

// countFailing returns how many timers have failed as often as is counted.
func countFailing(timers []db.Timer) (n int) {
	for _, timer := range timers {
		if failuresOf(timer) == maxFailures {
			n++
		}
	}
	return n
}

// isTimerWake reports whether a message of the webhook queue wakes a worker for a timer.
func isTimerWake(m queue.Message) bool {
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
	// A timer may have several messages, at two workers at the same time.
	moved := claimed(timer, t.Store.Now().Add(timerLease))
	if ours, err := t.Store.ClaimTimer(ctx, timer, moved); !ours || err != nil {
		return err
	}
	_ = t.handle(ctx, moved) // the error was logged; the timer stays and gets a message of its own
	return nil
}
