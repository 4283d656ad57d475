package api

import (
	"slices"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/search"
	"headless/pkg/site"
)

// tagItems adds the cache tags of the entries in an answer.
func tagItems(c *pipeline.Call, m *site.Model, items []content.EntryItem) error {
	if c.Tags == nil {
		return nil
	}
	for i := range items {
		head, err := headOf(items[i].JSON)
		if err != nil {
			return err
		}
		c.Tags.Entry(m.Slug, head.ID)
	}
	return nil
}

// tagSearch adds the cache tags of a search: those of its lists and of its results.
func tagSearch(c *pipeline.Call, q search.Query, found []search.Result) {
	if c.Tags == nil {
		return
	}
	c.Tags.Add(cms.TagSchema)
	for slug, m := range c.Site.Models {
		switch {
		case !m.IsActive || q.Models != nil && !slices.Contains(q.Models, slug):
		case m.Localized:
			c.Tags.List(slug, q.Locales...)
		default:
			c.Tags.List(slug, c.Site.Codes()...)
		}
	}
	for _, r := range found {
		c.Tags.Entry(r.Model, r.ID)
	}
}
