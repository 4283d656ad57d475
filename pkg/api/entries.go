package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/index"
	"headless/pkg/input"
	"headless/pkg/search"
	"headless/pkg/site"
)

// ContentRoutes returns the catch-all routes of the content function.
func ContentRoutes(s *editing.Entries) []pipeline.Route {
	h := entries{service: s}
	return []pipeline.Route{
		{Method: "GET", Pattern: "/resolve", Handle: h.ahead(entries.resolve), Params: resolveParams},
		{Method: "GET", Pattern: "/menus/{slug}", Handle: h.ahead(entries.menu),
			Params: []string{"locale", "fallback", "preview"}},
		{Method: "GET", Pattern: "/{model}", Handle: h.ahead(entries.list), Params: listParams},
		{Method: "POST", Pattern: "/{model}", Handle: h.create, Scope: cms.ScopeWrite,
			Params: []string{"draft", "refs"}, Made: h.answerCreate},
		{Method: "GET", Pattern: "/{model}/{idOrSlug}", Handle: h.ahead(entries.get), Params: entryParams},
		{Method: "PUT", Pattern: "/{model}/{idOrSlug}", Handle: h.update, Scope: cms.ScopeWrite,
			Params: []string{"locale", "refs", "children"}},
		{Method: "DELETE", Pattern: "/{model}/{idOrSlug}", Handle: h.delete, Scope: cms.ScopeDelete,
			Params: []string{"locale", "if_unused", "children"}},
		{Method: "GET", Pattern: pipeline.BelowEntry + "draft", Handle: h.draft,
			Params: []string{"locale", "refs", "urls"}},
		{Method: "PUT", Pattern: pipeline.BelowEntry + "draft", Handle: h.saveDraft, Scope: cms.ScopeWrite,
			Params: []string{"locale", "refs"}},
		{Method: "DELETE", Pattern: pipeline.BelowEntry + "draft", Handle: h.discardDraft,
			Scope: cms.ScopeWrite, Params: []string{"locale"}},
		{Method: "POST", Pattern: pipeline.BelowEntry + "publish", Handle: h.publish, Scope: cms.ScopeWrite,
			Params: []string{"locale", "refs"}, Made: h.answerChange},
		{Method: "POST", Pattern: pipeline.BelowEntry + "unpublish", Handle: h.unpublish,
			Scope: cms.ScopeWrite, Params: []string{"locale", "refs", "children"}, Made: h.answerChange},
	}
}

// The query parameters of reads.
var (
	listParams = []string{"page", "per_page", "cursor", "sort", "filter", "q", "include", "fields",
		"locale", "version", "translations", "fallback", "images", "preview", "refs", "richtext", "urls", "source"}
	entryParams = []string{"locale", "filter[locale]", "include", "fields", "version",
		"translations", "fallback", "images", "preview", "refs", "richtext", "urls", "source"}
)

type entries struct {
	service *editing.Entries
	laid    bool        // service shows the site as it will be
	token   *tokenEntry // of a preview of one entry; nil without one
}

// list answers GET /{model}: a page of entries, or the object of a single-type model.
func (h entries) list(c *pipeline.Call) (pipeline.Answer, error) {
	c.Tags.Add(cms.TagSchema)
	if _, err := wantsDrafts(c); err != nil {
		return pipeline.Answer{}, err
	}
	m, err := c.Site.ActiveModel(c.R.PathValue("model"))
	if err != nil {
		return pipeline.Answer{}, err
	}
	if m.Kind == cms.KindSingle {
		answer, err := h.get(c)
		answer.Params = entryParams
		return answer, err
	}
	if h.previews(c) {
		return pipeline.Answer{}, h.previewOfList(c)
	}
	v, err := h.view(c, m)
	if err != nil {
		return pipeline.Answer{}, err
	}
	q, err := h.listQuery(c, m, v)
	if err != nil {
		return pipeline.Answer{}, err
	}
	c.Tags.List(m.Slug, q.Locales...)
	page, err := search.List(c.Context(), h.service.Store, c.Site, m, q.EntryQuery)
	if err != nil {
		return pipeline.Answer{}, err
	}
	if q.Beside {
		c.Tags.Model(m.Slug) // a translation that is published later replaces an item
		if err := h.translatePage(c, m, v, q.chain, q.Statuses, page.Items); err != nil {
			return pipeline.Answer{}, err
		}
	}
	if err := tagItems(c, m, page.Items); err != nil {
		return pipeline.Answer{}, err
	}
	data, err := v.renderAll(page.Items)
	meta := pipeline.MetaOf(page)
	meta.RequestedLocale, meta.Sources = q.requested, v.about.Sources
	return pipeline.Answer{Data: data, Meta: meta}, err
}

// listRequest is what a request asks of a list. With fallback=true it finds originals, each with its
// translations beside it.
type listRequest struct {
	content.EntryQuery
	requested string   // locale, only with fallback=true
	chain     []string // locales from the requested one to that of the originals, only with fallback=true
}

// listQuery reads what a request asks of the list of a model.
func (h entries) listQuery(c *pipeline.Call, m *site.Model, v *view) (q listRequest, err error) {
	p, err := parseList(c.R.URL.Query(), v.listModel())
	if err != nil {
		return q, err
	}
	locale, rest := query.Take(p.Filters, "locale")
	if locale, err = listLocales(c.R.URL.Query(), locale, c.Site); err != nil {
		return q, err
	}
	status, rest := query.Take(rest, "status")
	if h.laid && strings.TrimSpace(p.Q) != "" {
		return q, errPreviewSearch
	}
	if wantsFallback(c) {
		if q.requested, q.chain, err = originals(c, p.Filters); err != nil {
			return q, err
		}
		locale = nil
		if m.Localized {
			locale = []query.Filter{{Path: "locale", Op: query.OpEq, Values: q.chain[len(q.chain)-1:]}}
		}
	}
	q.Locales = locales(locale, c)
	if !m.Localized {
		q.Locales = c.Site.Codes()
		rest = append(rest, withoutAny(locale)...)
	}
	q.ListQuery = index.ListQuery{Paging: p.Paging, Cursor: p.Cursor, Sort: p.Sort, Filters: rest,
		Beside: len(q.chain) > 1 && m.Localized}
	q.Statuses, q.Q, q.Public = statuses(status, c.SeesAll()), p.Q, !c.IsAdmin()
	return q, nil
}

// get answers GET /{model}/{idOrSlug}, /{model}/single, and /{model} of a single-type model.
func (h entries) get(c *pipeline.Call) (pipeline.Answer, error) {
	c.Tags.Add(cms.TagSchema)
	if _, err := wantsDrafts(c); err != nil {
		return pipeline.Answer{}, err
	}
	m, err := c.Site.ActiveModel(c.R.PathValue("model"))
	if err != nil {
		return pipeline.Answer{}, err
	}
	if h.previews(c) {
		return h.preview(c, m)
	}
	return h.path(c, m)
}

// path answers a read of the entry that the path names.
func (h entries) path(c *pipeline.Call, m *site.Model) (pipeline.Answer, error) {
	what := c.R.PathValue("idOrSlug")
	if m.ReservesSlug(what) && h.token == nil {
		return h.tree(c, m)
	}
	if namesSingle(m, what) {
		return h.single(c, m)
	}
	id, ok := input.CanonicalID(what)
	if !ok {
		if cms.SlugProblem(what) != "" {
			return pipeline.Answer{}, content.ErrEntryNotFound
		}
		return h.bySlug(c, m, what)
	}
	return h.one(c, m, false, func(string) (content.EntryItem, error) {
		return h.service.Store.EntryByID(c.Context(), m, id, wantsFallback(c))
	})
}

// namesSingle reports whether a path segment, which may be missing, stands for the entry of a single-type model in
// the requested locale.
func namesSingle(m *site.Model, segment string) bool {
	return m.Kind == cms.KindSingle && (segment == "single" || segment == "")
}

func (h entries) single(c *pipeline.Call, m *site.Model) (pipeline.Answer, error) {
	return h.one(c, m, true, func(locale string) (content.EntryItem, error) {
		raw, err := h.service.Store.SingleJSON(c.Context(), m, locale)
		return content.EntryItem{JSON: raw}, err
	})
}

// one reads and returns a single entry. The entry must have the requested locale, unless the
// request accepts the best translation. byLocale means that read finds a different entry in each
// locale.
func (h entries) one(c *pipeline.Call, m *site.Model, byLocale bool,
	read func(locale string) (content.EntryItem, error)) (pipeline.Answer, error) {
	v, err := h.view(c, m)
	if err != nil {
		return pipeline.Answer{}, err
	}
	asked := askedLocale(c)
	locale := cmp.Or(asked, c.Site.Default)
	if asked == "any" && m.Kind == cms.KindSingle && !wantsFallback(c) {
		return h.oneOfAny(c, m, v, read)
	}
	l := c.Site.Locale(locale)
	if l == nil || c.R.URL.Query().Has("locale") && asked == "" {
		return pipeline.Answer{}, content.ErrEntryNotFound
	}
	if wantsFallback(c) {
		if !l.IsActive {
			return pipeline.Answer{}, content.ErrEntryNotFound
		}
		return h.oneBest(c, m, v, locale, byLocale, read)
	}
	item, err := read(locale)
	if err != nil {
		return pipeline.Answer{}, db.Missing(err, content.ErrEntryNotFound)
	}
	if err := tagItems(c, m, []content.EntryItem{item}); err != nil {
		return pipeline.Answer{}, err
	}
	if asked != "" || !c.SeesAll() {
		// Status and locale are in the head of the stored JSON, so data is not decoded.
		head, err := headOf(item.JSON)
		if err != nil {
			return pipeline.Answer{}, err
		}
		seen := h.sees(c)(m, &cms.Entry{ID: head.ID, Locale: head.Locale, Status: head.Status})
		if asked != "" && head.Locale != asked || !seen {
			return pipeline.Answer{}, content.ErrEntryNotFound
		}
	}
	data, err := v.render(item)
	return v.answerEntry(data, v.meta()), err
}

type entryHead struct {
	ID     string
	Status cms.Status
	Locale string
}

// headOf reads the keys before data from the stored JSON of an entry.
func headOf(raw []byte) (head entryHead, err error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		return head, err
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return head, err
		}
		if key == "data" {
			return head, nil
		}
		value, err := dec.Token()
		if _, isNested := value.(json.Delim); isNested || err != nil { // without data, if fields leaves it out
			return head, err
		}
		text, _ := value.(string)
		switch key {
		case "id":
			head.ID = text
		case "status":
			head.Status = cms.Status(text)
		case "locale":
			head.Locale = text
		}
	}
	return head, nil
}
