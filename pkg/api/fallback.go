package api

import (
	"cmp"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/groups"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/translations"
)

// wantsFallback reports whether a read accepts the best translation instead of a missing one
// (extensions §3).
func wantsFallback(c *pipeline.Call) bool { return c.R.URL.Query().Get("fallback") == "true" }

// askedLocale returns the locale that a read requests, "" if it names none. The parameter locale
// wins over the filter (extensions §1).
func askedLocale(c *pipeline.Call) string {
	if q := c.R.URL.Query(); q.Has("locale") {
		return q.Get("locale")
	} else {
		return q.Get("filter[locale]")
	}
}

// oneBest returns the best translation of an entry for a requested locale. read finds the entry of
// the path in a locale. The first visible entry counts, in the order of the locale's fallback chain
// and then of the site's locales. byLocale means that read finds a different entry in each locale.
func (h entries) oneBest(c *pipeline.Call, m *site.Model, v *view, locale string, byLocale bool,
	read func(locale string) (content.EntryItem, error)) (pipeline.Answer, error) {
	c.Tags.Model(m.Slug) // a translation that is published later may replace this one
	chain := c.Site.Chain(locale)
	order := chain[:1]
	if byLocale {
		order = translations.LookupOrder(c.Site, chain)
	}
	found, err := h.readSeen(c, m, order, read)
	if err != nil {
		return pipeline.Answer{}, err
	}
	best, single := found[0].Entry, namesSingle(m, c.R.PathValue("idOrSlug"))
	switch {
	case single && !slices.Contains(chain, best.Locale):
		return pipeline.Answer{}, content.ErrEntryNotFound
	case !single && best.Locale != locale:
		list, err := h.pick(c, v, chain, func(e *cms.Entry) bool { return h.sees(c)(m, e) }, found[:1])
		if err != nil {
			return pipeline.Answer{}, err
		}
		if best = list[0]; best == nil {
			return pipeline.Answer{}, content.ErrEntryNotFound
		}
	}
	v.about.Locale, v.about.RequestedLocale, v.about.slug = best.Locale, locale, best.Slug
	return showOne(c, m, v, best)
}

// oneOfAny returns the visible entry of a single-type model in the default locale, else in the
// first other locale that has one.
func (h entries) oneOfAny(c *pipeline.Call, m *site.Model, v *view,
	read func(locale string) (content.EntryItem, error)) (pipeline.Answer, error) {
	c.Tags.Model(m.Slug) // an entry in the default locale may be published later
	found, err := h.readSeen(c, m, translations.LookupOrder(c.Site, []string{c.Site.Default}), read)
	if err != nil {
		return pipeline.Answer{}, err
	}
	return showOne(c, m, v, found[0].Entry)
}

// readSeen reads the entry of each locale and returns the visible ones, in the same order;
// ErrNotFound if there is none.
func (h entries) readSeen(c *pipeline.Call, m *site.Model, order []string,
	read func(locale string) (content.EntryItem, error)) ([]translations.Candidate, error) {
	found := make([]translations.Candidate, len(order))
	var g errgroup.Group
	for i, code := range order {
		g.Go(func() error {
			item, err := read(code)
			if errors.Is(err, db.ErrNotFound) {
				return nil
			}
			if err == nil {
				found[i], err = candidate(m, &item)
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(f translations.Candidate) bool {
		return f.Entry == nil || !h.sees(c)(m, f.Entry)
	})
	if len(found) == 0 {
		return nil, content.ErrEntryNotFound
	}
	return found, nil
}

// showOne returns a decoded entry as an answer.
func showOne(c *pipeline.Call, m *site.Model, v *view, e *cms.Entry) (pipeline.Answer, error) {
	raw, err := cms.Marshal(e)
	if err != nil {
		return pipeline.Answer{}, err
	}
	c.Tags.Entry(m.Slug, e.ID)
	data, err := v.render(content.EntryItem{JSON: raw, Entry: e})
	return v.answerEntry(data, v.meta()), err
}

// pick finds the best translations of entries. It reads the included entries and files in parallel.
func (h entries) pick(c *pipeline.Call, v *view, chain []string, visible func(*cms.Entry) bool,
	list []translations.Candidate) (best []*cms.Entry, err error) {
	g, ctx := errgroup.WithContext(c.Context())
	g.Go(func() (err error) {
		best, err = translations.Pick(ctx, h.service.Store, chain, visible, list)
		return err
	})
	g.Go(func() error {
		data := slice.Map(list, func(l translations.Candidate) map[string]any { return l.Entry.Data })
		return v.include.ReadAhead(ctx, h.service.Store, data...)
	})
	return best, g.Wait()
}

// originals returns the locale that a list with fallback requests, and its fallback chain. The list
// shows the entries of the last locale in the chain, each in its best translation.
func originals(c *pipeline.Call, filters []query.Filter) (asked string, chain []string, err error) {
	asked = askedLocale(c)
	if !c.R.URL.Query().Has("locale") {
		asked = cmp.Or(asked, c.Site.Default)
		for _, f := range filters {
			if f.Path == "locale" && f.Op != query.OpEq {
				asked = "filter[locale][" + string(f.Op) + "]" // not a locale
			}
		}
	}
	if l := c.Site.Locale(asked); l == nil || !l.IsActive {
		return "", nil, cms.Errorf(cms.CodeBadRequest,
			"With fallback, locale must be an active locale, not %q.", cms.Shorten(asked))
	}
	return asked, c.Site.Chain(asked), nil
}

// candidate returns an item that was read with its translation group.
func candidate(m *site.Model, item *content.EntryItem) (translations.Candidate, error) {
	e, err := item.Decoded()
	if err != nil {
		return translations.Candidate{}, err
	}
	g, err := groups.Decode(item.Beside)
	return translations.Candidate{Model: m, Entry: e, Group: g}, err
}

// translatePage replaces the entries of a page by their best visible translations.
func (h entries) translatePage(c *pipeline.Call, m *site.Model, v *view, chain []string, statuses []cms.Status,
	items []content.EntryItem) error {
	list := make([]translations.Candidate, len(items))
	for i := range items {
		var err error
		if list[i], err = candidate(m, &items[i]); err != nil {
			return err
		}
	}
	seen := func(e *cms.Entry) bool { return c.Sees(m, e) && slices.Contains(statuses, e.Status) }
	best, err := h.pick(c, v, chain, seen, list)
	if err != nil {
		return err
	}
	for i, e := range best {
		if e == nil || e.ID == list[i].Entry.ID {
			continue
		}
		raw, err := cms.Marshal(e)
		if err != nil {
			return err
		}
		items[i] = content.EntryItem{JSON: raw, Entry: e, Score: items[i].Score}
	}
	return nil
}
