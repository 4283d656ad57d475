package api

import (
	"cmp"
	"errors"
	"sync/atomic"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/redirects"
	"headless/pkg/site"
	"headless/pkg/translations"
)

// bySlug answers a request for the slug of an entry. On the delivery API, a former slug under which
// the entry was published leads to the entry, unless another entry has the slug now (extensions
// §8).
func (h entries) bySlug(c *pipeline.Call, m *site.Model, slug string) (pipeline.Answer, error) {
	var held atomic.Bool
	answer, err := h.one(c, m, true, func(locale string) (content.EntryItem, error) {
		item, err := h.service.Store.EntryBySlug(c.Context(), m, locale, slug, wantsFallback(c))
		if err == nil {
			held.Store(true)
		}
		return item, err
	})
	if !c.Delivery || held.Load() || cms.CodeOf(err) != cms.CodeEntryNotFound {
		return answer, err
	}
	moved, errMoved := h.redirectFormer(c, m, slug)
	if errors.Is(errMoved, db.ErrNotFound) {
		return answer, err
	}
	return moved, errMoved
}

// redirectFormer answers a request for a former slug; ErrNotFound if it leads to nothing that the caller may
// see.
func (h entries) redirectFormer(c *pipeline.Call, m *site.Model, slug string) (pipeline.Answer, error) {
	locale := cmp.Or(askedLocale(c), c.Site.Default)
	locales := []string{locale}
	if wantsFallback(c) && m.Localized {
		locales = translations.LookupOrder(c.Site, c.Site.Chain(locale))
	}
	ids, err := redirects.Former(c.Context(), h.service.Store.DB, m, slug, locales...)
	if err != nil {
		return pipeline.Answer{}, err
	}
	for _, id := range ids {
		e, err := h.service.Store.Entry(c.Context(), m, id)
		if errors.Is(err, db.ErrNotFound) || err == nil &&
			(!h.sees(c)(m, e) || len(locales) == 1 && m.KeyLocale(e.Locale) != m.KeyLocale(locale)) {
			continue
		}
		if err != nil {
			return pipeline.Answer{}, err
		}
		answer, err := h.one(c, m, false, func(string) (content.EntryItem, error) {
			return h.service.Store.EntryByID(c.Context(), m, id, wantsFallback(c))
		})
		if cms.CodeOf(err) == cms.CodeEntryNotFound {
			continue
		}
		c.Tags.Add(cms.TagPaths)
		c.Tags.Entry(m.Slug, id)
		meta, _ := answer.Meta.(EntryMeta)
		meta.MovedTo = cmp.Or(meta.slug, e.Slug)
		answer.Meta = meta
		return answer, err
	}
	return pipeline.Answer{}, db.ErrNotFound
}
