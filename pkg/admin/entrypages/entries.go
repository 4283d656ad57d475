package entrypages

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/listpages"
	"headless/pkg/admin/pickers"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/trashpages"
	"headless/pkg/admin/ui"
	"headless/pkg/admin/usages"
	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/input"
	"headless/pkg/links"
	previews "headless/pkg/links/preview"
	"headless/pkg/planning/bulk"
	"headless/pkg/site"
)

// EntryRoutes returns the routes of entries and their revisions.
func EntryRoutes(entries *editing.Entries, files *assets.Media) []frame.Route {
	h := Pages{entrydata.EntryHandlers{Library: pickers.Library{Entries: entries, Files: files}}}
	const item = "/models/{slug}/entries/{id}"
	routes := resource.Kind[*cms.Entry]{
		Path: "/models/{slug}/entries", Title: "Entries", One: "entry", Write: cms.RoleEditor,
		List: h.List, Get: h.Get, Create: h.create,
		Update: func(c *frame.Call, id string, body map[string]any,
			ok input.Precondition[*cms.Entry]) (*cms.Entry, error) {
			body, err := h.body(c, body)
			if err != nil {
				return nil, err
			}
			var e *cms.Entry
			x := bulk.Exit{Action: bulk.ActionSet, Model: c.R.PathValue("slug"), ID: id, Body: body}
			x.Change = func(ctx context.Context, s *editing.Entries) (err error) {
				e, err = s.Update(ctx, c.Actor(), x.Model, id, body, ok)
				return err
			}
			if err := usages.Leave(c, entries, x); err != nil {
				return nil, err
			}
			return h.withMarks(c, e)
		},
		New:     h.Blank,
		ID:      func(e *cms.Entry) string { return e.ID },
		Filters: resource.NoFilters, JSON: entrydata.ShownEntry, Show: h.show,
		NewPage: frame.OfModel(h.newPage), EditPage: h.entryPage,
	}.Routes()
	frame.Wrap(routes, "GET", "/models/{slug}/entries", listpages.ListPages{EntryHandlers: h.EntryHandlers}.ListPage)
	frame.Wrap(routes, "GET", "/models/{slug}/entries", frame.AddToPage(trashpages.AddUndo))
	frame.Wrap(routes, "POST", "/models/{slug}/entries", sayPublished)
	frame.Wrap(routes, "PUT", item, usages.ShowJob)
	frame.Wrap(routes, "GET", item+"/edit", func(frame.Handler) frame.Handler { return h.showItem })
	return slices.Concat(routes, h.draftRoutes(item), []frame.Route{
		{Method: "GET", Pattern: "/models/{slug}/entries.csv", Role: cms.RoleViewer,
			Handle: frame.OfModel(listpages.ListPages{EntryHandlers: h.EntryHandlers}.CSV)},
		{Method: "DELETE", Pattern: item, Role: cms.RoleEditor, Handle: usages.ShowJob(h.delete)},
		{Method: "GET", Pattern: item + "/usage", Role: cms.RoleViewer,
			Handle: frame.OfModel(h.usage)},
		{Method: "GET", Pattern: item + "/preview", Role: cms.RoleViewer,
			Handle: frame.OfModel(h.previewPage)},
		{Method: "POST", Pattern: item + "/preview", Role: cms.RoleEditor, Handle: frame.WithBody(h.createPreview)},
		{Method: "DELETE", Pattern: item + "/preview", Role: cms.RoleEditor, Handle: h.revokePreviews},
		{Method: "GET", Pattern: item + "/revisions", Role: cms.RoleViewer,
			Handle: frame.OfModel(h.revisions)},
		{Method: "POST", Pattern: item + "/revisions/{version}/restore", Role: cms.RoleEditor, Handle: h.restoreRevision},
	})
}

// Pages are the pages of single entries.
type Pages struct{ entrydata.EntryHandlers }

// show answers the GET of an entry: JSON with has_draft, or the page for browsers.
func (h Pages) show(c *frame.Call, id string) (frame.Result, error) {
	if !c.JSON {
		if c.R.URL.Query().Get("part") == "checks" {
			return h.checks(c)
		}
		page, err := h.entryPage(c)
		if cms.CodeOf(err) == cms.CodeEntryNotFound {
			return h.trashed(c, err)
		}
		return frame.Result{Page: page}, input.NotFound(err, "entry")
	}
	e, err := h.Get(c, id)
	if err != nil {
		return frame.Result{}, err
	}
	e, err = h.withMarks(c, e)
	if err != nil {
		return frame.Result{}, err
	}
	return frame.Result{Data: entrydata.ShownEntry(e)}, nil
}

// showItem is show for the address of the form, at which browsers get the same page.
func (h Pages) showItem(c *frame.Call) (frame.Result, error) { return h.show(c, c.R.PathValue("id")) }

// trashed answers for an entry that was not found, with a link to the trash if it is there.
func (h Pages) trashed(c *frame.Call, missing error) (frame.Result, error) {
	id, _ := input.CanonicalID(c.R.PathValue("id"))
	found, err := h.Entries.Store.Trashed(c.R.Context(), c.Site, nil, []string{id}, nil)
	if err != nil || len(found) == 0 {
		return frame.Result{}, cmp.Or(err, missing)
	}
	e, title := frame.AsError(missing), found[0].Title
	return c.Refused(e, &ui.Page{Title: "Not found", Error: e, Links: []ui.Link{
		{Text: say.F("{1} (in the trash)", title), Href: ui.Base + "/trash?q=" + url.QueryEscape(title)}}}), nil
}

// createPreview answers POST /models/{slug}/entries/{id}/preview (extensions §5). Browsers are
// redirected to the page of the entry.
func (h Pages) createPreview(c *frame.Call, body map[string]any) (frame.Result, error) {
	p, err := previews.Links{Entries: h.Entries}.Create(c.R.Context(), c.Actor(), c.R.PathValue("slug"),
		c.R.PathValue("id"), body)
	return frame.Result{Status: http.StatusCreated, Data: p, Redirect: entrydata.EntryAt(c)}, err
}

// revokePreviews answers DELETE /models/{slug}/entries/{id}/preview.
func (h Pages) revokePreviews(c *frame.Call) (frame.Result, error) {
	err := previews.Links{Entries: h.Entries}.Revoke(c.R.Context(), c.Actor(), c.R.PathValue("slug"),
		c.R.PathValue("id"))
	return frame.Result{Status: http.StatusNoContent, Redirect: entrydata.EntryAt(c) + "?ok=saved"}, err
}

// usage answers GET /models/{slug}/entries/{id}/usage.
func (h Pages) usage(c *frame.Call, m *site.Model) (frame.Result, error) {
	e, err := h.Get(c, c.R.PathValue("id"))
	if err != nil {
		return frame.Result{}, err
	}
	return usages.UsageOf(c, links.Usage{Store: h.Entries.Store}, e.ID, e.Title, entrydata.ListLink(m),
		entrydata.EntryAddress(m.Slug, e.ID))
}
