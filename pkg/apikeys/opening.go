package apikeys

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"sync"
	"time"

	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/table"
)

// Opening has the data that every authenticated request needs first, read in one round trip.
type Opening struct {
	Site *site.Site
	Key  *Key // nil: no key has this public part
}

// Open reads the key and the configuration for a request.
func (s *Store) Open(ctx context.Context, publicKey string) (Opening, error) {
	keys := []table.Key{site.ConfigKey(db.RandomShard())}
	if validPublicKey(publicKey) {
		keys = append(keys, publicKeyKey(publicKey))
	}
	asked := len(keys)
	items, err := s.Table.Get(ctx, table.Strong, append(keys, s.AskCursorKey()...)...)
	if err != nil {
		return Opening{}, err
	}
	if len(items) > asked {
		if err := s.KeepCursorKey(items[asked]); err != nil {
			return Opening{}, err
		}
		items = items[:asked]
	}
	site, err := s.SiteAt(ctx, items[0])
	if err != nil || len(items) < 2 || items[1] == nil {
		return Opening{Site: site}, err
	}
	key, err := s.cachedKey(publicKey, items[1])
	return Opening{Site: site, Key: key}, err
}

// OpenPublishable is Open for the delivery API. Key is nil for a key that is unknown, revoked,
// expired or not publishable.
func (s *Store) OpenPublishable(ctx context.Context, publicKey string) (Opening, error) {
	o, err := s.Open(ctx, publicKey)
	if o.Key != nil && (!o.Key.IsPublishable() || !o.Key.ExpiresAt.IsZero() && !s.Now().Before(o.Key.ExpiresAt.Time)) {
		o.Key = nil
	}
	return o, err
}

// keyCache keeps the keys that were read. A cached key is used only if the version read in the same
// request is equal to its version.
type keyCache struct {
	mu   sync.RWMutex
	keys map[string]*db.Doc[Key] // by public key
}

// CachedKey returns the key as this process last read it, nil if it was never read. It may be
// stale.
func (s *Store) CachedKey(publicKey string) *Key {
	s.keys.mu.RLock()
	defer s.keys.mu.RUnlock()
	if d := s.keys.keys[publicKey]; d != nil {
		k := apiKey(*d)
		return &k
	}
	return nil
}

// maxCachedKeys bounds the memory of the cache; a site has a handful of keys.
const maxCachedKeys = 1000

func (s *Store) cachedKey(publicKey string, item *table.Item) (*Key, error) {
	s.keys.mu.RLock()
	d := s.keys.keys[publicKey]
	s.keys.mu.RUnlock()
	if d == nil || d.Version != item.Version {
		d = &db.Doc[Key]{Version: item.Version}
		if err := db.Unmarshal(item.Body, &d.Value); err != nil {
			return nil, err
		}
		s.keys.mu.Lock()
		if s.keys.keys == nil || len(s.keys.keys) >= maxCachedKeys {
			s.keys.keys = map[string]*db.Doc[Key]{}
		}
		s.keys.keys[publicKey] = d
		s.keys.mu.Unlock()
	}
	k := apiKey(*d)
	return &k, nil
}

// SameVersion reports whether k and other are the same version of the same key.
func (k *Key) SameVersion(other *Key) bool {
	return k != nil && other != nil && k.ID == other.ID && k.version == other.version
}

// Opens reports whether a secret is valid for the key at a time: the current secret, or the
// previous one until its overlap ends. It compares in constant time.
func (k *Key) Opens(secret string, now time.Time) bool {
	sum := sha256.Sum256([]byte(secret))
	right := subtle.ConstantTimeCompare(sum[:], k.SecretHash)
	if now.Before(k.PreviousExpiresAt.Time) {
		right |= subtle.ConstantTimeCompare(sum[:], k.PreviousHash)
	}
	return right == 1
}
