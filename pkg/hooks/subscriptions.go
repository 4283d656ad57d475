package hooks

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks/webhook"
	"headless/pkg/input"
	"headless/pkg/slice"
)

// Webhooks has the use cases of subscriptions (specification §4.4, decisions §8). Unknown ids give
// NOT_FOUND.
type Webhooks struct {
	*Deliveries
}

// WebhookWithSecret is the answer of a creation or rotation. Only these two show the secret.
type WebhookWithSecret struct {
	cms.Webhook
	Secret string `json:"secret"`
}

// WebhookDetail is a subscription with a page of its delivery log.
type WebhookDetail struct {
	cms.Webhook
	Deliveries []cms.Delivery `json:"deliveries"`
}

// TestResult is the receiver's answer to a test.
type TestResult struct {
	ResponseCode *int    `json:"response_code"`
	ResponseBody string  `json:"response_body"`
	LatencyMS    int64   `json:"latency_ms"`
	DeliveryID   string  `json:"delivery_id"`
	Error        *string `json:"error"` // why the answer is missing or incomplete
}

// Subject returns the name of a subscription for the activity log. It never uses the URL, which may
// hold a secret.
func Subject(w cms.Webhook) string {
	if w.Name != "" {
		return "webhook " + w.Name
	}
	return "webhook " + w.ID
}

// List returns all subscriptions in the order of their creation.
func (w Webhooks) List(ctx context.Context) ([]cms.Webhook, error) {
	stored, err := w.Store.Webhooks(ctx)
	return slice.Map(stored, Webhook.public), err
}

// Get reads a subscription.
func (w Webhooks) Get(ctx context.Context, id string) (cms.Webhook, error) {
	hook, err := w.getWebhook(ctx, id)
	return hook.public(), err
}

func (w Webhooks) getWebhook(ctx context.Context, id string) (Webhook, error) {
	hook, err := w.Store.Webhook(ctx, id)
	return hook, db.Missing(err, cms.Errorf(cms.CodeNotFound, "There is no such webhook."))
}

// MaxWebhooks is how many subscriptions there may be: each event is matched with all of them.
const MaxWebhooks = 100

var errManyWebhooks = cms.Errorf(cms.CodeConflict, "There are %d webhooks already. Delete one first.", MaxWebhooks)

// Create creates a subscription. It generates a secret if the body has none. CONFLICT if there are
// MaxWebhooks already.
func (w Webhooks) Create(ctx context.Context, actor cms.Actor, body map[string]any) (WebhookWithSecret, error) {
	hook := Webhook{Webhook: cms.NewWebhook()}
	hook.ID = uuid.Must(uuid.NewV7()).String()
	secret, err := w.applyBody(ctx, &hook, body, true)
	if err != nil {
		return WebhookWithSecret{}, err
	}
	secret = cmp.Or(secret, webhook.NewSecret())
	if err := w.Store.setSecret(&hook, secret); err != nil {
		return WebhookWithSecret{}, err
	}
	err = w.Store.Retry(ctx, func() error {
		tx := w.Store.Begin()
		if hook.Listen {
			hook.ListensUntil = cms.At(tx.At().Add(listenTime))
			if err := w.Store.dropEnded(ctx, tx); err != nil {
				return err
			}
		}
		hook.CreatedAt, hook.UpdatedAt, hook.SavedByID = tx.At(), tx.At(), actor.UserID
		webhookDocs(tx.DB).Limit(tx, MaxWebhooks, errManyWebhooks)
		PutWebhook(tx, hook)
		tx.Activity(actor, "webhook.created", Subject(hook.Webhook), hook.ID)
		return w.Store.Commit(ctx, tx)
	})
	return WebhookWithSecret{hook.public(), secret}, err
}

// Update changes the fields that the body holds. A secret in the body replaces the present one, as
// RotateSecret does.
func (w Webhooks) Update(ctx context.Context, actor cms.Actor, id string, body map[string]any,
	ok input.Precondition[cms.Webhook]) (cms.Webhook, error) {
	return w.changeWebhook(ctx, actor, id, "webhook.updated", func(hook *Webhook) error {
		if err := ok.Check(hook.public()); err != nil {
			return err
		}
		secret, err := w.applyBody(ctx, hook, body, false)
		if err != nil || secret == "" {
			return err
		}
		return w.replaceSecret(hook, secret)
	})
}

// ToggleActive pauses an active subscription, or resumes a paused one and the deliveries that
// waited for it.
func (w Webhooks) ToggleActive(ctx context.Context, actor cms.Actor, id string) (cms.Webhook, error) {
	return w.changeWebhook(ctx, actor, id, "", func(hook *Webhook) error {
		hook.IsActive = !hook.IsActive
		return nil
	})
}

// RotateSecret gives a subscription the secret of the body or, without one, a generated secret. For
// 24 hours the old secret signs too.
func (w Webhooks) RotateSecret(ctx context.Context, actor cms.Actor, id string,
	body map[string]any) (WebhookWithSecret, error) {
	secret, err := secretInput(body)
	if err != nil {
		return WebhookWithSecret{}, err
	}
	secret = cmp.Or(secret, webhook.NewSecret())
	hook, err := w.changeWebhook(ctx, actor, id, "webhook.secret_rotated", func(hook *Webhook) error {
		return w.replaceSecret(hook, secret)
	})
	return WebhookWithSecret{hook, secret}, err
}

// replaceSecret makes secret the current secret and keeps the former one as the previous secret. If
// secret is the current one already, nothing changes, so that a repeated request keeps the previous
// secret.
func (w Webhooks) replaceSecret(hook *Webhook, secret string) error {
	now, err := w.Store.Secrets(hook)
	if err != nil || secret == now.Current {
		return err
	}
	hook.PreviousSecret, hook.RotatedAt = hook.Secret, w.Store.Now()
	return w.Store.setSecret(hook, secret)
}

// Delete removes a subscription; nothing more is sent to it.
func (w Webhooks) Delete(ctx context.Context, actor cms.Actor, id string) error {
	return w.Store.Retry(ctx, func() error {
		hook, err := w.getWebhook(ctx, id)
		if err != nil {
			return err
		}
		tx := w.Store.Begin()
		DeleteWebhook(tx, hook)
		tx.Activity(actor, "webhook.deleted", Subject(hook.Webhook), hook.ID)
		return w.Store.Commit(ctx, tx)
	})
}

// changeWebhook reads, edits and stores a subscription, and records event; "" is its pause or its resumption. If the
// subscription becomes active, the failures of its receiver are forgotten and its waiting deliveries are resumed.
func (w Webhooks) changeWebhook(ctx context.Context, actor cms.Actor, id, event string,
	edit func(*Webhook) error) (cms.Webhook, error) {
	var hook Webhook
	var resumed bool
	err := w.Store.Retry(ctx, func() (err error) {
		if hook, err = w.getWebhook(ctx, id); err != nil {
			return err
		}
		wasActive := hook.IsActive
		if err := edit(&hook); err != nil {
			return err
		}
		tx := w.Store.Begin()
		hook.UpdatedAt = tx.At()
		if resumed = hook.IsActive && !wasActive; resumed {
			forgetReceiver(tx, hook.ID)
		}
		toggled := "webhook.paused"
		if hook.IsActive {
			hook.PausedReason, toggled = nil, "webhook.resumed"
		}
		hook.SavedBy, hook.SavedByID = "", actor.UserID
		PutWebhook(tx, hook)
		tx.Activity(actor, cmp.Or(event, toggled), Subject(hook.Webhook), hook.ID)
		return w.Store.Commit(ctx, tx)
	})
	if err == nil && resumed {
		w.sendWakes(ctx, delayedWake{Wake: Wake{Webhook: hook.ID}})
	}
	return hook.public(), err
}

// logPage is how many deliveries Detail returns at a time.
const logPage = 50

// Detail reads a subscription and a page of its delivery log, newest first, from a cursor on; ""
// starts at the newest. next is the cursor of the next page.
func (w Webhooks) Detail(ctx context.Context, id, cursor string) (detail WebhookDetail, next string, err error) {
	hook, err := w.getWebhook(ctx, id)
	if err != nil {
		return detail, "", err
	}
	logged, next, err := w.Store.deliveryLog(ctx, id, cursor, logPage)
	return WebhookDetail{hook.public(), slice.Map(logged, loggedDelivery)}, next, err
}

// Latest returns the newest delivery of a subscription, nil if there is none.
func (w Webhooks) Latest(ctx context.Context, id string) (*cms.Delivery, error) {
	logged, _, err := w.Store.deliveryLog(ctx, id, "", 1)
	if err != nil || len(logged) == 0 {
		return nil, err
	}
	latest := loggedDelivery(logged[0])
	return &latest, nil
}

// loggedDelivery converts a delivery to the form of the log. A delivery that waits for a paused
// subscription has no time of the next attempt.
func loggedDelivery(l LoggedDelivery) cms.Delivery {
	d := cms.Delivery{ID: l.ID, Event: l.Event, Status: l.Status, CreatedAt: l.CreatedAt,
		Attempts: l.Log, RequestID: l.RequestID}
	if l.ParkedAt.IsZero() {
		d.NextAttemptAt = l.Next
	}
	if d.Attempts == nil {
		d.Attempts = []cms.DeliveryAttempt{}
	}
	return d
}
