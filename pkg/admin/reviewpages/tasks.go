package reviewpages

import (
	"headless/pkg/admin/frame"
	"headless/pkg/cms"
	"headless/pkg/review"
	"headless/pkg/tasks"
)

// TaskRoutes returns the route of what waits for a user.
func TaskRoutes(s *review.Reviews) []frame.Route {
	return []frame.Route{{Method: "GET", Pattern: "/tasks", Role: cms.RoleViewer,
		Handle: func(c *frame.Call) (frame.Result, error) { return listTasks(c, s) }}}
}

func listTasks(c *frame.Call, s *review.Reviews) (frame.Result, error) {
	filters, err := takeFilters(c.R.URL.Query(), "assignee")
	if err == nil {
		err = c.RefuseNames("fields", "include", "sort")
	}
	if err != nil {
		return frame.Result{}, err
	}
	p, err := c.Paging()
	if err != nil {
		return frame.Result{}, err
	}
	user := c.User.ID
	if other := filters["assignee"]; other != "" {
		if c.User.Role != cms.RoleUserAdmin {
			return frame.Result{}, cms.Errorf(cms.CodeForbidden, "Only admins may list the tasks of others.")
		}
		user = other
	}
	list, err := s.Tasks(c.R.Context(), user, p)
	meta := struct {
		Page    int                `json:"page"`
		PerPage int                `json:"per_page"`
		Total   int                `json:"total"`
		Counts  map[tasks.Kind]int `json:"counts"`
	}{p.Page, p.PerPage, list.Total, list.Counts}
	return frame.Result{Data: list.Items, Meta: meta}, err
}
