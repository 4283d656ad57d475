package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"headless/pkg/db"
	"headless/pkg/queue"
)

// Wake is the content of a message of the webhook queue. The state of the delivery is in the table,
// so a message may be lost, late or repeated.
type Wake struct {
	Webhook string `json:"webhook"`
	// "" if the webhook was resumed: then all its waiting deliveries are woken.
	Delivery string `json:"delivery,omitempty"`
	Attempt  int    `json:"attempt,omitempty"` // the attempt that is due
	// Wakes of the delivery when the message was sent: only the latest message counts.
	Wakes     int   `json:"wakes,omitempty"`
	Postponed int   `json:"postponed,omitempty"` // how often this message was postponed
	Turn      int64 `json:"turn,omitempty"`      // its reserved turn in Unix microseconds, 0 if none
}

// ParseWake decodes the body of a queue message.
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

// sendWakes sends wake-ups to the queue. An error is only logged, because the sweeper finds
// deliveries whose message is missing.
func (d *Deliveries) sendWakes(ctx context.Context, wakes ...delayedWake) {
	if len(wakes) == 0 {
		return
	}
	msgs := make([]queue.Message, len(wakes))
	for i, w := range wakes {
		msgs[i] = queue.Message{Body: db.MustMarshal(w.Wake), Group: w.Webhook, Delay: max(w.delay, 0)}
	}
	if err := d.Queue.Send(ctx, msgs...); err != nil {
		d.Log.Warn("webhook queue", "error", err.Error(), "messages", len(msgs))
	}
}
