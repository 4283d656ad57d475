package entrydata

import (
	"cmp"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/pickers"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/input"
	"headless/pkg/search"
	"headless/pkg/site"
	"headless/pkg/translations"
	"headless/pkg/viewcount"
	"headless/pkg/web"
)

// MayWrite reports whether the user may change an entry.
func (h EntryHandlers) MayWrite(c *frame.Call, m *site.Model, e *cms.Entry) bool {
	return c.MayDo(cms.ActionWrite, m.Slug, e.Locale)
}

// EntryHandlers reads entries for the pages that show them.
type EntryHandlers struct{ pickers.Library }

// ListLink returns the link to the list of the entries of a model.
func ListLink(m *site.Model) ui.Link {
	return ui.Link{Text: say.Data(m.Name), Href: ui.Base + ui.EntriesPath(m.Slug)}
}

// List returns the entries of all statuses and locales, unless filters say otherwise. It takes
// sort, filter and q, like the API. For an admin, explain=1 adds the plan of the list, also of one that
// would be refused.
func (h EntryHandlers) List(c *frame.Call, p db.Paging) (db.Page[*cms.Entry], error) {
	return h.ListFrom(c, p, c.R.URL.Query().Get("cursor"))
}

// ListFrom is List from a cursor on, whatever cursor the request has.
func (h EntryHandlers) ListFrom(c *frame.Call, p db.Paging, cursor string) (db.Page[*cms.Entry], error) {
	none := db.Page[*cms.Entry]{Paging: p}
	m, err := c.Model()
	if err != nil {
		return none, err
	}
	params := c.R.URL.Query()
	sort, err := ParseSort(c.Site, m, params.Get("sort"))
	if err != nil {
		return none, err
	}
	choice := translations.Choice{Q: params.Get("q")}
	if choice.Filters, err = ListFilters(params); err != nil {
		return none, err
	}
	q, err := choice.Query(c.R.Context(), h.Entries.Store, c.Site, m)
	if err != nil {
		return none, err
	}
	q.Paging, q.Cursor, q.Sort = p, cursor, sort
	if len(sort) == 1 && sort[0].Path == cms.SortViews {
		q.Sort = nil
		if q.Scores, err = h.views().Order(c.R.Context(), m, sort[0].Desc); err != nil {
			return none, err
		}
	}
	if c.May(cms.RoleAdmin) && params.Get("explain") == "1" {
		q.Plan = &index.Plan{Way: "none", Total: new(int)} // until a step says otherwise: nothing can match
	}
	out, err := search.Entries(c.R.Context(), h.Entries.Store, c.Site, m, q)
	if q.Plan != nil && errors.Is(err, index.ErrNotIndexed) {
		out, err = none, nil // the plan says that it is refused
	}
	if err != nil {
		return none, err
	}
	if q.Plan != nil {
		out.Plan = q.Plan
	}
	if err := h.addTranslations(c, m, out.Items...); err != nil {
		return none, err
	}
	return out, h.Mark(c, m, out.Items...)
}

func (h EntryHandlers) views() viewcount.Store { return viewcount.Store{Entries: h.Entries.Store} }

// ParseSort reads the parameter sort of a list. Beside the columns it takes views, while views are
// counted.
func ParseSort(site *site.Site, m *site.Model, text string) ([]query.SortField, error) {
	if path, desc := strings.CutPrefix(text, "-"); path == cms.SortViews && site.CountsViews() {
		return []query.SortField{{Path: path, Desc: desc}}, nil
	}
	return query.ParseSort(m.WithDrafts(), text)
}

// Mark adds to entries of a model what only the admin area shows: whether they have drafts, and
// their views.
func (h EntryHandlers) Mark(c *frame.Call, m *site.Model, entries ...*cms.Entry) error {
	if err := h.Entries.MarkDrafts(c.R.Context(), m, entries...); err != nil {
		return err
	}
	return h.views().Mark(c.R.Context(), c.Site, m, entries...)
}

// addTranslations adds the list of translations to each entry if the request asks for it.
func (h EntryHandlers) addTranslations(c *frame.Call, m *site.Model, entries ...*cms.Entry) error {
	if asked, err := web.Flag(c.R.URL.Query(), "translations"); err != nil || !asked {
		return err
	}
	lists, err := h.Entries.Translations(c.R.Context(), c.Site, m, false, entries...)
	for i := range lists {
		entries[i].Translations = &lists[i]
	}
	return err
}

// ShownEntry returns an entry for JSON, which always has has_draft.
func ShownEntry(e *cms.Entry) any {
	shown := *e
	if shown.HasDraft == nil {
		shown.HasDraft = new(bool)
	}
	return &shown
}

// ListFilters parses the filters in the query parameters of a list. Errors: BAD_REQUEST.
func ListFilters(params url.Values) (filters []query.Filter, err error) {
	for name, value := range web.Filters(params) {
		f, err := query.ParseFilter(name, value)
		if err != nil {
			return nil, err
		}
		filters = append(filters, f)
	}
	return filters, nil
}

// Get reads an entry of the model in the path by id, with its translations if the request asks for
// them. NOT_FOUND if it does not exist.
func (h EntryHandlers) Get(c *frame.Call, id string) (*cms.Entry, error) {
	m, err := c.Model()
	if err != nil {
		return nil, err
	}
	id, ok := input.CanonicalID(id)
	if !ok {
		return nil, input.NotFound(db.ErrNotFound, "entry")
	}
	e, err := h.Entries.Store.Entry(c.R.Context(), m, id)
	if err != nil {
		return nil, input.NotFound(err, "entry")
	}
	return e, h.addTranslations(c, m, e)
}

// RecordExport records that a file of entries of a model was made.
func (h EntryHandlers) RecordExport(c *frame.Call, m *site.Model) error {
	tx := h.Entries.Store.Begin()
	tx.Audit(c.Actor(), "export.made", "entries of "+m.Slug, m.Slug, nil, map[string]any{"query": c.R.URL.Query()})
	return h.Entries.Store.Commit(c.R.Context(), tx)
}

// Blank returns a new entry with the defaults of the model.
func (h EntryHandlers) Blank(c *frame.Call) (*cms.Entry, error) {
	m, err := c.Model()
	if err != nil {
		return nil, err
	}
	return (cms.EntryPatch{}).NewEntry(&m.Model, c.Site.Default), nil
}

// LabelOf returns the label of a field, or its name if it has no label.
func LabelOf(f cms.Field) say.Text { return say.Data(cmp.Or(f.Label, f.Name)) }

// ownLabels are the labels of what every entry has, by its path.
var ownLabels = map[string]say.Text{
	"title":           "Title",
	"slug":            "Slug",
	"seo.title":       "Title for search engines",
	"seo.description": "Description for search engines",
	"seo.noindex":     "Leave out of sitemaps",
}

// PathLabel returns the labels on the path to a place in an entry, with the numbers of rows: "Parts 2 › Heading". A
// path of no field, or of a model that is gone, is its own label.
func PathLabel(m *site.Model, path string) say.Text {
	if label := ownLabels[path]; label != "" {
		return label
	}
	var labels []say.Text
	var fields []cms.Field
	if m != nil {
		fields = m.Fields
	}
	for name := range strings.SplitSeq(strings.TrimPrefix(path, "data."), ".") {
		last := len(labels) - 1
		if f := cms.FieldNamed(fields, name); f != nil {
			labels = append(labels, LabelOf(*f))
			fields = f.Fields
			if f.HasBlockTypes() { // the path does not say which type the block has
				fields = nil
				for _, kind := range f.Fields {
					fields = append(fields, kind.Fields...)
				}
			}
		} else if n, err := strconv.Atoi(name); err == nil && last >= 0 {
			labels[last] = say.F("{1} {2}", labels[last], n+1)
		} else if last < 0 {
			return say.Data(path)
		}
	}
	return say.Join(labels, " › ")
}

// Lines returns the options or references in a value as the input in the form shows them, one a
// line. A reference of a relation to several models has the slug of its model before the id:
// posts/<id>.
func Lines(f cms.Field, v any) (lines []string) {
	items, isList := v.([]any)
	if !isList {
		items = []any{v}
	}
	for _, item := range items {
		if s, ok := item.(string); ok {
			lines = append(lines, s)
		} else if model, id := f.Target(item); id != "" {
			lines = append(lines, model+"/"+id)
		}
	}
	return lines
}

// EntryAddress returns the path of the page of an entry.
func EntryAddress(model, id string) string {
	return ui.Base + ui.EntryPath(model, id)
}

// FormAddress returns the path of the form of an entry, or of its page for users who may not open the form.
func FormAddress(c *frame.Call, model, id string) string {
	if c.May(cms.RoleEditor) {
		return EntryAddress(model, id) + "/edit"
	}
	return EntryAddress(model, id)
}

// PathOf returns the slug of the model and the id of the entry from the path of the request.
func PathOf(c *frame.Call) (model, id string) { return c.R.PathValue("slug"), c.R.PathValue("id") }

// EntryAt returns the path of the page of the entry in the path of the request, below Base.
func EntryAt(c *frame.Call) string { return ui.EntryPath(PathOf(c)) }

// IsChanged reports whether an entry has been published or archived and has changes in a draft.
func IsChanged(e *cms.Entry) bool {
	return e.HasDraft != nil && *e.HasDraft && e.Status != cms.StatusDraft
}

// StateCell shows the status of an entry, and whether a draft changes it.
func StateCell(e *cms.Entry) ui.Cell {
	if IsChanged(e) {
		return ui.Cell{Text: say.F("{1}, changed", say.Known(string(e.Status))), Kind: "warn"}
	}
	return ui.StatusBadge(e.Status)
}

// Outdated reports whether a translation was last changed before its original, the member in the default locale.
func Outdated(e, original *cms.Entry) bool {
	return original != nil && original.ID != e.ID && e.UpdatedAt.Before(original.UpdatedAt.Time)
}

// Translatable returns the active locales without a member in which the user may write one.
func (h EntryHandlers) Translatable(c *frame.Call, m *site.Model, members map[string]*cms.Entry) (list []cms.Locale) {
	for _, l := range c.Site.Locales {
		if l.IsActive && members[l.Code] == nil && h.MayWrite(c, m, &cms.Entry{Locale: l.Code}) {
			list = append(list, l)
		}
	}
	return list
}

// MayTranslate reports whether the user may write entries of a model in an active locale, and read others to translate.
func MayTranslate(c *frame.Call, m *site.Model) bool {
	may, active := cms.PermissionsOf(c.R.Context()), c.Site.ActiveCodes()
	return m.Localized && c.MayDo(cms.ActionWrite, m.Slug, "") && len(may.Locales(cms.ActionRead, m.Slug, active)) > 1 &&
		len(may.Locales(cms.ActionWrite, m.Slug, active)) > 0
}

// FromPath returns the path at which readers find an entry, as the query parameter from for the page after a form; ""
// where there is none.
func (h EntryHandlers) FromPath(c *frame.Call, id string) (string, error) {
	if !c.IsForm {
		return "", nil
	}
	m, err := c.Model()
	if err != nil || !m.HasPath() {
		return "", err
	}
	known := content.Above{}
	if err := h.Entries.Store.AddAbove(c.R.Context(), known, id); err != nil {
		return "", err
	}
	path := m.PathOf(known.Of(id).Place(id))
	if known[id].ModelID != m.ID || known[id].Status != cms.StatusPublished || path == "" {
		return "", nil
	}
	return "&from=" + url.QueryEscape(path), nil
}
