package store

import (
	"context"

	"headless/pkg/cms"
)

// storedWebhook is a subscription with its secrets.
type storedWebhook struct {
	cms.Webhook
	Secret         string   `json:"secret"`
	PreviousSecret string   `json:"previous_secret,omitempty"`
	RotatedAt      cms.Time `json:"rotated_at"`
}

func (s *Store) webhookDocs() Docs[storedWebhook] { return Docs[storedWebhook]{s: s, kind: "webhook"} }

// Webhook is a subscription with its secrets, which the service needs in clear to sign.
type Webhook struct {
	cms.Webhook
	Secret         string
	PreviousSecret string   // "" when there was no rotation
	RotatedAt      cms.Time // when Secret took over from PreviousSecret
	version        int64
}

func webhookOf(d Doc[storedWebhook]) Webhook {
	v := d.Value
	return Webhook{
		Webhook: v.Webhook, Secret: v.Secret, PreviousSecret: v.PreviousSecret, RotatedAt: v.RotatedAt, version: d.Version,
	}
}

// Webhook reads a subscription; ErrNotFound when there is none.
func (s *Store) Webhook(ctx context.Context, id string) (Webhook, error) {
	d, err := s.webhookDocs().Get(ctx, id)
	return webhookOf(d), err
}

// Webhooks lists all subscriptions in the order of their creation.
func (s *Store) Webhooks(ctx context.Context) ([]Webhook, error) {
	docs, err := s.webhookDocs().All(ctx)
	hooks := make([]Webhook, 0, len(docs))
	for _, d := range docs {
		hooks = append(hooks, webhookOf(d))
	}
	return hooks, err
}

// PutWebhook creates a subscription, or changes one that was read before.
func (t *Tx) PutWebhook(w Webhook) {
	doc := Doc[storedWebhook]{
		ID: w.ID, Version: w.version, Value: storedWebhook{w.Webhook, w.Secret, w.PreviousSecret, w.RotatedAt},
	}
	if w.version == 0 {
		t.s.webhookDocs().Create(t, w.ID, doc.Value, ErrOvertaken)
		return
	}
	t.s.webhookDocs().Update(t, doc)
}

// DeleteWebhook removes a subscription. Its pending deliveries end as their turn comes.
func (t *Tx) DeleteWebhook(w Webhook) {
	t.s.webhookDocs().Delete(t, Doc[storedWebhook]{ID: w.ID, Version: w.version})
	t.ForgetReceiver(w.ID)
}
