package admin

import (
	"net/url"
	"slices"

	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/index"
	"headless/pkg/input"
	"headless/pkg/search"
	"headless/pkg/site"
	"headless/pkg/translations"
	"headless/pkg/web"
)

// entryRoutes are the routes of entries, their revisions and the trash.
func entryRoutes(entries *editing.Entries, files *assets.Media) []Route {
	h := entryHandlers{library{entries, files}}
	const item = "/models/{slug}/entries/{id}"
	routes := Resource[*cms.Entry]{
		Path: "/models/{slug}/entries", Title: "Entries", One: "entry", Write: cms.RoleEditor,
		Heading: h.heading,
		List:    h.list, Get: h.get, Create: h.create,
		Update: func(c *Call, id string, body map[string]any,
			ok input.Precondition[*cms.Entry]) (*cms.Entry, error) {
			body, err := h.body(c, body)
			if err != nil {
				return nil, err
			}
			e, err := entries.Update(c.R.Context(), c.Actor(), c.R.PathValue("slug"), id, body, ok)
			if err != nil {
				return nil, err
			}
			return h.withDraftMark(c, e)
		},
		New:     h.blank,
		ID:      func(e *cms.Entry) string { return e.ID },
		Name:    func(e *cms.Entry) string { return e.Title },
		Filters: noFilters, Fields: h.fields, JSON: shownEntry, Show: h.show,
	}.Routes()
	wrap(routes, "GET", "/models/{slug}/entries", h.listPage)
	wrap(routes, "GET", "/models/{slug}/entries", withUndo)
	return slices.Concat(h.pageRoutes(routes, item), h.draftRoutes(item), []Route{
		{Method: "DELETE", Pattern: item, Role: cms.RoleEditor, Handle: h.delete},
		{Method: "GET", Pattern: item + "/usage", Role: cms.RoleViewer, Handle: h.usage},
		{Method: "GET", Pattern: item + "/preview", Role: cms.RoleViewer, Handle: h.previewPage},
		{Method: "POST", Pattern: item + "/preview", Role: cms.RoleEditor, Handle: h.createPreview},
		{Method: "DELETE", Pattern: item + "/preview", Role: cms.RoleEditor, Handle: h.revokePreviews},
		{Method: "GET", Pattern: item + "/revisions", Role: cms.RoleViewer, Handle: h.revisions},
		{Method: "POST", Pattern: item + "/revisions/{version}/restore", Role: cms.RoleEditor,
			Handle: h.restoreRevision},
		{Method: "GET", Pattern: "/trash", Role: cms.RoleViewer, Handle: h.trash},
		{Method: "POST", Pattern: "/trash/{id}/restore", Role: cms.RoleEditor, Handle: h.restore},
		{Method: "DELETE", Pattern: "/trash/{id}", Role: cms.RoleEditor, Handle: h.purge},
	})
}

// pageRoutes puts the page of an entry in the place of the forms that every resource has.
func (h entryHandlers) pageRoutes(routes []Route, item string) []Route {
	for i := range routes {
		r := &routes[i]
		switch r.Method + " " + r.Pattern {
		case "POST /models/{slug}/entries":
			r.Form = h.newPage
		case "GET /models/{slug}/entries/create":
			r.Handle = h.newForm
		case "PUT " + item:
			r.Form = h.entryPage
		case "GET " + item + "/edit":
			r.Handle = func(c *Call) (Result, error) { return h.show(c, c.R.PathValue("id")) }
		}
	}
	return routes
}

type entryHandlers struct{ library }

func statusBadge(s cms.Status) Cell {
	kind := map[cms.Status]string{cms.StatusPublished: "good", cms.StatusDraft: "warn"}[s]
	if kind == "" {
		kind = "grey"
	}
	return Cell{Text: string(s), Kind: kind}
}

// heading is the name of the model.
func (h entryHandlers) heading(c *Call) string {
	if _, m, err := h.model(c); err == nil {
		return m.Name
	}
	return "Entries"
}

// model is the model in the path, also one that is not active.
func (h entryHandlers) model(c *Call) (*site.Site, *site.Model, error) {
	site, err := h.entries.Store.Site(c.R.Context())
	if err != nil {
		return nil, nil, err
	}
	if m := site.Models[c.R.PathValue("slug")]; m != nil {
		return site, m, nil
	}
	return nil, nil, cms.Errorf(cms.CodeNotFound, "There is no such model.")
}

// list lists entries of every status and locale, unless filters say otherwise. It takes sort,
// filter and q as the API does.
func (h entryHandlers) list(c *Call, p db.Paging) (db.Page[*cms.Entry], error) {
	none := db.Page[*cms.Entry]{Paging: p}
	site, m, err := h.model(c)
	if err != nil {
		return none, err
	}
	query := c.R.URL.Query()
	q := search.EntryQuery{ListQuery: index.ListQuery{Paging: p, Cursor: query.Get("cursor")},
		Q: query.Get("q")}
	if q.Sort, err = cms.ParseSort(m.WithDrafts(), query.Get("sort")); err != nil {
		return none, err
	}
	q.Statuses = slices.Clone(cms.Statuses)
	q.Locales = site.Codes()
	var groups translations.Filter
	if err := entryFilters(&q, &groups, query, m.WithDrafts(), site); err != nil {
		return none, err
	}
	if !groups.None() {
		if q.Chosen, err = translations.Choose(c.R.Context(), h.entries.Store, site, m, q, groups); err != nil {
			return none, err
		}
	}
	page, err := search.List(c.R.Context(), h.entries.Store, site, m, q)
	if err != nil {
		return none, err
	}
	out := mapPage(page, func(content.EntryItem) *cms.Entry { return nil })
	for i := range page.Items {
		if out.Items[i], err = page.Items[i].Decoded(); err != nil {
			return none, err
		}
	}
	if err := h.addTranslations(c, site, m, out.Items...); err != nil {
		return none, err
	}
	return out, h.entries.MarkDrafts(c.R.Context(), m, out.Items...)
}

// addTranslations lists the translations of entries where the request asks for that.
func (h entryHandlers) addTranslations(c *Call, site *site.Site, m *site.Model, entries ...*cms.Entry) error {
	if c.R.URL.Query().Get("translations") != "true" {
		return nil
	}
	lists, err := h.entries.Translations(c.R.Context(), site, m, false, entries...)
	for i := range lists {
		entries[i].Translations = &lists[i]
	}
	return err
}

// shownEntry is an entry as JSON shows it: has_draft is always there.
func shownEntry(e *cms.Entry) any {
	shown := *e
	if shown.HasDraft == nil {
		shown.HasDraft = new(bool)
	}
	return &shown
}

// entryFilters reads the filters of a list. Those on status and locale choose where to look; "any"
// and "" are no choice.
func entryFilters(q *search.EntryQuery, groups *translations.Filter, query url.Values, m *cms.Model,
	site *site.Site) error {
	for name, value := range web.Filters(query) {
		f, err := cms.ParseFilter(name, value)
		if err != nil {
			return err
		}
		if known, err := groupFilter(groups, f, site); err != nil {
			return err
		} else if known {
			continue
		}
		if err := cms.ValidateFilter(m, f); err != nil {
			return err
		}
		chosen := value != "" && value != "any"
		switch {
		case f.Path == "status" && chosen:
			q.Statuses = matching(q.Statuses, f)
		case f.Path == "locale" && chosen:
			q.Locales = matching(q.Locales, f)
		case f.Path != "status" && f.Path != "locale":
			q.Filters = append(q.Filters, f)
		}
	}
	return nil
}

func matching[T ~string](values []T, f cms.Filter) []T {
	return slices.DeleteFunc(values, func(v T) bool {
		return !f.MatchValues(cms.ValueText, []cms.Value{{Kind: cms.ValueText, Text: string(v)}}, nil)
	})
}

// noFilters has Resource leave the filters and sorts to the list itself; listPage shows them.
func noFilters(*Call) ([]Field, error) { return nil, nil }

func (h entryHandlers) get(c *Call, id string) (*cms.Entry, error) {
	site, m, err := h.model(c)
	if err != nil {
		return nil, err
	}
	id, ok := input.CanonicalID(id)
	if !ok {
		return nil, missingEntry(db.ErrNotFound)
	}
	e, err := h.entries.Store.Entry(c.R.Context(), m, id)
	if err != nil {
		return nil, missingEntry(err)
	}
	return e, h.addTranslations(c, site, m, e)
}

// show answers the GET of an entry: as JSON with has_draft, to browsers with its page.
func (h entryHandlers) show(c *Call, id string) (Result, error) {
	if !c.JSON {
		page, err := h.entryPage(c)
		return Result{Page: page}, missingEntry(err)
	}
	e, err := h.get(c, id)
	if err != nil {
		return Result{}, err
	}
	e, err = h.withDraftMark(c, e)
	if err != nil {
		return Result{}, err
	}
	return Result{Data: shownEntry(e)}, nil
}

// blank is a new entry with the model's defaults.
func (h entryHandlers) blank(c *Call) (*cms.Entry, error) {
	site, m, err := h.model(c)
	if err != nil {
		return nil, err
	}
	return (cms.EntryPatch{}).NewEntry(&m.Model, site.Default), nil
}
