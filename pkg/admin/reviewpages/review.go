package reviewpages

import (
	"cmp"
	"context"
	"net/http"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/comments"
	"headless/pkg/review"
)

// Handlers have what the page of a review needs.
type Handlers struct {
	Reviews  *review.Reviews
	Comments *comments.Comments
	Entries  entrydata.EntryHandlers
}

// ReviewRoutes returns the routes of the review of an entry.
func ReviewRoutes(h Handlers) []frame.Route {
	s := h.Reviews
	const at = "/models/{slug}/entries/{id}/review"
	return []frame.Route{
		{Method: "GET", Pattern: at, Role: cms.RoleViewer, Handle: h.get},
		{Method: "POST", Pattern: at, Role: cms.RoleEditor, Handle: h.changeHandler(http.StatusCreated, s.Ask)},
		{Method: "DELETE", Pattern: at, Role: cms.RoleEditor, Handle: h.withdraw},
		{Method: "POST", Pattern: at + "/approve", Role: cms.RoleEditor, Handle: h.changeHandler(http.StatusOK, s.Approve)},
		{Method: "POST", Pattern: at + "/return", Role: cms.RoleEditor, Handle: h.changeHandler(http.StatusOK, s.Return)},
		{Method: "POST", Pattern: "/reviews", Role: cms.RoleEditor, Handle: h.changeSeveral, Form: h.severalForm},
	}
}

func (h Handlers) get(c *frame.Call) (frame.Result, error) {
	r, err := h.Reviews.Get(c.R.Context(), c.R.PathValue("slug"), c.R.PathValue("id"))
	if err != nil || c.JSON {
		return frame.Result{Data: r}, err
	}
	page, err := h.page(c, r)
	return frame.Result{Page: page}, err
}

// changeHandler returns the handler of a change of a review by a body.
func (h Handlers) changeHandler(status int, use func(ctx context.Context, actor cms.Actor, model, id string,
	body map[string]any) (review.Review, error)) frame.Handler {
	return frame.WithBody(func(c *frame.Call, body map[string]any) (frame.Result, error) {
		r, err := use(c.R.Context(), c.Actor(), c.R.PathValue("slug"), c.R.PathValue("id"), body)
		if err != nil {
			return h.showPresent(c, err)
		}
		result := frame.Result{Status: status, Data: r, Redirect: entrydata.EntryAt(c) + "/review?ok=saved"}
		if r.Decided != nil {
			model, id := entrydata.PathOf(c)
			result.Undo = undoOf(actionApprove, model, map[string]ui.Former[bool]{id: decidedAt(r)})
			result.Undo.Fields.Set("_one", "true")
		}
		return result, nil
	})
}

// showPresent shows the present state to somebody whose form was about another one, with the typed text. A note that
// nobody can be sent any more is offered as a comment.
func (h Handlers) showPresent(c *frame.Call, err error) (frame.Result, error) {
	why := frame.AsError(err)
	if c.JSON || why == nil ||
		why.Code != cms.CodePreconditionFailed && why.Code != cms.CodeConflict && why.Code != cms.CodeNotFound {
		return frame.Result{}, err
	}
	r, err := h.Reviews.Get(c.R.Context(), c.R.PathValue("slug"), c.R.PathValue("id"))
	if err != nil {
		return frame.Result{}, err
	}
	page, err := h.page(c, r)
	if err != nil {
		return frame.Result{}, err
	}
	page.Notice = say.Known(why.Message)
	v := page.Custom.(*reviewView)
	v.Typed, v.Said = c.Form.Get("note"), c.Form.Get("text")
	if !v.Decidable() || v.Asked {
		v.Said = cmp.Or(v.Said, v.Typed)
	}
	return c.Refused(why, page), nil
}

func (h Handlers) withdraw(c *frame.Call) (frame.Result, error) {
	err := h.Reviews.Withdraw(c.R.Context(), c.Actor(), c.R.PathValue("slug"), c.R.PathValue("id"), nil)
	if err != nil {
		return h.showPresent(c, err)
	}
	return frame.Result{Status: http.StatusNoContent, Redirect: entrydata.EntryAt(c) + "/review?ok=saved"}, nil
}
