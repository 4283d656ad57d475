package api

import (
	"net/http"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/search"
	"headless/pkg/site"
)

// tagHeader asks for the tags of an answer with the value 1, and carries them in the answer
// (extensions §8).
const tagHeader = "X-Cache-Tags"

// setTags shows what an answer is made of.
func setTags(h http.Header, tags *cms.Tags) {
	if names := tags.Names(cms.MaxTags - 1); len(names) > 0 { // one less: the delivery API adds that of the key
		h.Set(tagHeader, strings.Join(names, ","))
	}
}

// tagItems notes the entries of an answer.
func (c *Call) tagItems(m *site.Model, items []content.EntryItem) error {
	if c.tags == nil {
		return nil
	}
	for i := range items {
		head, err := headOf(items[i].JSON)
		if err != nil {
			return err
		}
		c.tags.Entry(m.Slug, head.ID)
	}
	return nil
}

// tagSearch notes what a search looked at and what it found.
func (c *Call) tagSearch(q search.Query, found []search.Result) {
	if c.tags == nil {
		return
	}
	c.tags.Add(cms.TagSchema)
	for slug, m := range c.Site.Models {
		switch {
		case !m.IsActive || q.Models != nil && !slices.Contains(q.Models, slug):
		case m.Localized:
			c.tags.List(slug, q.Locales...)
		default:
			c.tags.List(slug, c.Site.Codes()...)
		}
	}
	for _, r := range found {
		c.tags.Entry(r.Model, r.ID)
	}
}
