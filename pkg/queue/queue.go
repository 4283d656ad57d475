// Package queue is the port for the queues that wake background work.
//
// A queue delivers at least once and in no particular order. A message may be lost in a purge or an
// outage. So the table holds all state, and a message only says which rows to check. Receiving is
// up to the adapter: SQS invokes a function, while queue/memory runs a handler in this process.
// Package queuetest is the conformance suite.
package queue

import (
	"context"
	"fmt"
	"time"
)

// Limits of every adapter; they are the limits of SQS.
const (
	MaxDelay = 15 * time.Minute // a longer Delay is cut to this
	MaxBody  = 64 * 1024        // bytes of one body
	MaxGroup = 128              // bytes of a group
)

const (
	// Grace is how late work is before a sweeper assumes that its message was lost.
	Grace = 2 * time.Minute
	// How long before work a sweeper sends its message if the queue could not hold it for the whole
	// wait. Less than MaxDelay, more than the interval of sweepers.
	lead = 10 * time.Minute
)

// SweepAt returns when a sweeper looks at work that is planned for next: some time after its message
// is late or, if the queue cannot hold a message until then, some time before next. held reports
// whether the queue can hold it.
func SweepAt(next, now time.Time) (at time.Time, held bool) {
	if next.Sub(now) <= MaxDelay {
		return next.Add(Grace), true
	}
	return next.Add(-lead), false
}

// Message is one item of work.
type Message struct {
	Body []byte // UTF-8 text, such as JSON; 1 to MaxBody bytes
	// Group names the receiver of the work, so that a busy group does not delay the others; "" is
	// no group. It has ASCII letters, digits and punctuation.
	Group string
	Delay time.Duration // not delivered before this has passed; SQS rounds it up to whole seconds
}

// Queue accepts messages.
type Queue interface {
	// Send sends messages. If only some were accepted, the error is a *SendError that names the
	// others. Sending no messages succeeds.
	Send(ctx context.Context, msgs ...Message) error
}

// SendError names the messages that were not accepted. All others were accepted.
type SendError struct {
	Failed []int // positions among the arguments of Send, ascending
	Err    error // why the first of them failed
}

func (e *SendError) Error() string {
	return fmt.Sprintf("queue: %d messages not accepted: %v", len(e.Failed), e.Err)
}

// Unwrap returns the cause.
func (e *SendError) Unwrap() error { return e.Err }

// Check returns an error if the message exceeds a limit of the port. Adapters call it before they
// send.
func (m Message) Check() error {
	switch {
	case len(m.Body) == 0 || len(m.Body) > MaxBody:
		return fmt.Errorf("queue: a body has 1 to %d bytes, not %d", MaxBody, len(m.Body))
	case len(m.Group) > MaxGroup:
		return fmt.Errorf("queue: a group has at most %d bytes, not %d", MaxGroup, len(m.Group))
	case m.Delay < 0:
		return fmt.Errorf("queue: negative delay %v", m.Delay)
	}
	for _, c := range []byte(m.Group) {
		if c <= ' ' || c > '~' {
			return fmt.Errorf("queue: a group holds ASCII letters, digits and punctuation only")
		}
	}
	return nil
}
