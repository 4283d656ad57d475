package hooks

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks/webhook"
)

// testData is the data of webhook.test.
type testData struct {
	Message string `json:"message"`
}

// testTimeout is shorter than the timeout of an attempt, since a user waits for the result.
const testTimeout = 10 * time.Second

// Test sends webhook.test at once, even if the subscription is paused, and returns the receiver's
// answer. The attempt is logged like any other but not retried.
func (w Webhooks) Test(ctx context.Context, actor cms.Actor, id string) (TestResult, error) {
	hook, err := w.getWebhook(ctx, id)
	if err != nil {
		return TestResult{}, err
	}
	// The request is logged even if the caller goes away.
	ctx = context.WithoutCancel(ctx)
	work, err := w.beginTest(ctx, actor, hook)
	if err != nil {
		return TestResult{}, err
	}
	start := w.Store.Now()
	postCtx, cancel := context.WithTimeout(ctx, testTimeout)
	defer cancel()
	test := attempt{work: work, url: hook.URL, start: start, result: w.post(postCtx, work, start), made: true}
	line := test.toLogged(1)
	return TestResult{
		ResponseCode: line.ResponseCode, ResponseBody: line.ResponseBody, LatencyMS: line.LatencyMS,
		Error: line.Error, DeliveryID: work.Delivery.ID,
	}, w.finishBatch(ctx, []attempt{test})
}

func (w Webhooks) beginTest(ctx context.Context, actor cms.Actor, hook Webhook) (*Work, error) {
	tx := w.Store.Begin()
	data, err := cms.Marshal(testData{"This is a test of " + Subject(hook.Webhook) + "."})
	if err != nil {
		return nil, err
	}
	e := cms.Event{ID: uuid.Must(uuid.NewV7()).String(), Kind: cms.EventWebhookTest,
		OccurredAt: tx.At(), Data: data, RequestID: actor.RequestID}
	d := Begin(e, hook.ID, tx.At())
	d.Test = true
	d.Lease = Lease{ID: newLeaseID(), Until: cms.At(tx.At().Add(leaseTime)), Slot: -1}
	secrets, err := w.Store.Secrets(&hook)
	if err != nil {
		return nil, err
	}
	work := &Work{Delivery: d, Webhook: &hook, Secrets: secrets,
		Body: webhook.Fill(hook.Body, webhook.Body(e), e.Kind, d.ID, e.OccurredAt)}
	CreateDelivery(tx, &work.Delivery, work.Body, db.ErrOvertaken)
	tx.Activity(actor, "webhook.tested", Subject(hook.Webhook), hook.ID)
	return work, w.Store.Commit(ctx, tx)
}

// Redeliver sends a delivery again at once, with its next attempt number, instead of a waiting
// retry. If the attempt fails, the remaining retries of the schedule follow; a finished delivery
// gets one attempt only. Errors: NOT_FOUND, and CONFLICT while the subscription is paused.
func (w Webhooks) Redeliver(ctx context.Context, actor cms.Actor, id, deliveryID string) (cms.Delivery, error) {
	hook, err := w.getWebhook(ctx, id)
	if err != nil {
		return cms.Delivery{}, err
	}
	if !hook.IsActive {
		return cms.Delivery{}, cms.Errorf(cms.CodeConflict, "The webhook is paused. Resume it first.")
	}
	if uuid.Validate(deliveryID) != nil {
		return cms.Delivery{}, errNoDelivery
	}
	var d Delivery
	var running bool
	err = w.Store.Retry(ctx, func() (err error) {
		d, err = w.Store.Delivery(ctx, deliveryID)
		if errors.Is(err, db.ErrNotFound) || err == nil && d.WebhookID != id {
			return errNoDelivery
		}
		if err != nil {
			return err
		}
		tx := w.Store.Begin()
		if running = !d.Finished() && d.Lease.Active(tx.At()); running {
			d.Repeat = true
		} else {
			redeliverNow(&d, tx.At())
		}
		PutDelivery(tx, &d)
		tx.Activity(actor, "webhook.redelivered", Subject(hook.Webhook)+", delivery "+d.ID, hook.ID)
		return w.Store.Commit(ctx, tx)
	})
	if err != nil {
		return cms.Delivery{}, err
	}
	if !running {
		w.sendWakes(ctx, wakeFor(d, w.Store.Now()))
	}
	l, err := w.Store.LoggedDelivery(ctx, deliveryID)
	return loggedDelivery(l), err
}

var errNoDelivery = cms.Errorf(cms.CodeNotFound, "This webhook has no such delivery.")

// redeliverNow makes the next attempt due at once. It invalidates the message of a waiting retry.
func redeliverNow(d *Delivery, now cms.Time) {
	if d.Finished() || d.Test {
		d.NoRetry = true
	}
	d.Status, d.Manual, d.Test, d.ParkedAt = cms.DeliveryPending, true, false, cms.Time{}
	d.Wakes++
	plan(d, now, now)
}
