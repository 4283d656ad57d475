package planpages

import (
	"regexp"
	"strings"
	"sync"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/input"
	"headless/pkg/planning"
	"headless/pkg/site"
)

// maxTitles is the number of entries that a page reads to show their titles.
const maxTitles = 100

// titlesOf returns the titles of the first entries that the user may read, by id. Others have their id as title.
func titlesOf(c *frame.Call, store *content.Store, items []planning.ReleaseItem) (map[string]string, error) {
	ctx := c.R.Context()
	site, err := store.Site(ctx)
	if err != nil {
		return nil, err
	}
	titles := map[string]string{}
	var refs []content.Reference
	for _, item := range items {
		titles[item.ID] = item.ID
		if id, ok := input.CanonicalID(item.ID); ok && site.Models[item.Model] != nil && len(refs) < maxTitles {
			refs = append(refs, content.Reference{Model: site.Models[item.Model], ID: id})
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

// problemAt finds the paths that cms.Error.Describe writes before the problems of fields.
var problemAt = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(` ((?:data|seo)\.[\w.]+|title|slug): `)
})

// reasonOf says why something failed, with the labels of fields for their paths.
func reasonOf(m *site.Model, message string) say.Text {
	at := problemAt().FindAllStringSubmatchIndex(message, -1)
	if len(at) == 0 {
		return say.Known(message)
	}
	parts := []say.Text{say.Known(message[:at[0][0]])}
	for i, found := range at {
		end := len(message)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		parts = append(parts, say.F("{1}: {2}.", entrydata.PathLabel(m, message[found[2]:found[3]]),
			say.KnownAll(strings.Split(strings.TrimSuffix(message[found[1]:end], "."), ", "))))
	}
	return say.Sentences(parts...)
}
