package usages

import (
	"errors"
	"net/http"
	"slices"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/editing"
	"headless/pkg/editing/moving"
	"headless/pkg/editing/standing"
	"headless/pkg/planning/bulk"
)

// startedError says that a job makes the change.
type startedError struct{ job *bulk.Started }

func (startedError) Error() string { return "a job makes the change" }

// Leave makes a change by which an entry may leave the middle of a tree, with the query parameter children
// (extensions §13). Its route needs ShowJob.
func Leave(c *frame.Call, entries *editing.Entries, x bulk.Exit) (err error) {
	if x.Children, err = moving.Asked(c.R.URL.Query()); err != nil {
		return err
	}
	jobs := bulk.Jobs{Store: entries.Store, Entries: entries}
	started, err := jobs.Leave(c.R.Context(), c.Actor(), x)
	if err == nil && started != nil {
		err = startedError{started}
	}
	return err
}

// ShowJob answers with the job if one makes the change of a handler.
func ShowJob(change frame.Handler) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		result, err := change(c)
		if started, ok := errors.AsType[startedError](err); ok {
			return frame.Result{Status: http.StatusAccepted, Data: started.job, Redirect: "/jobs/" + started.job.ID}, nil
		}
		var held *standing.Held
		switch {
		case !errors.As(err, &held):
		case c.JSON:
			err = held.ForEditors()
		default:
			return frame.Result{Status: http.StatusConflict, Page: askAbout(c, held)}, nil
		}
		return result, err
	}
}

// askAbout returns the page that asks what happens to the entries below one that leaves.
func askAbout(c *frame.Call, held *standing.Held) *ui.Page {
	at := ui.Base + ui.EntriesPath(held.Model.Slug) + "/"
	list := &ui.List{Columns: []say.Text{"Title", "Status"}}
	for _, n := range held.Below[max(0, len(held.Below)-maxAsked):] {
		list.Rows = append(list.Rows, ui.Row{Href: at + n.ID, Cells: []ui.Cell{ui.Text(n.Title), ui.StatusBadge(n.Status)}})
	}
	slices.Reverse(list.Rows)
	send := func(label say.Text, children string, danger bool) ui.Action {
		return ui.Action{Label: label, Method: c.Method, Href: c.R.URL.Path + "?children=" + children, Danger: danger}
	}
	too := say.Text("Unpublish them too")
	if c.Method == http.MethodDelete {
		too = "Delete them too"
	}
	return &ui.Page{Title: say.F("Entries stand below “{1}”", held.Entry.Title),
		Crumbs: []ui.Link{{Text: say.Data(held.Entry.Title), Href: at + held.Entry.ID}},
		Detail: &ui.Detail{Facts: []ui.Fact{ui.NewFact("Below it", ui.Word(say.Number(len(held.Below)))),
			ui.NewFact("Undo", ui.Word(ui.MovedUpStay))},
			Actions: []ui.Action{send("Move them up", moving.Up, false), send(too, moving.Down, true),
				{Label: "Cancel", Href: at + held.Entry.ID}},
			Sections: []ui.Section{{Title: "Entries", List: list}}}}
}

// maxAsked is how many entries the page lists.
const maxAsked = 50
