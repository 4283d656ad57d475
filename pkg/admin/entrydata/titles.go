package entrydata

import (
	"headless/pkg/admin/frame"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/input"
	"headless/pkg/site"
)

// maxTitles is the number of entries that a page reads to name them.
const maxTitles = 100

// Named returns the first entries of a list that the user may read, by id. of returns the slug of the model and the id
// of an item.
func Named[T any](c *frame.Call, now *site.Site, store *content.Store, list []T,
	of func(T) (model, id string)) (map[string]*cms.Entry, error) {
	ctx := c.R.Context()
	found := map[string]*cms.Entry{}
	var refs []content.Reference
	for _, item := range list {
		model, given := of(item)
		if _, seen := found[given]; seen {
			continue
		}
		found[given] = nil
		if id, ok := input.CanonicalID(given); ok && now.Models[model] != nil && len(refs) < maxTitles {
			refs = append(refs, content.Reference{Model: now.Models[model], ID: id})
		}
	}
	entries, err := store.EntriesByID(ctx, refs)
	for i, e := range entries {
		if e != nil && cms.PermissionsOf(ctx).May(cms.ActionRead, refs[i].Model.Slug, e.Locale) {
			found[e.ID] = e
		}
	}
	return found, err
}

// Titles returns the titles of the entries that Named returns. Others have their id as title.
func Titles[T any](c *frame.Call, now *site.Site, store *content.Store, list []T,
	of func(T) (model, id string)) (map[string]string, error) {
	entries, err := Named(c, now, store, list, of)
	titles := map[string]string{}
	for id, e := range entries {
		if titles[id] = id; e != nil {
			titles[id] = e.Title
		}
	}
	return titles, err
}
