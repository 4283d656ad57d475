package reviewpages

import (
	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
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
	p, filters, err := c.FilteredPaging("assignee")
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
		frame.ListMeta
		Counts map[tasks.Kind]int `json:"counts"`
	}{frame.Meta(list.Page), list.Counts}
	result := frame.Result{Data: list.Items, Meta: meta}
	if err == nil && !c.JSON {
		result.Page, err = tasksPage(c, list)
	}
	return result, err
}

// TaskWords say what a user is asked to do.
var TaskWords = map[tasks.Kind]say.Text{tasks.Review: "Review", tasks.Returned: "Sent back to you",
	tasks.Assigned: "Assigned to you", tasks.Mention: "You were mentioned"}

func tasksPage(c *frame.Call, list review.TaskList) (*ui.Page, error) {
	people, err := c.People()
	named := showMentions(c, people)
	table := &ui.List{Columns: []say.Text{"Entry", "What", "Note", "By", "Due", "Since"},
		Empty: "You're all caught up."}
	for _, t := range list.Items {
		table.Rows = append(table.Rows, ui.Row{Href: TaskAddress(t), Cells: []ui.Cell{ui.Text(t.Title),
			ui.Badge(TaskWords[t.Kind]), ui.Text(ui.FirstRunes(named(t.Text), maxExcerpt)), people.Cell(&t.By.Name),
			ui.Due(t.Due), ui.When(t.At)}})
	}
	return &ui.Page{Title: "Tasks", List: frame.Paged(c, table, list.Page)}, err
}

// TaskAddress returns the address of the place that a task is about.
func TaskAddress(t review.Task) string {
	at := entrydata.EntryAddress(t.Model, t.ID) + "/review"
	if t.Comment != nil {
		at += "#c-" + *t.Comment
	}
	return at
}

// maxExcerpt is how many characters of a comment or note a list shows.
const maxExcerpt = 120
