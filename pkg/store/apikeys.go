package store

import (
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// storedKey is an API key with the hash of its secret.
type storedKey struct {
	cms.Key
	SecretHash []byte `json:"secret_hash"`
}

func (s *Store) keyDocs() Docs[storedKey] { return Docs[storedKey]{s: s, kind: "key"} }

// APIKey is an API key as stored: the secret only as a hash.
type APIKey struct {
	cms.Key
	SecretHash []byte
	version    int64
}

func apiKey(d Doc[storedKey]) APIKey {
	return APIKey{Key: d.Value.Key, SecretHash: d.Value.SecretHash, version: d.Version}
}

// APIKey reads a key by its id; ErrNotFound when there is none.
func (s *Store) APIKey(ctx context.Context, id string) (APIKey, error) {
	d, err := s.keyDocs().Get(ctx, id)
	return apiKey(d), err
}

// APIKeys lists all keys.
func (s *Store) APIKeys(ctx context.Context) ([]APIKey, error) {
	docs, err := s.keyDocs().All(ctx)
	keys := make([]APIKey, 0, len(docs))
	for _, d := range docs {
		keys = append(keys, apiKey(d))
	}
	return keys, err
}

// PutAPIKey creates a key, or changes one that was read before.
func (t *Tx) PutAPIKey(k APIKey) {
	doc := Doc[storedKey]{ID: k.ID, Version: k.version, Value: storedKey{k.Key, k.SecretHash}}
	byPublic := t.s.keyDocs().item(k.ID, k.version+1, doc.Value)
	byPublic.Key = publicKeyKey(k.PublicKey)
	t.put(byPublic)
	if k.version == 0 {
		t.s.keyDocs().Create(t, k.ID, doc.Value, ErrOvertaken)
		return
	}
	t.s.keyDocs().Update(t, doc)
}

// DeleteAPIKey revokes a key: the very next request with it is refused.
func (t *Tx) DeleteAPIKey(k APIKey) {
	t.delete(publicKeyKey(k.PublicKey))
	t.s.keyDocs().Delete(t, Doc[storedKey]{ID: k.ID, Version: k.version})
}

// Opening is what every authenticated request needs to know, read in one round trip.
type Opening struct {
	Site *Site
	Key  *APIKey // nil: no key has this public part
}

// Open reads the key and the configuration for a request.
func (s *Store) Open(ctx context.Context, publicKey string) (Opening, error) {
	keys := []table.Key{configKey(randomShard())}
	if publicKey != "" && len(publicKey) <= 100 {
		keys = append(keys, publicKeyKey(publicKey))
	}
	items, err := s.table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return Opening{}, err
	}
	site, err := s.siteAt(ctx, items[0])
	if err != nil || len(items) < 2 || items[1] == nil {
		return Opening{Site: site}, err
	}
	key, err := s.cachedKey(publicKey, items[1])
	return Opening{Site: site, Key: key}, err
}

// CachedKey is the key as last seen by this process, nil when it was not seen yet. It may be out of date.
func (s *Store) CachedKey(publicKey string) *APIKey {
	s.site.mu.RLock()
	defer s.site.mu.RUnlock()
	if d := s.site.keys[publicKey]; d != nil {
		k := apiKey(*d)
		return &k
	}
	return nil
}

// maxCachedKeys bounds the memory of the cache; a site has a handful of keys.
const maxCachedKeys = 1000

func (s *Store) cachedKey(publicKey string, item *table.Item) (*APIKey, error) {
	s.site.mu.RLock()
	d := s.site.keys[publicKey]
	s.site.mu.RUnlock()
	if d == nil || d.Version != item.Version {
		d = &Doc[storedKey]{Version: item.Version}
		if err := unmarshal(item.Body, &d.Value); err != nil {
			return nil, err
		}
		s.site.mu.Lock()
		if s.site.keys == nil || len(s.site.keys) >= maxCachedKeys {
			s.site.keys = map[string]*Doc[storedKey]{}
		}
		s.site.keys[publicKey] = d
		s.site.mu.Unlock()
	}
	k := apiKey(*d)
	return &k, nil
}

// SameVersion tells whether two readings of a key are of the same version of the same key.
func (k *APIKey) SameVersion(other *APIKey) bool {
	return k != nil && other != nil && k.ID == other.ID && k.version == other.version
}

// Count counts one request of a key in the running minute, if that stays within limit. It returns the count, and ok false past the limit.
func (s *Store) Count(ctx context.Context, keyID string, limit int64) (n int64, ok bool, err error) {
	now := s.now().Unix()
	n, err = s.table.Add(ctx, limitKey(keyID, now/60), 1, limit, now+120)
	if errors.Is(err, table.ErrLimit) {
		return limit, false, nil
	}
	return n, err == nil, err
}
