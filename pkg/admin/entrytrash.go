package admin

import (
	"net/http"

	"headless/pkg/cms"
)

// trash lists what was deleted in the last 90 days.
func (h entryHandlers) trash(c *Call) (Result, error) {
	p, err := c.plainPaging()
	if err != nil {
		return Result{}, err
	}
	page, err := h.entries.Trash(c.R.Context(), p)
	if err != nil {
		return Result{}, err
	}
	list := &List{Columns: []string{"Title", "Model", "Slug", "Locale", "Status", "Deleted"},
		Empty: "The trash is empty. What is deleted stays here for 90 days."}
	for _, t := range page.Items {
		row := Row{Cells: []Cell{Text(t.Title), Code(t.Model), Code(t.Slug), Badge(t.Locale),
			statusBadge(t.Status), When(t.DeletedAt)}}
		if c.May(cms.RoleEditor) {
			at := Base + "/trash/" + t.ID
			row.Actions = []Action{
				{Label: "Restore", Method: http.MethodPost, Href: at + "/restore"},
				{Label: "Delete", Method: http.MethodDelete, Href: at, Danger: true,
					Confirm: "Delete this entry and its revisions for good?"},
			}
		}
		list.Rows = append(list.Rows, row)
	}
	return Result{Data: page.Items, Meta: meta(page),
		Page: &Page{Title: "Trash", List: Paged(c, list, page)}}, nil
}

func (h entryHandlers) restore(c *Call) (Result, error) {
	e, err := h.entries.RestoreFromTrash(c.R.Context(), c.Actor(), c.R.PathValue("id"))
	return Result{Data: e, Redirect: "/trash?ok=restored"}, err
}

func (h entryHandlers) purge(c *Call) (Result, error) {
	err := h.entries.Purge(c.R.Context(), c.Actor(), c.R.PathValue("id"))
	return Result{Status: http.StatusNoContent, Redirect: "/trash?ok=deleted"}, err
}
