package store

import (
	"context"
	"errors"
	"slices"
	"strconv"
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
	return s.entryJSONBehind(ctx, m, locale, func(place string) table.Key { return slugKey(m.ID, place, slug) })
}

// SingleJSON reads the one entry of a single-type model in a locale, undecoded; ErrNotFound when there is none.
func (s *Store) SingleJSON(ctx context.Context, m *Model, locale string) ([]byte, error) {
	return s.entryJSONBehind(ctx, m, locale, func(place string) table.Key { return uniqueKey(m.ID, place, singlePlace, "") })
}

// entryJSONBehind reads the entry that a row of its place leads to by its id.
func (s *Store) entryJSONBehind(ctx context.Context, m *Model, locale string, row func(place string) table.Key) ([]byte, error) {
	if earlier := m.earlierPlaces(locale); len(earlier) > 0 {
		return s.entryJSONMoving(ctx, m, locale, append(earlier, m.place(locale)), row)
	}
	key := row(m.place(locale))
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

// entryJSONMoving is entryJSONBehind while entries move between places: each is looked at, and once more, since an entry may move while they are.
func (s *Store) entryJSONMoving(ctx context.Context, m *Model, locale string, places []string, row func(place string) table.Key) ([]byte, error) {
	keys := make([]table.Key, len(places))
	for i, place := range places {
		keys[i] = row(place)
	}
	for range 2 {
		items, err := s.table.Get(ctx, table.Strong, keys...)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			if item == nil {
				continue
			}
			raw, err := s.EntryJSON(ctx, m, string(item.Body))
			if errors.Is(err, ErrNotFound) {
				continue
			}
			if err != nil {
				return nil, err
			}
			e, err := decodeEntryJSON(raw)
			if err != nil {
				return nil, err
			}
			if m.place(e.Locale) == m.place(locale) {
				return raw, nil
			}
		}
	}
	return nil, ErrNotFound
}

// FreeSlug finds one of base, base-2, base-3… that no entry of the model and locale has: the first, or where many are taken one that follows a
// taken one, in a number of reads that grows with the logarithm of theirs.
func (s *Store) FreeSlug(ctx context.Context, m *Model, locale, base string) (string, error) {
	taken, step := 0, 1
	places := append(m.earlierPlaces(locale), m.place(locale))
	for {
		var keys []table.Key
		for i := range slugsAtOnce {
			for _, place := range places {
				keys = append(keys, slugKey(m.ID, place, numbered(base, taken+(i+1)*step)))
			}
		}
		items, err := s.table.Get(ctx, table.Strong, keys...)
		if err != nil {
			return "", err
		}
		free := -1
		for i := 0; i < len(items) && free < 0; i += len(places) {
			if !slices.ContainsFunc(items[i:i+len(places)], func(item *table.Item) bool { return item != nil }) {
				free = i / len(places)
			}
		}
		switch {
		case free >= 0 && step == 1:
			return numbered(base, taken+free+1), nil
		case free >= 0: // look closer behind the last that is taken
			taken, step = taken+free*step, (step+slugsAtOnce-1)/slugsAtOnce
		default: // look further
			taken, step = taken+slugsAtOnce*step, step*slugsAtOnce
		}
	}
}

// slugsAtOnce is how many candidates are looked up together.
const slugsAtOnce = 20

func numbered(base string, n int) string {
	if n == 1 {
		return base
	}
	return base + "-" + strconv.Itoa(n)
}
