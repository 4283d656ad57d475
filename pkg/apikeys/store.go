package apikeys

import (
	"context"
	"reflect"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Store stores the API keys. It is safe for concurrent use.
type Store struct {
	*site.Store
	keys     keyCache
	limiters limiters
	// addresses hold the tokens of the addresses that use publishable keys.
	addresses limiters
}

// Open returns a Store that shares the database of a site.
func Open(s *site.Store) *Store { return &Store{Store: s} }

// New returns a Store with a database of its own.
func New(t table.Table, now func() time.Time) *Store { return Open(site.Open(db.New(t, now))) }

// Key is an API key as stored: the secret only as a hash.
type Key struct {
	cms.Key
	// SecretHash of a publishable key is a random value, which nobody knows, for signing.
	SecretHash   []byte `json:"secret_hash"`
	PreviousHash []byte `json:"previous_hash,omitempty"` // of the secret before the rotation; nil: none
	// Limits is limitsVersion in keys that were stored since publishable keys have a default of
	// their own.
	Limits  int `json:"limits,omitempty"`
	version int64
	stored  cms.Key // as it was read
}

const limitsVersion = 1

func keyDocs(s *db.DB) db.Docs[Key] { return db.Docs[Key]{DB: s, Kind: "key"} }

func apiKey(d db.Doc[Key]) Key {
	k := d.Value
	k.version = d.Version
	if k.Kind == "" { // stored before keys had kinds
		k.Kind = cms.KeySecret
	}
	if k.IsPublishable() && k.Limits == 0 && k.RateLimit == cms.DefaultRateLimit {
		k.RateLimit = cms.DefaultPublishableLimit // it has the former default
	}
	k.stored = k.Key
	return k
}

// Key reads a key by its id; ErrNotFound if there is none.
func (s *Store) Key(ctx context.Context, id string) (Key, error) {
	d, err := keyDocs(s.DB).Get(ctx, id)
	return apiKey(d), err
}

// Keys lists all keys.
func (s *Store) Keys(ctx context.Context) ([]Key, error) {
	docs, err := keyDocs(s.DB).All(ctx)
	return slice.Map(docs, apiKey), err
}

// Origins returns the origins that keys which are still valid name, patterns too.
func (s *Store) Origins(ctx context.Context) (origins []string, err error) {
	keys, err := s.Keys(ctx)
	for _, k := range keys {
		if k.ExpiresAt.IsZero() || s.Now().Before(k.ExpiresAt.Time) {
			origins = append(origins, k.Origins...)
		}
	}
	return origins, err
}

// Put creates a key, or changes one that was read before.
func Put(t *db.Tx, k Key) {
	k.Limits = limitsVersion
	byPublic := keyDocs(t.DB).Item(k.ID, k.version+1, k)
	byPublic.Key = publicKeyKey(k.PublicKey)
	t.Put(byPublic)
	if k.IsPublishable() && !reflect.DeepEqual(shownKey(k.stored), shownKey(k.Key)) {
		t.Touch(cms.TagKey(k.ID))
	}
	keyDocs(t.DB).Save(t, db.Doc[Key]{ID: k.ID, Version: k.version, Value: k})
}

// shownKey returns the properties of a key on which cached responses depend.
func shownKey(k cms.Key) cms.Key {
	k.Name, k.RateLimit, k.UpdatedAt = "", 0, cms.Time{}
	return k
}

// Delete revokes a key. Its next request is refused.
func Delete(t *db.Tx, k Key) {
	t.Delete(publicKeyKey(k.PublicKey))
	if k.IsPublishable() {
		t.Touch(cms.TagKey(k.ID))
	}
	keyDocs(t.DB).Delete(t, db.Doc[Key]{ID: k.ID, Version: k.version})
}

// Published reports whether a publishable key is valid now. Without one, no cache holds answers.
func (s *Store) Published(ctx context.Context) (bool, error) {
	keys, err := s.Keys(ctx)
	now := s.Now()
	for _, k := range keys {
		if k.IsPublishable() && (k.ExpiresAt.IsZero() || now.Before(k.ExpiresAt.Time)) {
			return true, err
		}
	}
	return false, err
}
