package admin

import (
	"net/http"
	"strconv"

	"headless/pkg/cms"
	"headless/pkg/planning"
)

// jobRoutes are the routes of jobs over many entries (extensions §7).
func jobRoutes(jobs *planning.Jobs) []Route {
	h := jobHandlers{jobs}
	return []Route{
		{Method: "GET", Pattern: "/jobs", Role: cms.RoleEditor, Handle: h.list},
		{Method: "POST", Pattern: "/jobs", Role: cms.RoleEditor, Handle: h.create},
		{Method: "GET", Pattern: "/jobs/{id}", Role: cms.RoleEditor, Handle: h.get},
		{Method: "DELETE", Pattern: "/jobs/{id}", Role: cms.RoleEditor, Handle: h.stop},
	}
}

type jobHandlers struct{ jobs *planning.Jobs }

func (h jobHandlers) create(c *Call) (Result, error) {
	body, err := c.Body()
	if err != nil {
		return Result{}, err
	}
	undo := ""
	if c.isForm {
		if body, undo, err = h.form(c); err != nil {
			return Result{}, err
		}
		if body["ids"] == nil && body["filter"] == nil {
			return Result{Redirect: backOf(c) + "?ok=none"}, nil
		}
	}
	j, err := h.jobs.Create(c.R.Context(), c.Actor(), body)
	return Result{Status: http.StatusAccepted, Data: j, Redirect: "/jobs/" + j.ID + undo}, err
}

func (h jobHandlers) list(c *Call) (Result, error) {
	p, err := c.plainPaging()
	if err != nil {
		return Result{}, err
	}
	page, err := h.jobs.List(c.R.Context(), p)
	if err != nil {
		return Result{}, err
	}
	list := &List{Columns: []string{"Action", "Model", "State", "Done", "Failed", "Begun"},
		Empty: "No jobs in the last 30 days."}
	for _, j := range page.Items {
		list.Rows = append(list.Rows, Row{Href: Base + "/jobs/" + j.ID, Cells: []Cell{
			Text(jobVerbs[j.Action]), Code(j.Model), jobState(j), Text(progress(j)),
			Text(strconv.Itoa(len(j.Failed))), When(j.CreatedAt),
		}})
	}
	if page.Items == nil {
		page.Items = []planning.Job{}
	}
	return Result{Data: page.Items, Meta: meta(page),
		Page: &Page{Title: "Jobs", List: Paged(c, list, page)}}, nil
}

func progress(j planning.Job) string { return strconv.Itoa(j.Done) + " of " + strconv.Itoa(j.Total) }

func jobState(j planning.Job) Cell {
	kind := map[planning.JobStatus]string{planning.JobRunning: "warn", planning.JobDone: "good",
		planning.JobFailed: "bad"}[j.Status]
	if kind == "" {
		kind = "grey"
	}
	return Cell{Text: string(j.Status), Kind: kind}
}

func (h jobHandlers) stop(c *Call) (Result, error) {
	id := c.R.PathValue("id")
	return Result{Status: http.StatusNoContent, Redirect: "/jobs/" + id},
		h.jobs.Stop(c.R.Context(), c.Actor(), id)
}
