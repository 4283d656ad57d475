package service

import (
	"context"
	"crypto/sha256"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/store"
)

// maxRateLimit is the highest limit of a key, in requests a minute.
const maxRateLimit = 1_000_000

// maxOrigins is how long a key's allowlist may be.
const maxOrigins = 100

// Keys are the API keys.
type Keys struct{ Store *store.Store }

// KeyWithSecret is a key as create and rotate show it, the only time that the secret is known.
type KeyWithSecret struct {
	cms.Key
	Secret string `json:"secret"`
}

// keyInput is the body of a key's create and update.
type keyInput struct {
	Name      *string   `json:"name"`
	Scopes    *[]string `json:"scopes"`
	Origins   *[]string `json:"origins"`
	RateLimit *int64    `json:"rate_limit"`
	Role      *string   `json:"role"`
	ExpiresAt *cms.Time `json:"expires_at"`
}

// List lists all keys by name.
func (k *Keys) List(ctx context.Context, p store.Paging) (store.Page[cms.Key], error) {
	stored, err := k.Store.APIKeys(ctx)
	keys := make([]cms.Key, 0, len(stored))
	for _, key := range stored {
		keys = append(keys, key.Key)
	}
	slices.SortStableFunc(keys, func(a, b cms.Key) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return store.PageOf(keys, p), err
}

// Get reads a key; NOT_FOUND when there is none.
func (k *Keys) Get(ctx context.Context, id string) (cms.Key, error) {
	key, err := k.Store.APIKey(ctx, id)
	return key.Key, notFound(err, "key")
}

// Create makes a key without scopes and with DefaultRateLimit where the body does not say. Only this answer and that of Rotate hold a secret.
func (k *Keys) Create(ctx context.Context, actor cms.Actor, body map[string]any) (KeyWithSecret, error) {
	var in keyInput
	p := cms.Problems{}
	decodeInput(body, &in, p, "public_key")
	tx := k.Store.Begin()
	key := store.APIKey{Key: cms.NewKey()}
	key.ID, key.PublicKey, key.CreatedAt, key.UpdatedAt = uuid.NewString(), "pk_"+randomToken()[:32], tx.At(), tx.At()
	in.apply(&key.Key, p)
	if err := p.Err(); err != nil {
		return KeyWithSecret{}, err
	}
	secret := newSecret(&key)
	tx.PutAPIKey(key)
	tx.Activity(actor, "key.created", "key "+key.Name)
	return KeyWithSecret{key.Key, secret}, k.Store.Commit(ctx, tx)
}

// newSecret gives the key a secret, of which it keeps the hash.
func newSecret(key *store.APIKey) string {
	secret := "sk_" + randomToken()
	sum := sha256.Sum256([]byte(secret))
	key.SecretHash = sum[:]
	return secret
}

// Update changes a key; it holds for the next request.
func (k *Keys) Update(ctx context.Context, actor cms.Actor, id string, body map[string]any, ok Precondition[cms.Key]) (cms.Key, error) {
	var in keyInput
	p := cms.Problems{}
	decodeInput(body, &in, p, "public_key")
	key, err := k.change(ctx, actor, "key.updated", id, func(key *store.APIKey) error {
		if err := ok.check(key.Key); err != nil {
			return err
		}
		problems := cms.Problems{}
		problems.Merge(p)
		in.apply(&key.Key, problems)
		return problems.Err()
	})
	return key.Key, err
}

// Rotate gives a key a new secret; the old one is refused from the next request on.
func (k *Keys) Rotate(ctx context.Context, actor cms.Actor, id string) (KeyWithSecret, error) {
	var secret string
	key, err := k.change(ctx, actor, "key.rotated", id, func(key *store.APIKey) error {
		secret = newSecret(key)
		return nil
	})
	return KeyWithSecret{key.Key, secret}, err
}

func (k *Keys) change(ctx context.Context, actor cms.Actor, event, id string, change func(*store.APIKey) error) (key store.APIKey, err error) {
	err = k.Store.Retry(ctx, func() error {
		if key, err = k.Store.APIKey(ctx, id); err != nil {
			return notFound(err, "key")
		}
		if err := change(&key); err != nil {
			return err
		}
		tx := k.Store.Begin()
		key.UpdatedAt = tx.At()
		tx.PutAPIKey(key)
		tx.Activity(actor, event, "key "+key.Name)
		return k.Store.Commit(ctx, tx)
	})
	return key, err
}

// Delete revokes a key from the next request on.
func (k *Keys) Delete(ctx context.Context, actor cms.Actor, id string) error {
	return k.Store.Retry(ctx, func() error {
		key, err := k.Store.APIKey(ctx, id)
		if err != nil {
			return notFound(err, "key")
		}
		tx := k.Store.Begin()
		tx.DeleteAPIKey(key)
		tx.Activity(actor, "key.deleted", "key "+key.Name)
		return k.Store.Commit(ctx, tx)
	})
}

// apply changes a key as the input says and reports what is wrong with the result.
func (in *keyInput) apply(key *cms.Key, p cms.Problems) {
	key.Name = given(in.Name, key.Name)
	key.Scopes = given(in.Scopes, key.Scopes)
	key.Origins = given(in.Origins, key.Origins)
	key.RateLimit = given(in.RateLimit, key.RateLimit)
	key.ExpiresAt = given(in.ExpiresAt, key.ExpiresAt)
	if in.Role != nil {
		key.Role = in.Role
		if *in.Role == "" {
			key.Role = nil
		}
	}
	checkName(p, key.Name)
	checkScopes(p, key)
	checkOrigins(p, key)
	if key.RateLimit < 1 || key.RateLimit > maxRateLimit {
		p.Add("rate_limit", "must be a whole number from 1 to %d", maxRateLimit)
	}
	if key.Role != nil && *key.Role != cms.RoleAdmin {
		p.Add("role", "must be null or admin")
	}
}

// checkName asks for a name of 1 to 255 characters.
func checkName(p cms.Problems, name string) {
	switch {
	case len(p["name"]) > 0:
	case name == "":
		p.Add("name", "is required")
	case utf8.RuneCountInString(name) > maxName:
		p.Add("name", "must have at most %d characters", maxName)
	}
}

// checkScopes puts the scopes in their usual order, each once.
func checkScopes(p cms.Problems, key *cms.Key) {
	known := []string{cms.ScopeRead, cms.ScopeWrite, cms.ScopeDelete}
	for i, scope := range key.Scopes {
		if !slices.Contains(known, scope) {
			p.Add("scopes."+strconv.Itoa(i), "must be read, write or delete")
		}
	}
	given := key.Scopes
	key.Scopes = slices.DeleteFunc(known, func(scope string) bool { return !slices.Contains(given, scope) })
}

func checkOrigins(p cms.Problems, key *cms.Key) {
	if len(key.Origins) > maxOrigins {
		p.Add("origins", "must hold at most %d origins", maxOrigins)
		return
	}
	for i, origin := range key.Origins {
		if !validOrigin(origin) {
			p.Add("origins."+strconv.Itoa(i), "must be an origin such as https://www.example.com or https://*.example.com")
		}
	}
}

// validOrigin tells whether s is scheme://host[:port]; the first label of the host may be a wildcard.
func validOrigin(s string) bool {
	scheme, rest, ok := strings.Cut(s, "://")
	rest = strings.TrimPrefix(rest, "*.")
	u, err := url.Parse(scheme + "://" + rest)
	if !ok || err != nil || u.Host == "" || u.Hostname() == "" || u.Host != rest || strings.HasSuffix(u.Host, ":") || len(s) > 300 {
		return false
	}
	return !strings.ContainsAny(rest, "*, \t")
}
