package hooks

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks/webhook"
	"headless/pkg/queue"
)

// Deliveries brings events to webhooks: it makes deliveries of events, attempts of deliveries, and
// keeps the log. What is pending stands in the table; see Wake for the queue.
type Deliveries struct {
	Store    *Store
	Client   *webhook.Client
	Schedule webhook.Schedule
	Queue    queue.Queue
	Rand     func() float64 // numbers from 0 up to 1, for jitter
	Log      *slog.Logger
	SiteURL  string // root address, for links in mails
	Mailer   Mailer // tells of subscriptions that the service pauses; nil tells nobody

	turning sync.Mutex
}

const (
	leaseTime = 30 * time.Second // longer than an attempt, which takes 15 s at most
	// How late a delivery is before the sweeper thinks that its message was lost.
	wakeGrace = 2 * time.Minute
	maxGrace  = time.Hour // between two messages of the sweeper for one attempt
	// How early the sweeper hands long waits to the queue; below queue.MaxDelay, above the
	// sweeper's interval.
	wakeLead  = 10 * time.Minute
	parkedFor = 7 * 24 * time.Hour // how long a pending delivery waits for a paused webhook
	// Failures in a row from which a receiver gets one request at a time.
	breakerFrom = 5
	slowAttempt = 5 * time.Second    // a failure that took longer counts as breakerFrom
	badFor      = 5 * 24 * time.Hour // without success until a webhook is paused…
	badFailures = 10                 // …given that many failures
	badEvents   = 2                  // …of that many events
)

// Plan lists the deliveries of an event: one to each active webhook that wants it.
func (d *Deliveries) Plan(e db.PendingEvent, hooks []Webhook) []NewDelivery {
	now := d.Store.Now()
	var all []NewDelivery
	var body []byte
	for _, h := range hooks {
		if !h.IsActive || bundles(h, e.Event) || !webhook.Matches(h.Events, h.Models, e.Event) {
			continue
		}
		if body == nil {
			body = webhook.Body(e.Event)
		}
		all = append(all, NewDelivery{Delivery: newDelivery(e.Event, h.ID, now), Body: body})
	}
	return all
}

// Dispatch turns an event into its planned deliveries and wakes the workers.
func (d *Deliveries) Dispatch(ctx context.Context, e db.PendingEvent, planned []NewDelivery) error {
	now := d.Store.Now()
	made, err := d.Store.Dispatch(ctx, e, planned)
	wakes := make([]delayedWake, len(made))
	for i, m := range made {
		wakes[i] = wakeFor(m, now)
	}
	if len(wakes) > 0 {
		d.sendWakes(ctx, wakes...)
	}
	return err
}

func newDelivery(e cms.Event, webhookID string, now cms.Time) Delivery {
	return Delivery{
		ID: deliveryID(e.ID, webhookID), WebhookID: webhookID, EventID: e.ID, Event: e.Kind,
		Status: cms.DeliveryPending, CreatedAt: now, RequestID: e.RequestID, Next: now,
		Due: cms.At(now.Add(wakeGrace)),
	}
}

// deliveryID is the same whenever and wherever it is computed, so a repeated dispatch makes no
// second delivery.
func deliveryID(eventID, webhookID string) string {
	space, err := uuid.Parse(eventID)
	if err != nil {
		space = uuid.NewSHA1(uuid.NameSpaceURL, []byte(eventID))
	}
	return uuid.NewSHA1(space, []byte(webhookID)).String()
}

// wakeFor is the message for the next attempt of a delivery.
func wakeFor(d Delivery, now cms.Time) delayedWake {
	return delayedWake{
		Wake:  Wake{Webhook: d.WebhookID, Delivery: d.ID, Attempt: d.Attempts + 1, Wakes: d.Wakes},
		delay: d.Next.Sub(now.Time),
	}
}

// plan sets when a pending delivery is due and reports whether the queue can hold the message until
// then.
func plan(d *Delivery, next, now cms.Time) (byQueue bool) {
	d.Next = next
	if next.Sub(now.Time) <= queue.MaxDelay {
		d.Due = cms.At(next.Add(wakeGrace))
		return true
	}
	d.Due = cms.At(next.Add(-wakeLead))
	return false
}

// end finishes a delivery.
func end(d *Delivery, status cms.DeliveryStatus) {
	d.Status, d.Next, d.Due, d.ParkedAt = status, cms.Time{}, cms.Time{}, cms.Time{}
	d.Once, d.Manual, d.Again, d.Test, d.Wakes = false, false, false, false, 0
}
