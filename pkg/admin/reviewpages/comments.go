package reviewpages

import (
	"net/http"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/cms"
	"headless/pkg/comments"
	"headless/pkg/rights"
)

// CommentRoutes returns the routes of the comments on an entry.
func CommentRoutes(pages Handlers) []frame.Route {
	h := commentHandlers{pages.Comments, pages}
	const at = "/models/{slug}/entries/{id}/comments"
	return []frame.Route{
		{Method: "GET", Pattern: at, Role: cms.RoleViewer, Handle: h.list},
		{Method: "POST", Pattern: at, Role: cms.RoleViewer, Handle: frame.WithBody(h.create)},
		{Method: "PATCH", Pattern: at + "/{cid}", Role: cms.RoleViewer, Handle: frame.WithBody(h.update)},
		{Method: "DELETE", Pattern: at + "/{cid}", Role: cms.RoleViewer, Handle: h.delete},
	}
}

type commentHandlers struct {
	comments *comments.Comments
	pages    Handlers
}

func (h commentHandlers) list(c *frame.Call) (frame.Result, error) {
	if !c.JSON { // the page of an entry shows this page beside its form
		page, _, err := h.pages.commentsPage(c)
		return frame.Result{Page: page}, err
	}
	p, filters, err := c.FilteredPaging("resolved", "field")
	if err != nil {
		return frame.Result{}, err
	}
	var f comments.Filter
	if v, ok := filters["resolved"]; ok && v != "" {
		if v != "true" && v != "false" {
			return frame.Result{}, cms.Errorf(cms.CodeBadRequest, "The filter \"resolved\" takes true or false.")
		}
		resolved := v == "true"
		f.Resolved = &resolved
	}
	if v, ok := filters["field"]; ok && v != "" {
		f.Field = &v
	}
	page, err := h.comments.List(c.R.Context(), c.R.PathValue("slug"), c.R.PathValue("id"), f, p)
	return frame.Result{Data: page.Items, Meta: frame.Meta(page)}, err
}

func (h commentHandlers) create(c *frame.Call, body map[string]any) (frame.Result, error) {
	if err := h.replaceNames(c, body); err != nil {
		return frame.Result{}, err
	}
	made, err := h.comments.Create(c.R.Context(), c.Actor(), c.R.PathValue("slug"), c.R.PathValue("id"), body)
	if e := frame.AsError(err); e != nil && c.IsForm && e.Details["parent"] != nil {
		err = cms.Errorf(cms.CodeConflict, "Somebody deleted the comment that you answer.")
	}
	if err != nil {
		return h.pages.showPresent(c, err)
	}
	return frame.Result{Status: http.StatusCreated, Data: made,
		Redirect: entrydata.EntryAt(c) + "/review#c-" + made.ID}, nil
}

func (h commentHandlers) update(c *frame.Call, body map[string]any) (frame.Result, error) {
	if err := h.replaceNames(c, body); err != nil {
		return frame.Result{}, err
	}
	changed, err := h.comments.Update(c.R.Context(), c.Actor(), c.R.PathValue("slug"), c.R.PathValue("id"),
		c.R.PathValue("cid"), body)
	if err != nil {
		return h.pages.showPresent(c, err)
	}
	return frame.Result{Data: changed, Redirect: entrydata.EntryAt(c) + "/review#c-" + changed.ID}, nil
}

// replaceNames puts ids in place of the names in the text of a form. JSON clients send ids.
func (h commentHandlers) replaceNames(c *frame.Call, body map[string]any) error {
	if !c.IsForm || !c.Form.Has("text") {
		return nil
	}
	people, err := rights.ReadPeople(c.R.Context(), h.pages.Entries.Entries.Store.DB)
	if err != nil {
		return err
	}
	active, err := people.Who(c.R.Context(), cms.ActionRead, "", "")
	body["text"] = takeMentions(c.Form.Get("text"), active)
	return err
}

func (h commentHandlers) delete(c *frame.Call) (frame.Result, error) {
	err := h.comments.Delete(c.R.Context(), c.Actor(), c.R.PathValue("slug"), c.R.PathValue("id"),
		c.R.PathValue("cid"), c.User.Role == cms.RoleUserAdmin)
	if err != nil {
		return h.pages.showPresent(c, err)
	}
	return frame.Result{Status: http.StatusNoContent, Redirect: entrydata.EntryAt(c) + "/review?ok=deleted"}, nil
}
