package hooks

import (
	"context"
	"errors"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks/webhook"
)

// Webhook is a subscription as stored, with its secrets, sealed: Store.Secrets opens them.
type Webhook struct {
	cms.Webhook
	Secret         string   `json:"secret"`
	PreviousSecret string   `json:"previous_secret,omitempty"` // "" when there was no rotation
	RotatedAt      cms.Time `json:"rotated_at"`                // when Secret replaced PreviousSecret
	SavedBy        string   `json:"saved_by,omitempty"`        // address of who saved it last, in a former version
	SavedByID      string   `json:"saved_by_id,omitempty"`     // id of who saved it last, "" if unknown
	Ed25519Key     string   `json:"ed25519_key,omitempty"`     // the public key that belongs to Secret
	FollowsSince   cms.Time `json:"follows_since,omitzero"`    // since when it follows the activity log; zero: it does not
	ListensUntil   cms.Time `json:"listens_until,omitzero"`    // when a listener ends, unless it is polled before
	version        int64
}

func webhookDocs(s *db.DB) db.Docs[Webhook] { return db.Docs[Webhook]{DB: s, Kind: "webhook"} }

func webhookOf(d db.Doc[Webhook]) Webhook {
	w := d.Value
	w.version = d.Version
	if w.Ed25519Key == "" && !db.IsSealed(w.Secret) { // stored before secrets were sealed
		w.Ed25519Key = webhook.PublicKey(w.Secret)
	}
	return w
}

// public returns the subscription without its secrets, for answers. PublicKey is set if it signs
// with Ed25519.
func (w Webhook) public() cms.Webhook {
	v := w.Webhook
	if v.PublicKey = nil; v.Ed25519 {
		v.PublicKey = &w.Ed25519Key
	}
	return v
}

// setSecret seals a secret and makes it the current secret of the subscription.
func (s *Store) setSecret(w *Webhook, secret string) (err error) {
	w.Secret, err = s.SealText(secret)
	w.Ed25519Key = webhook.PublicKey(secret)
	return err
}

// Secrets decrypts the secrets of a subscription.
func (s *Store) Secrets(w *Webhook) (webhook.Secrets, error) {
	current, err1 := s.UnsealText(w.Secret)
	previous, err2 := s.UnsealText(w.PreviousSecret)
	return webhook.Secrets{Current: current, Previous: previous, RotatedAt: w.RotatedAt.Time}, errors.Join(err1, err2)
}

// Reseal seals the secrets of all subscriptions with the current key, and returns how many it
// changed.
func (s *Store) Reseal(ctx context.Context) (changed int, err error) {
	hooks, err := s.Webhooks(ctx)
	for _, w := range hooks {
		var did bool
		if did, err = s.resealOne(ctx, w); err != nil {
			return changed, err
		}
		if did {
			changed++
		}
	}
	return changed, err
}

// resealOne seals the secrets of one subscription with the current key. If another write changed
// the subscription, it is left as it is but counts as changed, so that the caller runs again.
func (s *Store) resealOne(ctx context.Context, w Webhook) (changed bool, err error) {
	was := w
	current, err1 := s.ResealText(w.Secret)
	previous, err2 := s.resealPrevious(w.PreviousSecret)
	w.Secret, w.PreviousSecret = current, previous
	if err := errors.Join(err1, err2); err != nil || w.Secret == was.Secret &&
		w.PreviousSecret == was.PreviousSecret {
		return false, err
	}
	tx := s.Begin()
	PutWebhook(tx, w)
	if err = s.Commit(ctx, tx); errors.Is(err, db.ErrOvertaken) {
		err = nil
	}
	return true, err
}

func (s *Store) resealPrevious(stored string) (string, error) {
	if stored == "" {
		return "", nil
	}
	return s.ResealText(stored)
}

// Webhook reads a subscription; db.ErrNotFound if there is none.
func (s *Store) Webhook(ctx context.Context, id string) (Webhook, error) {
	d, err := webhookDocs(s.DB).Get(ctx, id)
	if w := webhookOf(d); err == nil && w.hasEnded(s.Now()) {
		err = db.ErrNotFound
	}
	return webhookOf(d), err
}

// Webhooks lists all subscriptions in the order of their creation.
func (s *Store) Webhooks(ctx context.Context) ([]Webhook, error) {
	docs, err := webhookDocs(s.DB).All(ctx)
	hooks := make([]Webhook, 0, len(docs))
	for _, d := range docs {
		if w := webhookOf(d); !w.hasEnded(s.Now()) {
			hooks = append(hooks, w)
		}
	}
	return hooks, err
}

// KindStream is the kind of the timers of subscriptions that follow the activity log. Their ref is
// the id of the subscription; package stream handles them.
const KindStream = "stream"

// PutWebhook creates a subscription, or replaces one that was read.
func PutWebhook(t *db.Tx, w Webhook) {
	switch follows := slices.Contains(w.Events, cms.EventActivityRecorded); {
	case !follows:
		w.FollowsSince = cms.Time{}
	case w.FollowsSince.IsZero():
		w.FollowsSince = t.At()
	}
	if w.IsActive && !w.FollowsSince.IsZero() {
		t.SetTimer(db.Timer{At: t.At(), Kind: KindStream, Ref: w.ID})
	}
	webhookDocs(t.DB).Save(t, db.Doc[Webhook]{ID: w.ID, Version: w.version, Value: w})
}

// DeleteWebhook removes a subscription. Each of its pending deliveries ends at its next wake-up.
func DeleteWebhook(t *db.Tx, w Webhook) {
	webhookDocs(t.DB).Delete(t, db.Doc[Webhook]{ID: w.ID, Version: w.version})
	if !w.FollowsSince.IsZero() { // its place in the log goes, too
		t.SetTimer(db.Timer{At: t.At(), Kind: KindStream, Ref: w.ID})
	}
	forgetReceiver(t, w.ID)
}

// Wants reports whether an event is sent to the subscription. Events are looked at behind the answer, so
// one may be older than a subscription that was made meanwhile.
func (w Webhook) Wants(e cms.Event) bool {
	return w.IsActive && !e.OccurredAt.Before(w.CreatedAt.Time) && webhook.Matches(w.Events, w.Models, e)
}

// Bundles reports whether an event waits for others and is sent together with them (extensions §7).
func (w Webhook) Bundles(e cms.Event) bool {
	return w.BundleSeconds > 0 && webhook.Bundled(e.Kind)
}
