// Package trashpages has the page of the trash, from which entries come back or are deleted for good.
package trashpages

import (
	"net/http"
	"net/url"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/site"
)

// Routes returns the routes of the trash.
func Routes(entries *editing.Entries) []frame.Route {
	h := handlers{entries}
	return []frame.Route{
		{Method: "GET", Pattern: "/trash", Role: cms.RoleViewer, Handle: h.trash},
		{Method: "POST", Pattern: "/trash/restore", Role: cms.RoleEditor, Handle: frame.WithBody(h.restoreAll)},
		{Method: "POST", Pattern: "/trash/{id}/restore", Role: cms.RoleEditor, Handle: h.restore},
		{Method: "DELETE", Pattern: "/trash/{id}", Role: cms.RoleEditor, Handle: h.purge},
	}
}

type handlers struct{ entries *editing.Entries }

// trash lists the entries that were deleted in the last 90 days. The query parameters model and q
// select some of them.
func (h handlers) trash(c *frame.Call) (frame.Result, error) {
	p, err := c.PlainPaging()
	if err != nil {
		return frame.Result{}, err
	}
	params := c.R.URL.Query()
	model, text := params.Get("model"), params.Get("q")
	page, err := h.entries.Trash(c.R.Context(), matcherOf(model, text), p)
	if err != nil {
		return frame.Result{}, err
	}
	list := &ui.List{Columns: []say.Text{"Title", "Model", "Slug", "Language", "Status", "Deleted"},
		Note: ui.KeptFor(content.TrashDays), Empty: "The trash is empty. What is deleted stays here for 90 days."}
	list.Filters = trashFilters(c.Site, model, text)
	kept := ""
	if model+text != "" {
		kept = "?" + url.Values{"model": {model}, "q": {text}}.Encode()
		list.Clear, list.Empty = ui.Base+"/trash", "Nothing in the trash matches."
	}
	for _, t := range page.Items {
		row := ui.Row{Cells: []ui.Cell{ui.Text(t.Title), ui.Text(c.Site.ModelName(t.Model)), ui.Code(t.Slug),
			ui.Badge(ui.LocaleName(c.Site, t.Locale)),
			ui.StatusBadge(t.Status), ui.When(t.DeletedAt)}}
		at := ui.Base + "/trash/" + t.ID
		if may(c, cms.ActionWrite, t) {
			row.ID = t.ID
			row.Actions = []ui.Action{{Label: "Restore", Method: http.MethodPost, Href: at + "/restore" + kept}}
			list.Bulk = &ui.Bulk{Action: ui.Base + "/trash/restore",
				Buttons: []ui.BulkButton{{Label: "Restore", Value: "restore"}}}
		}
		if may(c, cms.ActionDelete, t) {
			row.Actions = append(row.Actions, ui.Action{Label: "Delete", Method: http.MethodDelete, Href: at + kept,
				Danger: true, Confirm: "Delete this entry and its revisions for good?"})
		}
		list.Rows = append(list.Rows, row)
	}
	return frame.Result{Data: page.Items, Meta: frame.Meta(page),
		Page: &ui.Page{Title: "Trash", List: frame.Paged(c, list, page)}}, nil
}

// may reports whether the user may restore an entry (cms.ActionWrite), or delete it for good.
func may(c *frame.Call, action cms.Action, t content.Trashed) bool {
	m := c.Site.Models[t.Model]
	return c.May(cms.RoleEditor) &&
		(m == nil || m.Permit(c.R.Context(), action, &cms.Entry{Locale: t.Locale, Status: t.Status}, nil) == nil)
}

// matcherOf returns the check for a model and a part of a title or slug. It is nil if neither is given.
func matcherOf(model, text string) func(content.Trashed) bool {
	if model+text == "" {
		return nil
	}
	text = strings.ToLower(text)
	return func(t content.Trashed) bool {
		return (model == "" || model == t.Model) &&
			(strings.Contains(strings.ToLower(t.Title), text) || strings.Contains(t.Slug, text))
	}
}

// trashFilters are the fields above the list.
func trashFilters(site *site.Site, model, text string) []ui.Field {
	models := ui.WithNone("Every model", ui.ModelOptions(frame.SortedModels(site)))
	return []ui.Field{{Name: "q", Label: "Search", Kind: "search", Value: text},
		{Name: "model", Label: "Model", Kind: "select", Value: model, Options: models}}
}

// restoreAll restores several entries.
func (h handlers) restoreAll(c *frame.Call, body map[string]any) (frame.Result, error) {
	p := cms.Problems{}
	ids := c.BulkIDs(body, p)
	if err := p.Err(); err != nil {
		return frame.Result{}, err
	}
	ctx, restored := c.R.Context(), map[string]ui.Former[string]{}
	if c.Form.Has("was") {
		was := ui.Was[string](c.Form, p)
		if err := p.Err(); err != nil {
			return frame.Result{}, err
		}
		return frame.Bulk(ids, "/trash", func(id string) error {
			return h.entries.Delete(ctx, c.Actor(), was[id].Was, id,
				func(e *cms.Entry) error { return was[id].Still(e.Version) })
		})
	}
	var last []string // the last one first, since entries of a tree come back after those above them
	result, err := frame.Bulk(ids, "/trash", func(id string) error {
		e, err := h.entries.RestoreFromTrash(ctx, c.Actor(), id)
		if err == nil && h.note(c, restored, e) {
			last = append([]string{e.ID}, last...)
		}
		return err
	})
	result.Undo = ui.UndoWith(ui.Base+"/trash/restore", restored, url.Values{"ids": last})
	return result, err
}

// note adds a restored entry to those that an Undo moves to the trash again, if the user may do so.
func (h handlers) note(c *frame.Call, restored map[string]ui.Former[string], e *cms.Entry) bool {
	address, err := h.entries.Store.Addresses(c.R.Context(), []string{e.ID})
	m := c.Site.ModelByID(address[e.ID].ModelID)
	if err != nil || m == nil || m.Permit(c.R.Context(), cms.ActionDelete, e, nil) != nil {
		return false
	}
	restored[e.ID] = ui.Replaced(m.Slug, e.Version)
	return true
}

func (h handlers) restore(c *frame.Call) (frame.Result, error) {
	id := c.R.PathValue("id")
	e, err := h.entries.RestoreFromTrash(c.R.Context(), c.Actor(), id)
	if slug := c.Form.Get("undo"); slug != "" {
		return frame.Result{Data: e, Redirect: ui.EntryPath(slug, id) + "?ok=restored"}, err
	}
	result := frame.Result{Data: e, Redirect: listAfter(c, "restored")}
	if restored := map[string]ui.Former[string]{}; err == nil && h.note(c, restored, e) {
		result.Undo = ui.UndoWith(ui.Base+"/trash/restore", restored, nil)
	}
	return result, err
}

// listAfter is the address of the list that a button of a row came from, with the result of the button.
func listAfter(c *frame.Call, ok string) string {
	params := c.R.URL.Query()
	params.Set("ok", ok)
	return "/trash?" + params.Encode()
}

func (h handlers) purge(c *frame.Call) (frame.Result, error) {
	err := h.entries.Purge(c.R.Context(), c.Actor(), c.R.PathValue("id"))
	return frame.Result{Status: http.StatusNoContent, Redirect: listAfter(c, "deleted")}, err
}

// AddUndo adds buttons to a list of entries after one of them was moved to the trash: to take that back, which leads
// to the entry, and to redirect the address that it had, the parameter from.
func AddUndo(c *frame.Call, page *ui.Page) error {
	params := c.R.URL.Query()
	id := params.Get("id")
	if params.Get("ok") != "trashed" || id == "" || !c.MayDo(cms.ActionWrite, c.R.PathValue("slug"), "") {
		return nil
	}
	page.Next = []ui.Action{{Label: "Undo", Method: http.MethodPost,
		Href:   ui.Base + "/trash/" + url.PathEscape(id) + "/restore",
		Fields: []ui.Field{ui.Kept("undo", c.R.PathValue("slug"))}}}
	if from := params.Get("from"); from != "" && c.MayUse(http.MethodPost, "/redirects") {
		page.Next = append(page.Next, ui.Action{Label: "Redirect its address",
			Href: ui.Base + "/redirects/create?from=" + url.QueryEscape(from)})
	}
	return nil
}
