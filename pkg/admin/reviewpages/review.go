package reviewpages

import (
	"context"
	"net/http"

	"headless/pkg/admin/frame"
	"headless/pkg/cms"
	"headless/pkg/review"
)

// ReviewRoutes returns the routes of the review of an entry.
func ReviewRoutes(s *review.Reviews) []frame.Route {
	h := reviewHandlers{s}
	const at = "/models/{slug}/entries/{id}/review"
	return []frame.Route{
		{Method: "GET", Pattern: at, Role: cms.RoleViewer, Handle: h.get},
		{Method: "POST", Pattern: at, Role: cms.RoleEditor, Handle: h.change(http.StatusCreated, s.Ask)},
		{Method: "DELETE", Pattern: at, Role: cms.RoleEditor, Handle: h.withdraw},
		{Method: "POST", Pattern: at + "/approve", Role: cms.RoleEditor, Handle: h.change(http.StatusOK, s.Approve)},
		{Method: "POST", Pattern: at + "/return", Role: cms.RoleEditor, Handle: h.change(http.StatusOK, s.Return)},
	}
}

type reviewHandlers struct{ reviews *review.Reviews }

func (h reviewHandlers) get(c *frame.Call) (frame.Result, error) {
	r, err := h.reviews.Get(c.R.Context(), c.R.PathValue("slug"), c.R.PathValue("id"))
	return frame.Result{Data: r}, err
}

// change returns the handler of a change of a review by a body.
func (h reviewHandlers) change(status int, use func(ctx context.Context, actor cms.Actor, model, id string,
	body map[string]any) (review.Review, error)) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		body, err := c.Body()
		if err != nil {
			return frame.Result{}, err
		}
		r, err := use(c.R.Context(), c.Actor(), c.R.PathValue("slug"), c.R.PathValue("id"), body)
		return frame.Result{Status: status, Data: r, Redirect: frame.EntryPath(c) + "?ok=saved"}, err
	}
}

func (h reviewHandlers) withdraw(c *frame.Call) (frame.Result, error) {
	err := h.reviews.Withdraw(c.R.Context(), c.Actor(), c.R.PathValue("slug"), c.R.PathValue("id"))
	return frame.Result{Status: http.StatusNoContent, Redirect: frame.EntryPath(c) + "?ok=deleted"}, err
}
