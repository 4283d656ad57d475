package store

import (
	"context"
	"sync"

	"headless/pkg/table"
)

// slugCache remembers which entry a slug led to, so that a warm read by slug fetches slug and entry in one round trip.
// What it says is only a guess: the slug's own row, read beside, decides.
type slugCache struct {
	mu  sync.RWMutex
	ids map[table.Key]string
}

const maxCachedSlugs = 50_000

func (c *slugCache) get(key table.Key) string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.ids[key]
}

func (c *slugCache) put(key table.Key, id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ids == nil || len(c.ids) >= maxCachedSlugs {
		c.ids = map[table.Key]string{}
	}
	c.ids[key] = id
}

// EntryJSONBySlug reads an entry by its slug in a locale, undecoded; ErrNotFound when there is none.
func (s *Store) EntryJSONBySlug(ctx context.Context, m *Model, locale, slug string) ([]byte, error) {
	key := slugKey(m.ID, locale, slug)
	guess := s.slugs.get(key)
	keys := []table.Key{key}
	if guess != "" {
		keys = append(keys, entryKey(m.ID, guess))
	}
	items, err := s.table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	if items[0] == nil {
		return nil, ErrNotFound
	}
	id := string(items[0].Body)
	if id == guess && items[1] != nil {
		return unpack(items[1].Body)
	}
	s.slugs.put(key, id)
	return s.EntryJSON(ctx, m, id)
}

// SlugTaken tells whether an entry of the model and locale has the slug.
func (s *Store) SlugTaken(ctx context.Context, m *Model, locale, slug string) (bool, error) {
	_, err := s.get(ctx, slugKey(m.ID, locale, slug))
	if err == ErrNotFound {
		return false, nil
	}
	return err == nil, err
}
