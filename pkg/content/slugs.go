package content

import (
	"context"
	"slices"
	"sync"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/redirects"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// slugCache stores which entry a slug led to, so that a repeated read by slug fetches slug and
// entry in one round trip. It is only a guess: the slug's own row, which is read with the entry,
// decides.
type slugCache struct {
	mu  sync.RWMutex
	ids map[table.Key]string
}

const maxCachedSlugs = 50_000

func (c *slugCache) slugOwner(key table.Key) string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.ids[key]
}

func (c *slugCache) putSlug(key table.Key, id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ids == nil || len(c.ids) >= maxCachedSlugs {
		c.ids = map[table.Key]string{}
	}
	c.ids[key] = id
}

// EntryBySlug reads an entry by its slug in a locale, without decoding it, and with its translation
// group if withGroup is set. It returns ErrNotFound if there is none.
func (s *Store) EntryBySlug(ctx context.Context, m *site.Model, locale, slug string,
	withGroup bool) (EntryItem, error) {
	return s.entryBehind(ctx, m, slugKey(m.ID, m.KeyLocale(locale), slug), withGroup)
}

// SingleJSON is EntryJSON for the one entry of a single-type model in a locale.
func (s *Store) SingleJSON(ctx context.Context, m *site.Model, locale string) ([]byte, error) {
	item, err := s.entryBehind(ctx, m, uniqueKey(m.ID, m.KeyLocale(locale), singlePlace, ""), false)
	return item.JSON, err
}

// entryBehind reads the entry whose id is in the row of key.
func (s *Store) entryBehind(ctx context.Context, m *site.Model, key table.Key, withGroup bool) (EntryItem, error) {
	guess := s.slugs.slugOwner(key)
	keys := []table.Key{key}
	if guess != "" {
		keys = append(keys, itemKeys(m, guess, withGroup)...)
	}
	items, err := s.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return EntryItem{}, err
	}
	if items[0] == nil {
		return EntryItem{}, db.ErrNotFound
	}
	id := string(items[0].Body)
	if id == guess && items[1] != nil {
		return readItem(ctx, m, items[1:])
	}
	s.slugs.putSlug(key, id)
	return s.EntryByID(ctx, m, id, withGroup)
}

// Redirects opens the redirects of the site. They use SlugHolders to check which slugs are in use.
func (s *Store) Redirects() *redirects.Store {
	return redirects.Open(s.Store, s.SlugHolders, s.homes, s.TreePlaces)
}

// homes returns the places of a model's home in some locales, where it is published.
func (s *Store) homes(ctx context.Context, m *site.Model, locales []string) ([]cms.Place, error) {
	ids, err := s.SlugHolders(ctx, m, slice.Map(locales,
		func(locale string) redirects.Slug { return redirects.Slug{Locale: locale, Slug: m.Home} }))
	if err != nil {
		return nil, err
	}
	ids = slice.Distinct(slice.Filled(ids))
	found, err := s.AddressesAbove(ctx, ids)
	var list []cms.Place
	for _, id := range ids {
		if a := found[id]; a.Status == cms.StatusPublished && slices.Contains(locales, a.Locale) {
			list = append(list, a.Place(id))
		}
	}
	return list, err
}

// SlugHolders returns for each slug the id of the entry that has it, whatever its status, "" if none
// (see redirects.Holders).
func (s *Store) SlugHolders(ctx context.Context, m *site.Model, slugs []redirects.Slug) ([]string, error) {
	return s.SpotHolders(ctx, slice.Map(slugs,
		func(v redirects.Slug) redirects.Spot { return redirects.Spot{Model: m, Locale: v.Locale, Slug: v.Slug} }))
}

// SpotHolders returns for each spot the id of the entry that is there, whatever its status, "" if none. It
// takes one round trip.
func (s *Store) SpotHolders(ctx context.Context, spots []redirects.Spot) ([]string, error) {
	return redirects.ReadHolders(ctx, s.DB, spots, func(spot redirects.Spot) table.Key {
		m, locale := spot.Model, spot.Model.KeyLocale(spot.Locale)
		if spot.Slug == "" {
			return uniqueKey(m.ID, locale, singlePlace, "")
		}
		return slugKey(m.ID, locale, spot.Slug)
	})
}
