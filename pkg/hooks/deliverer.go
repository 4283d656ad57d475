package hooks

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks/pace"
	"headless/pkg/hooks/webhook"
	"headless/pkg/queue"
	"headless/pkg/table"
)

// Deliveries brings events to webhooks: it makes deliveries of events and attempts of deliveries,
// and keeps the log. The table holds the state of pending deliveries; messages of the queue only
// wake workers (see Wake).
type Deliveries struct {
	Store    *Store
	Client   *webhook.Client
	Schedule webhook.Schedule
	Queue    queue.Queue
	Rand     func() float64 // random numbers in [0, 1), for jitter
	Log      *slog.Logger
	SiteURL  string    // URL of the service, for links in mails
	Mailer   db.Mailer // notifies users of subscriptions that the service pauses; nil sends no mail

	turnMutex sync.Mutex
	batches   pace.Batches
}

const (
	leaseTime = 30 * time.Second   // longer than an attempt, which takes 15 s at most
	maxGrace  = time.Hour          // the longest time between two messages of the sweeper for one attempt
	parkedFor = 7 * 24 * time.Hour // how long a pending delivery waits for a paused webhook
	// With so many consecutive failures, a receiver gets one request at a time.
	breakerFrom = 5
	slowAttempt = 5 * time.Second // a failure that took longer counts as breakerFrom
	// A webhook is paused after so long without success, so many failures, of so many events.
	pauseAfter    = 5 * 24 * time.Hour
	pauseFailures = 10
	pauseEvents   = 2
)

// Plan returns the deliveries to make of an event: one for each active webhook that wants it.
func (d *Deliveries) Plan(e cms.Event, hooks []Webhook) []NewDelivery {
	now := d.Store.Now()
	var all []NewDelivery
	var body []byte
	for _, h := range hooks {
		if !h.Wants(e) || h.Bundles(e) {
			continue
		}
		if body == nil {
			body = webhook.Body(e)
		}
		made := Begin(e, h.ID, now)
		if h.Listen {
			endDelivery(&made, cms.DeliveryDelivered) // it is polled
		}
		all = append(all, NewDelivery{Delivery: made, Body: webhook.Fill(h.Body, body, e.Kind, made.ID, e.OccurredAt)})
	}
	return all
}

// Dispatch creates the planned deliveries of the events in a row of the outbox and wakes the workers.
func (d *Deliveries) Dispatch(ctx context.Context, row table.Key, planned []NewDelivery) error {
	made, err := d.Store.Dispatch(ctx, row, planned)
	d.Wake(ctx, slices.DeleteFunc(made, func(d Delivery) bool { return d.Finished() })...)
	return err
}

// Begin makes the delivery of an event to a subscription, due now. CreateDelivery stores it.
func Begin(e cms.Event, webhookID string, now cms.Time) Delivery {
	return Delivery{
		ID: deliveryID(e.ID, webhookID), WebhookID: webhookID, EventID: e.ID, Event: e.Kind,
		Status: cms.DeliveryPending, CreatedAt: now, RequestID: e.RequestID, Next: now,
		Due: cms.At(now.Add(queue.Grace)),
	}
}

// deliveryID derives the id of a delivery from its event and subscription, so a repeated dispatch
// makes no second delivery.
func deliveryID(eventID, webhookID string) string {
	space, err := uuid.Parse(eventID)
	if err != nil {
		space = uuid.NewSHA1(uuid.NameSpaceURL, []byte(eventID))
	}
	return uuid.NewSHA1(space, []byte(webhookID)).String()
}

// wakeFor returns the message for the next attempt of a delivery.
func wakeFor(d Delivery, now cms.Time) delayedWake {
	return delayedWake{
		Wake:  Wake{Webhook: d.WebhookID, Delivery: d.ID, Attempt: d.Attempts + 1, Wakes: d.Wakes},
		delay: d.Next.Sub(now.Time),
	}
}

// plan sets when the next attempt of a pending delivery is due. It reports whether the queue can
// hold a message until then; if not, the sweeper sends the message later.
func plan(d *Delivery, next, now cms.Time) (byQueue bool) {
	due, byQueue := queue.SweepAt(next.Time, now.Time)
	d.Next, d.Due = next, cms.At(due)
	return byQueue
}

// endDelivery sets the status of a delivery and clears the state of its next attempt.
func endDelivery(d *Delivery, status cms.DeliveryStatus) {
	d.Status, d.Next, d.Due, d.ParkedAt = status, cms.Time{}, cms.Time{}, cms.Time{}
	d.NoRetry, d.Manual, d.Repeat, d.Test, d.Wakes = false, false, false, false, 0
}
