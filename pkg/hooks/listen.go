package hooks

import (
	"context"
	"errors"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks/webhook"
	"headless/pkg/table"
)

// The times of listeners (extensions §17).
const (
	listenTime = 5 * time.Minute // from the last poll until the listener ends
	pollTime   = 25 * time.Second
	pollTick   = 500 * time.Millisecond
	// settleTime is how old deliveries are when they are shown: those that several processes make at
	// the same time are then in order.
	settleTime = time.Second
)

// maxHeard is how many deliveries one poll returns.
const maxHeard = 50

// Heard is a delivery as it would be posted.
type Heard struct {
	ID      string            `json:"id"`
	Event   string            `json:"event"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"` // the signed bytes
}

// hasEnded reports whether a listener was not polled for too long.
func (w Webhook) hasEnded(now cms.Time) bool {
	return w.Listen && !now.Before(w.ListensUntil.Time)
}

// dropEnded deletes the listeners that have ended, in a transaction.
func (s *Store) dropEnded(ctx context.Context, tx *db.Tx) error {
	docs, err := webhookDocs(s.DB).All(ctx)
	for _, d := range docs {
		if w := webhookOf(d); w.hasEnded(tx.At()) {
			DeleteWebhook(tx, w)
		}
	}
	return err
}

// Poll returns the deliveries to a listener after one of them, oldest first; after is "" for the
// first. If there are none, it waits for up to 25 seconds. Errors: NOT_FOUND; CONFLICT for a
// subscription with a URL; BAD_REQUEST if after is no delivery to it.
func (w Webhooks) Poll(ctx context.Context, id, after string) ([]Heard, error) {
	hook, err := w.listensOn(ctx, id)
	if err != nil {
		return nil, err
	}
	from := ""
	if after != "" {
		last, err := w.Store.Delivery(ctx, after)
		if errors.Is(err, db.ErrNotFound) || err == nil && last.WebhookID != hook.ID {
			return nil, cms.Errorf(cms.CodeBadRequest, "after is the id of no delivery to this listener.")
		}
		if err != nil {
			return nil, err
		}
		from = Position(last.CreatedAt) + last.ID + "\x00"
	}
	secrets, err := w.Store.Secrets(&hook)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(pollTime); ; {
		ids, err := w.Store.DeliveryIDs(ctx, hook.ID, from, w.Store.Now().Add(-settleTime), maxHeard)
		if err != nil || len(ids) > 0 {
			return w.heard(ctx, hook, secrets, ids, err)
		}
		if !time.Now().Add(pollTick).Before(end) {
			return []Heard{}, nil
		}
		if err := table.Pause(ctx, pollTick); err != nil {
			return nil, err
		}
	}
}

// listensOn reads a listener and keeps it for another 5 minutes.
func (w Webhooks) listensOn(ctx context.Context, id string) (hook Webhook, err error) {
	err = w.Store.Retry(ctx, func() error {
		if hook, err = w.getWebhook(ctx, id); err != nil {
			return err
		}
		if !hook.Listen {
			return cms.Errorf(cms.CodeConflict, "This webhook has an address. Only those with listen are polled.")
		}
		tx := w.Store.Begin()
		hook.ListensUntil = cms.At(tx.At().Add(listenTime))
		PutWebhook(tx, hook)
		return w.Store.Commit(ctx, tx)
	})
	return hook, err
}

func (w Webhooks) heard(ctx context.Context, hook Webhook, secrets webhook.Secrets, ids []LoggedID,
	err error) ([]Heard, error) {
	list, size := []Heard{}, 0
	for _, logged := range ids {
		if err != nil {
			return nil, err
		}
		var l LoggedDelivery
		if l, err = w.Store.LoggedDelivery(ctx, logged.ID); errors.Is(err, db.ErrNotFound) {
			err = nil // it has expired, but not yet its row of the list
			continue
		}
		if size += len(l.Body); size > maxLogBytes && len(list) > 0 {
			break
		}
		m := webhook.Message{Event: l.Event, Delivery: l.ID, Attempt: 1, Body: l.Body, Extra: hook.Headers,
			Ed25519: hook.Ed25519, Secrets: secrets}
		headers := map[string]string{}
		for name, values := range m.Headers(w.Store.Now().Time) {
			headers[name] = values[0]
		}
		list = append(list, Heard{l.ID, l.Event, headers, string(l.Body)})
	}
	return list, err
}
