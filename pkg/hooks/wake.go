package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"headless/pkg/queue"
)

// Wake is the content of a message of the webhook queue. It carries no truth: it may be lost, come
// twice, or come late.
type Wake struct {
	Webhook string `json:"webhook"`
	// "": the webhook was resumed, and all that waited for that is to be woken.
	Delivery string `json:"delivery,omitempty"`
	Attempt  int    `json:"attempt,omitempty"` // the attempt that is due
	// Of the delivery when the message was sent: only the latest message counts.
	Wakes     int   `json:"wakes,omitempty"`
	Postponed int   `json:"postponed,omitempty"` // how often this message was put back
	Turn      int64 `json:"turn,omitempty"`      // when the turn comes that it reserved, Unix microseconds
}

// ParseWake reads the body of a queue message.
func ParseWake(body []byte) (Wake, error) {
	var w Wake
	if err := json.Unmarshal(body, &w); err != nil {
		return w, fmt.Errorf("webhook queue: not a wake-up: %w", err)
	}
	if w.Webhook == "" {
		return w, errors.New("webhook queue: a wake-up without a webhook")
	}
	return w, nil
}

// delayedWake is a wake-up to be delivered after a delay.
type delayedWake struct {
	Wake
	delay time.Duration
}

// sendWakes hands wake-ups to the queue. A failure is logged and no more: the sweeper finds what
// nobody was woken for.
func (d *Deliveries) sendWakes(ctx context.Context, wakes ...delayedWake) {
	msgs := make([]queue.Message, len(wakes))
	for i, w := range wakes {
		body, err := json.Marshal(w.Wake)
		if err != nil {
			panic("service: a wake-up cannot be encoded: " + err.Error())
		}
		msgs[i] = queue.Message{Body: body, Group: w.Webhook, Delay: max(w.delay, 0)}
	}
	if err := d.Queue.Send(ctx, msgs...); err != nil {
		d.Log.Warn("webhook queue", "error", err.Error(), "messages", len(msgs))
	}
}
