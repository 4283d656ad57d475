package entrydata

import (
	"headless/pkg/admin/frame"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/input"
	"headless/pkg/site"
)

// maxTitles is the number of entries that a page reads to show their titles.
const maxTitles = 100

// Titles returns the titles of the first entries of a list that the user may read, by id. Others have their id as
// title. of returns the slug of the model and the id of an item.
func Titles[T any](c *frame.Call, now *site.Site, store *content.Store, list []T,
	of func(T) (model, id string)) (map[string]string, error) {
	ctx := c.R.Context()
	titles := map[string]string{}
	var refs []content.Reference
	for _, item := range list {
		model, given := of(item)
		if titles[given] != "" {
			continue
		}
		titles[given] = given
		if id, ok := input.CanonicalID(given); ok && now.Models[model] != nil && len(refs) < maxTitles {
			refs = append(refs, content.Reference{Model: now.Models[model], ID: id})
		}
	}
	entries, err := store.EntriesByID(ctx, refs)
	for i, e := range entries {
		if e != nil && cms.PermissionsOf(ctx).May(cms.ActionRead, refs[i].Model.Slug, e.Locale) {
			titles[e.ID] = e.Title
		}
	}
	return titles, err
}
