package apikeys

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/slice"
)

// Keys are the use cases of API keys.
type Keys struct{ Store *Store }

// WithSecret is a key with its secret, which only the responses to create and rotate contain.
type WithSecret struct {
	cms.Key
	Secret string `json:"secret,omitempty"` // "" for a publishable key
}

// List lists all keys by name.
func (k *Keys) List(ctx context.Context, p db.Paging) (db.Page[cms.Key], error) {
	stored, err := k.Store.Keys(ctx)
	keys := slice.Map(stored, func(key Key) cms.Key { return key.Key })
	cms.SortBy(keys, func(key cms.Key) string { return cms.NameOrder(key.Name) })
	return db.PageOf(keys, p), err
}

// Get reads a key; NOT_FOUND if there is none.
func (k *Keys) Get(ctx context.Context, id string) (cms.Key, error) {
	key, err := k.Store.Key(ctx, id)
	return key.Key, input.NotFound(err, "key")
}

// Create makes a key. Defaults are no scopes and DefaultRateLimit, or DefaultPublishableLimit. Only this response and
// that of Rotate contain a secret.
func (k *Keys) Create(ctx context.Context, actor cms.Actor, body map[string]any) (WithSecret, error) {
	in, p := input.Decode[keyInput](body, "public_key", "previous_expires_at")
	site, err := k.Store.Site(ctx)
	if err != nil {
		return WithSecret{}, err
	}
	tx := k.Store.Begin()
	key := Key{Key: cms.NewKey()}
	key.ID, key.PublicKey, key.CreatedAt, key.UpdatedAt = uuid.NewString(),
		"pk_"+db.RandomToken()[:32], tx.At(), tx.At()
	in.setKind(&key.Key)
	in.applyTo(&key.Key, p)
	checkReach(p, site, &key.Key, nil)
	if err := p.Err(); err != nil {
		return WithSecret{}, err
	}
	secret := newSecret(&key)
	if key.IsPublishable() {
		secret = "" // not returned: it only signs the tokens of the key's readers
	}
	Put(tx, key)
	tx.Audit(actor, "key.created", "key "+key.Name, key.ID, nil, key.Key)
	return WithSecret{key.Key, secret}, k.Store.Commit(ctx, tx)
}

// newSecret gives the key a new secret and stores its hash in the key.
func newSecret(key *Key) string {
	secret := "sk_" + db.RandomToken()
	sum := sha256.Sum256([]byte(secret))
	key.SecretHash = sum[:]
	return secret
}

// Update changes a key. The change applies to its next request.
func (k *Keys) Update(ctx context.Context, actor cms.Actor, id string, body map[string]any,
	ok input.Precondition[cms.Key]) (cms.Key, error) {
	in, p := input.Decode[keyInput](body, "public_key", "previous_expires_at")
	site, err := k.Store.Site(ctx)
	if err != nil {
		return cms.Key{}, err
	}
	key, err := k.changeKey(ctx, actor, "key.updated", id, func(key *Key) error {
		if err := ok.Check(key.Key); err != nil {
			return err
		}
		problems := cms.Problems{}
		problems.Merge(p)
		was := key.Key
		in.applyTo(&key.Key, problems)
		checkReach(problems, site, &key.Key, &was)
		return problems.Err()
	})
	return key.Key, err
}

// maxOverlap is how long the previous secret of a key may stay valid.
const maxOverlap = 30 * 24 * time.Hour

// overlapOf reads overlap_seconds from the body of a rotation. Errors: VALIDATION_FAILED.
func overlapOf(body map[string]any) (time.Duration, error) {
	in, p := input.Decode[struct {
		OverlapSeconds int64 `json:"overlap_seconds"`
	}](body)
	if most := int64(maxOverlap / time.Second); in.OverlapSeconds < 0 || in.OverlapSeconds > most {
		p.Add("overlap_seconds", "must be a whole number from 0 to %d", most)
	}
	return time.Duration(in.OverlapSeconds) * time.Second, p.Err()
}

// Rotate gives a key a new secret. The current secret stays valid for the overlap_seconds of the
// body (default 0). A secret from an earlier rotation becomes invalid at once.
func (k *Keys) Rotate(ctx context.Context, actor cms.Actor, id string, body map[string]any) (WithSecret, error) {
	overlap, err := overlapOf(body)
	if err != nil {
		return WithSecret{}, err
	}
	var secret string
	key, err := k.changeKey(ctx, actor, "key.rotated", id, func(key *Key) error {
		if key.IsPublishable() {
			return cms.Errorf(cms.CodeConflict, "A publishable key has no secret.")
		}
		key.PreviousHash, key.PreviousExpiresAt = nil, cms.Time{}
		if overlap > 0 {
			key.PreviousHash, key.PreviousExpiresAt = key.SecretHash, cms.At(k.Store.Now().Add(overlap))
		}
		secret = newSecret(key)
		return nil
	})
	return WithSecret{key.Key, secret}, err
}

func (k *Keys) changeKey(ctx context.Context, actor cms.Actor, event, id string,
	change func(*Key) error) (key Key, err error) {
	err = k.Store.Retry(ctx, func() error {
		if key, err = k.Store.Key(ctx, id); err != nil {
			return input.NotFound(err, "key")
		}
		was := key.Key
		if err := change(&key); err != nil {
			return err
		}
		tx := k.Store.Begin()
		key.UpdatedAt = tx.At()
		Put(tx, key)
		tx.Audit(actor, event, "key "+key.Name, key.ID, was, key.Key) // cms.Key has no secret
		return k.Store.Commit(ctx, tx)
	})
	return key, err
}

// Delete revokes a key. Its next request is refused.
func (k *Keys) Delete(ctx context.Context, actor cms.Actor, id string) error {
	return k.Store.Retry(ctx, func() error {
		key, err := k.Store.Key(ctx, id)
		if err != nil {
			return input.NotFound(err, "key")
		}
		tx := k.Store.Begin()
		Delete(tx, key)
		tx.Audit(actor, "key.deleted", "key "+key.Name, key.ID, key.Key, nil)
		return k.Store.Commit(ctx, tx)
	})
}
