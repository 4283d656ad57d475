// Package queue is the port to the queues that wake up background work.
//
// A queue delivers at least once and in no particular order; a message may also be lost (a purge,
// an outage), so the rows of the table stay the truth and a message only says where to look.
// Receiving belongs to the adapter: SQS invokes a function, while queue/memory runs a handler in
// this process. queue/queuetest holds the conformance suite.
package queue

import (
	"context"
	"fmt"
	"time"
)

// Limits that hold on every adapter; they are those of SQS.
const (
	MaxDelay = 15 * time.Minute // a longer Delay is cut to this
	MaxBody  = 64 * 1024        // bytes of one body
	MaxGroup = 128              // bytes of a group
)

// Message is one item of work.
type Message struct {
	Body []byte // UTF-8 text, such as JSON; 1 to MaxBody bytes
	// Whom the work is for: one busy group does not hold up the others; "" is none. ASCII letters,
	// digits, punctuation.
	Group string
	Delay time.Duration // not delivered before this has passed; SQS rounds it up to whole seconds
}

// Queue accepts messages.
type Queue interface {
	// Send hands the messages over. When only some were accepted the error is a *SendError that
	// names the others. Sending nothing succeeds.
	Send(ctx context.Context, msgs ...Message) error
}

// SendError reports messages that were not accepted. Those that it does not name were.
type SendError struct {
	Failed []int // positions among the arguments of Send, ascending
	Err    error // why the first of them failed
}

func (e *SendError) Error() string {
	return fmt.Sprintf("queue: %d messages not accepted: %v", len(e.Failed), e.Err)
}

// Unwrap gives the cause.
func (e *SendError) Unwrap() error { return e.Err }

// Check reports a message that no adapter would take. Adapters call it before they send.
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
