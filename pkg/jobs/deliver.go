package jobs

import (
	"context"
	"errors"

	"headless/pkg/db"
	"headless/pkg/hooks"
	"headless/pkg/queue"
)

// errPartial says that some items of a batch failed. Each of them was logged.
var errPartial = errors.New("jobs: some items failed and will be retried")

// Deliverer handles the messages of the webhook queue.
type Deliverer struct {
	Deliveries *hooks.Deliveries
	Timers     *Timers // their messages use the same queue; nil if there are none
}

// part holds messages that are handled together: wake-ups of one subscription, or one message of another kind.
type part struct {
	at    []int // positions of the messages
	wakes []hooks.Wake
	other func(context.Context) error // nil for wake-ups
}

// Handle handles all messages concurrently and returns the positions of those that must be
// delivered again, ascending.
func (d Deliverer) Handle(ctx context.Context, messages []queue.Message) (failed []int) {
	errs := make([]error, len(messages))
	parts := d.split(messages, errs)
	eachLimited(len(parts), max(len(parts), 1), func(i int) {
		err := safely(func() error { return d.handle(ctx, parts[i]) })
		for _, at := range parts[i].at {
			errs[at] = err
		}
	})
	return reportErrors(errs, d.Deliveries.Log, "webhook worker")
}

// split puts the wake-ups of a subscription together, up to the size of its batches. It sets the
// errors of messages that cannot be read.
func (d Deliverer) split(messages []queue.Message, errs []error) (parts []*part) {
	latest := map[string]*part{} // by subscription
	for i, m := range messages {
		if d.Timers != nil && isTimerWake(m) {
			parts = append(parts, &part{at: []int{i},
				other: func(ctx context.Context) error { return d.Timers.One(ctx, m) }})
			continue
		}
		wake, err := hooks.ParseWake(m.Body)
		if errs[i] = err; err != nil {
			continue
		}
		if wake.Delivery == "" {
			parts = append(parts, &part{at: []int{i},
				other: func(ctx context.Context) error { return d.Deliveries.Resume(ctx, wake.Webhook) }})
			continue
		}
		p := latest[wake.Webhook]
		if p == nil || len(p.at) >= d.Deliveries.Batch(wake.Webhook) {
			p = &part{}
			latest[wake.Webhook], parts = p, append(parts, p)
		}
		p.at, p.wakes = append(p.at, i), append(p.wakes, wake)
	}
	return parts
}

// handle handles one part. After an error its messages must be delivered again.
func (d Deliverer) handle(ctx context.Context, p *part) error {
	if p.other != nil {
		return p.other(ctx)
	}
	if err := d.Deliveries.Attempt(ctx, p.wakes...); !errors.Is(err, db.ErrOvertaken) {
		return err
	}
	return nil
}
