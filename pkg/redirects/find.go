package redirects

import (
	"context"
	"errors"
	"strings"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/table"
)

// Spot is a slug of a model in a locale; "" is the slug of the one entry of a single-type model.
type Spot struct {
	Model  *site.Model
	Locale string
	Slug   string
}

// From finds the redirect from a path in the form of CleanPath, with or without a slash at its end,
// escaped or not. It returns nil if there is none.
func (s *Store) From(ctx context.Context, path string) (*Redirect, error) {
	names := spellings(path)
	found := make([]*Redirect, len(names))
	var g errgroup.Group
	for i, name := range names {
		g.Go(func() error {
			d, err := docs(s.DB).ByName(ctx, name)
			if errors.Is(err, db.ErrNotFound) {
				return nil
			}
			found[i] = &d.Value
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, r := range found {
		if r != nil {
			return r, nil
		}
	}
	return nil, nil
}

// maxFollowed is how many redirects Final follows.
const maxFollowed = 10

// Final returns where a path of the site leads by redirects: the path itself if by none. ok is false
// if it leads back to the path from.
func (s *Store) Final(ctx context.Context, siteNow *site.Site, siteURL, from,
	path string) (to string, ok bool, err error) {
	g := newGraph(siteNow, siteURL)
	to = path
	for range maxFollowed {
		local := g.pathOf(to)
		if local == from {
			return "", false, nil
		}
		if !strings.HasPrefix(local, "/") {
			break
		}
		r, err := s.From(ctx, local)
		if err != nil {
			return "", false, err
		}
		if r == nil || r.To == nil {
			break
		}
		to = *r.To
	}
	return to, true, nil
}

// FormerHolders returns for each spot the id of the entry that last gave up its slug, "" if none.
func FormerHolders(ctx context.Context, d *db.DB, spots []Spot) ([]string, error) {
	return ReadHolders(ctx, d, spots, func(s Spot) table.Key {
		return formerKey(s.Model.ID, s.Model.KeyLocale(s.Locale), s.Slug)
	})
}

// ReadHolders reads the rows of some spots in one round trip. It returns the id in each, "" if there
// is no row.
func ReadHolders(ctx context.Context, d *db.DB, spots []Spot, key func(Spot) table.Key) ([]string, error) {
	ids := make([]string, len(spots))
	if len(spots) == 0 {
		return ids, nil
	}
	var keys []table.Key
	at, known := make([]int, len(spots)), map[table.Key]int{} // in keys, which may not repeat
	for i, spot := range spots {
		k := key(spot)
		if _, ok := known[k]; !ok {
			known[k], keys = len(keys), append(keys, k)
		}
		at[i] = known[k]
	}
	items, err := d.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	for i := range spots {
		if item := items[at[i]]; item != nil {
			ids[i] = string(item.Body)
		}
	}
	return ids, nil
}

// FormerPlaces returns for each entry of a list of models and ids its present place and its former
// places, nil for an entry that has only one place.
func FormerPlaces(ctx context.Context, d *db.DB, models []*site.Model, ids []string) ([][]cms.Place, error) {
	lists := make([][]cms.Place, len(ids))
	if len(ids) == 0 {
		return lists, nil
	}
	keys := make([]table.Key, len(ids))
	for i, id := range ids {
		keys[i] = trailKey(models[i].ID, id)
	}
	items, err := d.Table.Get(ctx, table.Strong, keys...)
	for i, item := range items {
		if item == nil {
			continue
		}
		tr, err := decodeTrail(item)
		if err != nil {
			return nil, err
		}
		lists[i] = tr.places()
	}
	return lists, err
}
