package planpages

import (
	"cmp"
	"net/http"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/planning/bulk"
	"headless/pkg/redirects"
)

// JobRoutes returns the routes of jobs over many entries (extensions §7).
func JobRoutes(jobs *bulk.Jobs, entries entrydata.EntryHandlers, all *redirects.Redirects) []frame.Route {
	h := jobHandlers{jobs, entries, all}
	return []frame.Route{
		{Method: "GET", Pattern: "/jobs", Role: cms.RoleEditor, Handle: h.list},
		{Method: "POST", Pattern: "/jobs", Role: cms.RoleEditor, Handle: frame.WithBody(h.create), Form: h.form},
		{Method: "GET", Pattern: "/jobs/{id}", Role: cms.RoleEditor, Handle: h.get},
		{Method: "DELETE", Pattern: "/jobs/{id}", Role: cms.RoleEditor, Handle: h.stop},
	}
}

type jobHandlers struct {
	jobs      *bulk.Jobs
	entries   entrydata.EntryHandlers
	redirects *redirects.Redirects
}

func (h jobHandlers) create(c *frame.Call, body map[string]any) (frame.Result, error) {
	parameter := ""
	if c.IsForm {
		if body = bodyOfForm(c); body["ids"] == nil && body["filter"] == nil && body["of"] == nil {
			return frame.Result{Redirect: backOf(c) + "?ok=none"}, nil
		}
		page, err := h.setSteps(c, body)
		if page == nil && err == nil {
			page, err = h.replaceSteps(c, body)
		}
		if page == nil && err == nil {
			page, parameter, err = h.confirmBulk(c, body)
		}
		if page != nil || err != nil {
			return frame.Result{Page: page}, err
		}
	}
	j, err := h.jobs.Create(c.R.Context(), c.Actor(), body)
	return frame.Result{Status: http.StatusAccepted, Data: j, Redirect: "/jobs/" + j.ID + parameter}, err
}

func (h jobHandlers) list(c *frame.Call) (frame.Result, error) {
	page := &ui.Page{Title: "Jobs", List: &ui.List{Note: ui.KeptFor(bulk.KeptDays), Empty: "No jobs in the last 30 days.",
		Columns: []say.Text{"Action", "Model", "State", "Done", "Begun"}}}
	read := func(p db.Paging) (db.Page[bulk.Job], error) { return h.jobs.List(c.R.Context(), c.Actor(), p) }
	return frame.Table(c, page, read, func(j bulk.Job) ui.Row {
		return ui.Row{Href: ui.Base + "/jobs/" + j.ID, Cells: []ui.Cell{
			ui.Word(jobVerbs[j.Action]), ui.Word(modelName(c, j.Model)), jobState(j), ui.Word(progress(j)),
			ui.When(j.CreatedAt)}}
	})
}

// modelName returns the name of the model of a job, or of its area.
func modelName(c *frame.Call, model string) say.Text {
	switch model {
	case cms.AreaMedia:
		return "Media"
	case cms.AreaRedirects:
		return "Redirects"
	}
	return say.Data(c.Site.ModelName(model))
}

func progress(j bulk.Job) say.Text {
	if n := len(j.Failed); n > 0 {
		return say.F("{1} of {2}, {3} failed", j.Done, j.Total, n)
	}
	return say.F("{1} of {2}", j.Done, j.Total)
}

func jobState(j bulk.Job) ui.Cell {
	kind := map[bulk.Status]string{bulk.Running: "warn", bulk.Done: "good", bulk.Failed: "bad"}[j.Status]
	if kind = cmp.Or(kind, "grey"); kind == "good" && len(j.Failed) > 0 {
		kind = "warn"
	}
	return ui.Cell{Text: say.Known(string(j.Status)), Kind: kind}
}

func (h jobHandlers) stop(c *frame.Call) (frame.Result, error) {
	id := c.R.PathValue("id")
	return frame.Result{Status: http.StatusNoContent, Redirect: "/jobs/" + id},
		h.jobs.Stop(c.R.Context(), c.Actor(), id)
}
