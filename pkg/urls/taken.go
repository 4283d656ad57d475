package urls

import (
	"context"
	"maps"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/redirects"
	"headless/pkg/site"
)

// Taken returns those of some former paths of entries where a published entry of another model is now, which goes
// before the redirect. It reads nothing unless the templates of several models fit a path.
func Taken(ctx context.Context, store *content.Store, now *site.Site, paths []string) (map[string]bool, error) {
	matches, held := map[string][]Match{}, map[redirects.Spot]string{}
	for _, path := range paths {
		list := Matches(now, redirects.CleanPath(path))
		if !slices.ContainsFunc(list, func(m Match) bool { return m.Model != list[0].Model }) {
			continue
		}
		matches[path] = list
		for _, m := range list {
			held[m.spot(m.Slug)] = ""
		}
	}
	spots := slices.Collect(maps.Keys(held))
	ids, err := store.SpotHolders(ctx, spots)
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		held[spots[i]] = id
	}
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == "" })
	found, err := store.AddressesAbove(ctx, ids)
	taken := map[string]bool{}
	for path, list := range matches {
		for _, m := range list {
			id := held[m.spot(m.Slug)]
			a, known := found[id]
			if known && a.Status == cms.StatusPublished && m.covers(a.Locale) &&
				pathOn(now, m.Model, a.Place(id)) == redirects.CleanPath(path) {
				taken[path] = true
			}
		}
	}
	return taken, err
}
