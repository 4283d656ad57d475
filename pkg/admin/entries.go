package admin

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/service"
	"headless/pkg/store"
)

// entryRoutes are the routes of entries, their revisions and the trash.
func entryRoutes(entries *service.Entries, files *service.Media) []Route {
	h := entryHandlers{library{entries, files}}
	const item = "/models/{slug}/entries/{id}"
	return append(Resource[*cms.Entry]{
		Path: "/models/{slug}/entries", Title: "Entries", One: "entry", Write: cms.RoleEditor, Heading: h.heading,
		List: h.list, Get: h.get,
		Create: func(c *Call, body map[string]any) (*cms.Entry, error) {
			body, err := h.body(c, body)
			if err != nil {
				return nil, err
			}
			return entries.Create(c.R.Context(), c.Actor(), c.R.PathValue("slug"), body)
		},
		Update: func(c *Call, id string, body map[string]any, ok service.Precondition[*cms.Entry]) (*cms.Entry, error) {
			body, err := h.body(c, body)
			if err != nil {
				return nil, err
			}
			return entries.Update(c.R.Context(), c.Actor(), c.R.PathValue("slug"), id, body, ok)
		},
		Delete: func(c *Call, id string) error {
			return entries.Delete(c.R.Context(), c.Actor(), c.R.PathValue("slug"), id, nil)
		},
		New:     h.blank,
		ID:      func(e *cms.Entry) string { return e.ID },
		Name:    func(e *cms.Entry) string { return e.Title },
		Columns: []string{"Title", "Slug", "Locale", "Status", "Changed"},
		Row: func(e *cms.Entry) []Cell {
			return []Cell{Text(e.Title), Code(e.Slug), Badge(e.Locale), statusBadge(e.Status), When(e.UpdatedAt)}
		},
		Filters: h.filters, Detail: h.detail, Fields: h.fields,
	}.Routes(),
		Route{Method: "GET", Pattern: item + "/revisions", Role: cms.RoleViewer, Handle: h.revisions},
		Route{Method: "POST", Pattern: item + "/revisions/{version}/restore", Role: cms.RoleEditor, Handle: h.restoreRevision},
		Route{Method: "GET", Pattern: "/trash", Role: cms.RoleViewer, Handle: h.trash},
		Route{Method: "POST", Pattern: "/trash/{id}/restore", Role: cms.RoleEditor, Handle: h.restore},
		Route{Method: "DELETE", Pattern: "/trash/{id}", Role: cms.RoleEditor, Handle: h.purge},
	)
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
func (h entryHandlers) model(c *Call) (*store.Site, *store.Model, error) {
	site, err := h.entries.Store.Site(c.R.Context())
	if err != nil {
		return nil, nil, err
	}
	if m := site.Models[c.R.PathValue("slug")]; m != nil {
		return site, m, nil
	}
	return nil, nil, cms.Errorf(cms.CodeNotFound, "There is no such model.")
}

// list lists entries of every status and locale, unless filters say otherwise. It takes sort, filter and q as the API does.
func (h entryHandlers) list(c *Call, p store.Paging) (store.Page[*cms.Entry], error) {
	none := store.Page[*cms.Entry]{Paging: p}
	site, m, err := h.model(c)
	if err != nil {
		return none, err
	}
	query := c.R.URL.Query()
	q := service.EntryQuery{ListQuery: store.ListQuery{Paging: p, Cursor: query.Get("cursor")}, Q: query.Get("q")}
	if q.Sort, err = cms.ParseSort(&m.Model, query.Get("sort")); err != nil {
		return none, err
	}
	q.Statuses = slices.Clone(cms.Statuses)
	for _, l := range site.Locales {
		q.Locales = append(q.Locales, l.Code)
	}
	if err := entryFilters(&q, query, &m.Model); err != nil {
		return none, err
	}
	page, err := h.entries.List(c.R.Context(), site, m, q)
	if err != nil {
		return none, err
	}
	out := mapPage(page, func(store.EntryItem) *cms.Entry { return nil })
	for i := range page.Items {
		if out.Items[i], err = page.Items[i].Decoded(); err != nil {
			return none, err
		}
	}
	return out, nil
}

// entryFilters reads the filters of a list. Those on status and locale choose where to look; "any" and "" are no choice.
func entryFilters(q *service.EntryQuery, query url.Values, m *cms.Model) error {
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if !strings.HasPrefix(name, "filter[") {
			continue
		}
		for _, value := range query[name] {
			f, err := cms.ParseFilter(name, value)
			if err != nil {
				return err
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
	}
	return nil
}

func matching[T ~string](values []T, f cms.Filter) []T {
	return slices.DeleteFunc(values, func(v T) bool {
		return !f.MatchValues(cms.ValueText, []cms.Value{{Kind: cms.ValueText, Text: string(v)}}, nil)
	})
}

func (h entryHandlers) filters(c *Call) ([]Field, error) {
	site, m, err := h.model(c)
	if err != nil {
		return nil, err
	}
	query := c.R.URL.Query()
	statuses := []Option{{"", "Every status"}}
	for _, s := range cms.Statuses {
		statuses = append(statuses, Option{string(s), string(s)})
	}
	fields := []Field{
		{Name: "q", Label: "Search", Kind: "search", Value: query.Get("q")},
		{Name: "filter[status]", Label: "Status", Kind: "select", Value: query.Get("filter[status]"), Options: statuses},
	}
	if m.Localized {
		codes := []Option{{"", "Every locale"}}
		for _, l := range site.Locales {
			codes = append(codes, Option{l.Code, l.Name})
		}
		fields = append(fields, Field{Name: "filter[locale]", Label: "Locale", Kind: "select", Value: query.Get("filter[locale]"), Options: codes})
	}
	return fields, nil
}

func (h entryHandlers) get(c *Call, id string) (*cms.Entry, error) {
	_, m, err := h.model(c)
	if err != nil {
		return nil, err
	}
	id, ok := canonicalID(id)
	if !ok {
		return nil, missingEntry(store.ErrNotFound)
	}
	e, err := h.entries.Store.Entry(c.R.Context(), m, id)
	return e, missingEntry(err)
}

// blank is a new entry with the model's defaults.
func (h entryHandlers) blank(c *Call) (*cms.Entry, error) {
	site, m, err := h.model(c)
	if err != nil {
		return nil, err
	}
	return (cms.EntryPatch{}).NewEntry(&m.Model, site.Default), nil
}

// canonicalID is an id as it is stored; false for what is no UUID in its usual form.
func canonicalID(id string) (string, bool) {
	parsed, err := uuid.Parse(id)
	return parsed.String(), err == nil && len(id) == 36
}

func (h entryHandlers) revisions(c *Call) (Result, error) {
	p, err := c.plainPaging()
	if err != nil {
		return Result{}, err
	}
	page, err := h.entries.Revisions(c.R.Context(), c.R.PathValue("slug"), c.R.PathValue("id"), p)
	if err != nil {
		return Result{}, err
	}
	shown := make([]revisionView, len(page.Items))
	at := Base + "/models/" + url.PathEscape(c.R.PathValue("slug")) + "/entries/" + url.PathEscape(c.R.PathValue("id"))
	list := &List{Columns: []string{"Version", "Time", "Who", "What", "Title", "Status"}}
	for i, r := range page.Items {
		if shown[i], err = newRevisionView(r); err != nil {
			return Result{}, err
		}
		v := shown[i]
		who := Cell{Text: "anonymous", Kind: "muted"}
		if v.Actor != nil {
			who = Text(*v.Actor)
		}
		row := Row{Cells: []Cell{Text(strconv.FormatInt(v.Version, 10)), When(v.Time), who, Code(v.Event), Text(v.Title), statusBadge(v.Status)}}
		if c.May(cms.RoleEditor) && (i > 0 || p.Page > 1) {
			row.Actions = []Action{{Label: "Restore", Method: http.MethodPost, Href: at + "/revisions/" + strconv.FormatInt(v.Version, 10) + "/restore"}}
		}
		list.Rows = append(list.Rows, row)
	}
	return Result{Data: shown, Meta: meta(page), Page: &Page{Title: "Revisions", Crumbs: []Link{{"Entry", at}}, List: Paged(c, list, page)}}, nil
}

func (h entryHandlers) restoreRevision(c *Call) (Result, error) {
	version, err := strconv.ParseInt(c.R.PathValue("version"), 10, 64)
	if err != nil || version < 1 {
		return Result{}, cms.Errorf(cms.CodeNotFound, "There is no such revision.")
	}
	slug := c.R.PathValue("slug")
	e, err := h.entries.RestoreRevision(c.R.Context(), c.Actor(), slug, c.R.PathValue("id"), version)
	if err != nil {
		return Result{}, err
	}
	return Result{Data: e, Redirect: "/models/" + slug + "/entries/" + e.ID + "?ok=restored"}, nil
}

func (h entryHandlers) trash(c *Call) (Result, error) {
	p, err := c.plainPaging()
	if err != nil {
		return Result{}, err
	}
	page, err := h.entries.Trash(c.R.Context(), p)
	if err != nil {
		return Result{}, err
	}
	list := &List{Columns: []string{"Title", "Model", "Slug", "Locale", "Status", "Deleted"}, Empty: "The trash is empty. What is deleted stays here for 90 days."}
	for _, t := range page.Items {
		row := Row{Cells: []Cell{Text(t.Title), Code(t.Model), Code(t.Slug), Badge(t.Locale), statusBadge(t.Status), When(t.DeletedAt)}}
		if c.May(cms.RoleEditor) {
			at := Base + "/trash/" + t.ID
			row.Actions = []Action{
				{Label: "Restore", Method: http.MethodPost, Href: at + "/restore"},
				{Label: "Delete", Method: http.MethodDelete, Href: at, Danger: true, Confirm: "Delete this entry and its revisions for good?"},
			}
		}
		list.Rows = append(list.Rows, row)
	}
	return Result{Data: page.Items, Meta: meta(page), Page: &Page{Title: "Trash", List: Paged(c, list, page)}}, nil
}

func (h entryHandlers) restore(c *Call) (Result, error) {
	e, err := h.entries.RestoreFromTrash(c.R.Context(), c.Actor(), c.R.PathValue("id"))
	return Result{Data: e, Redirect: "/trash?ok=restored"}, err
}

func (h entryHandlers) purge(c *Call) (Result, error) {
	err := h.entries.Purge(c.R.Context(), c.Actor(), c.R.PathValue("id"))
	return Result{Status: http.StatusNoContent, Redirect: "/trash?ok=deleted"}, err
}
