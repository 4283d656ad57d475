// Package trashpages has the page of the trash, from which entries come back or are deleted for good.
package trashpages

import (
	"net/http"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/editing"
)

// Routes returns the routes of the trash.
func Routes(entries *editing.Entries) []frame.Route {
	h := handlers{entries}
	return []frame.Route{
		{Method: "GET", Pattern: "/trash", Role: cms.RoleViewer, Handle: h.trash},
		{Method: "POST", Pattern: "/trash/{id}/restore", Role: cms.RoleEditor, Handle: h.restore},
		{Method: "DELETE", Pattern: "/trash/{id}", Role: cms.RoleEditor, Handle: h.purge},
	}
}

type handlers struct{ entries *editing.Entries }

// trash lists the entries that were deleted in the last 90 days.
func (h handlers) trash(c *frame.Call) (frame.Result, error) {
	p, err := c.PlainPaging()
	if err != nil {
		return frame.Result{}, err
	}
	page, err := h.entries.Trash(c.R.Context(), p)
	if err != nil {
		return frame.Result{}, err
	}
	list := &ui.List{Columns: []string{"Title", "Model", "Slug", "Locale", "Status", "Deleted"},
		Empty: "The trash is empty. What is deleted stays here for 90 days."}
	for _, t := range page.Items {
		row := ui.Row{Cells: []ui.Cell{ui.Text(t.Title), ui.Code(t.Model), ui.Code(t.Slug),
			ui.Badge(t.Locale),
			ui.StatusBadge(t.Status), ui.When(t.DeletedAt)}}
		if c.May(cms.RoleEditor) {
			at := ui.Base + "/trash/" + t.ID
			row.Actions = []ui.Action{
				{Label: "Restore", Method: http.MethodPost, Href: at + "/restore"},
				{Label: "Delete", Method: http.MethodDelete, Href: at, Danger: true,
					Confirm: "Delete this entry and its revisions for good?"},
			}
		}
		list.Rows = append(list.Rows, row)
	}
	return frame.Result{Data: page.Items, Meta: frame.Meta(page),
		Page: &ui.Page{Title: "Trash", List: frame.Paged(c, list, page)}}, nil
}

func (h handlers) restore(c *frame.Call) (frame.Result, error) {
	e, err := h.entries.RestoreFromTrash(c.R.Context(), c.Actor(), c.R.PathValue("id"))
	return frame.Result{Data: e, Redirect: "/trash?ok=restored"}, err
}

func (h handlers) purge(c *frame.Call) (frame.Result, error) {
	err := h.entries.Purge(c.R.Context(), c.Actor(), c.R.PathValue("id"))
	return frame.Result{Status: http.StatusNoContent, Redirect: "/trash?ok=deleted"}, err
}
