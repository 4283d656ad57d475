package admin

import (
	"net/http"
	"net/url"

	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/planning"
	"headless/pkg/site"
)

// scheduleRoutes are the routes of what is planned for an entry (extensions §4).
func scheduleRoutes(s *planning.Schedules) []Route {
	h := scheduleHandlers{s}
	const at = "/models/{slug}/entries/{id}/schedule"
	return []Route{
		{Method: "GET", Pattern: at, Role: cms.RoleViewer, Handle: h.get},
		{Method: "PUT", Pattern: at, Role: cms.RoleEditor, Handle: h.put, Form: h.page},
		{Method: "DELETE", Pattern: at, Role: cms.RoleEditor, Handle: h.delete},
	}
}

type scheduleHandlers struct{ plans *planning.Schedules }

// entryPath is the page of the entry in the path, below Base.
func entryPath(c *Call) string {
	return "/models/" + url.PathEscape(c.R.PathValue("slug")) + "/entries/" +
		url.PathEscape(c.R.PathValue("id"))
}

// get answers JSON with what is planned, and a browser with the form to change it.
func (h scheduleHandlers) get(c *Call) (Result, error) {
	if !c.JSON {
		page, err := h.page(c)
		return Result{Page: page}, err
	}
	planned, err := h.plans.Get(c.R.Context(), c.R.PathValue("slug"), c.R.PathValue("id"))
	return Result{Data: planned}, err
}

func (h scheduleHandlers) put(c *Call) (Result, error) {
	body, err := c.Body()
	if err != nil {
		return Result{}, err
	}
	if c.isForm {
		for _, name := range []string{"publish_at", "unpublish_at"} {
			if v, ok := body[name].(input.FormValue); ok {
				body[name] = formTime(lastOf(v))
			}
		}
	}
	planned, err := h.plans.Put(c.R.Context(), c.Actor(), c.R.PathValue("slug"), c.R.PathValue("id"), body)
	return Result{Data: planned, Redirect: entryPath(c) + "?ok=saved"}, err
}

func (h scheduleHandlers) delete(c *Call) (Result, error) {
	err := h.plans.Delete(c.R.Context(), c.Actor(), c.R.PathValue("slug"), c.R.PathValue("id"))
	return Result{Status: http.StatusNoContent, Redirect: entryPath(c) + "?ok=deleted"}, err
}

// page is the form of a plan.
func (h scheduleHandlers) page(c *Call) (*Page, error) {
	planned, err := h.plans.Get(c.R.Context(), c.R.PathValue("slug"), c.R.PathValue("id"))
	if e := asError(err); e != nil && e.Code == cms.CodeNotFound {
		planned, err = &cms.Schedule{}, nil
	}
	if err != nil {
		return nil, err
	}
	at := Base + entryPath(c)
	page := &Page{Title: "Schedule", Crumbs: []Link{{"Entry", at}}, Form: &Form{
		Action: at + "/schedule", Method: http.MethodPut, Submit: "Save", Cancel: at,
		Fields: []Field{
			{Name: "publish_at", Label: "Publish at", Kind: "datetime",
				Value: inputTime(planned.PublishAt),
				Help:  "Publishes the entry as it is then, with its draft if it has one."},
			{Name: "unpublish_at", Label: "Unpublish at", Kind: "datetime",
				Value: inputTime(planned.UnpublishAt)},
		},
	}}
	if planned.Error != nil {
		page.Notice = "The last planned change failed: " + planned.Error.Message
	}
	return page, nil
}

// inputTime is an instant as a browser's date and time field takes it, in UTC.
func inputTime(t cms.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05")
}

// withSchedules shows what is planned beside the entries that the routes of entries answer.
func withSchedules(routes []Route, plans *planning.Schedules) []Route {
	h := scheduleHandlers{plans}
	const list = "/models/{slug}/entries"
	wrap(routes, "GET", list, h.beside)
	wrap(routes, "GET", list+"/{id}", h.beside)
	wrap(routes, "GET", list+"/{id}/edit", h.beside)
	return routes
}

// beside adds the plans to the entries of an answer, in one round trip.
func (h scheduleHandlers) beside(next handler) handler {
	return func(c *Call) (Result, error) {
		result, err := next(c)
		if err != nil {
			return result, err
		}
		entries := answered(result.Data)
		if view := entryViewOf(result.Page); view != nil {
			entries = []*cms.Entry{view.live}
		}
		if len(entries) == 0 {
			return result, nil
		}
		site, err := h.plans.Store.Site(c.R.Context())
		if err != nil {
			return result, err
		}
		m := site.Models[c.R.PathValue("slug")]
		if m == nil {
			return result, nil
		}
		return result, h.add(c, m, entries, result.Page)
	}
}

func (h scheduleHandlers) add(c *Call, m *site.Model, entries []*cms.Entry, page *Page) error {
	planned, err := h.plans.Of(c.R.Context(), m, entries...)
	if err != nil {
		return err
	}
	for i, e := range entries {
		e.Schedule = planned[i]
	}
	view := entryViewOf(page)
	if view == nil {
		return nil
	}
	if plan := planned[0]; plan != nil {
		view.Facts = append(view.Facts, planFacts(plan)...)
	}
	if !view.ReadOnly {
		schedule := []Action{{Label: "Publish later…", Href: Base + entryPath(c) + "/schedule"}}
		if planned[0] != nil {
			schedule = append(schedule, Action{Label: "Drop schedule", Method: http.MethodDelete,
				Href: Base + entryPath(c) + "/schedule"})
		}
		view.Actions = append(schedule, view.Actions...)
	}
	return nil
}

func planFacts(plan *cms.Schedule) []Fact {
	var facts []Fact
	if !plan.PublishAt.IsZero() {
		facts = append(facts, Fact{Label: "Publish at", Cells: []Cell{When(plan.PublishAt)}})
	}
	if !plan.UnpublishAt.IsZero() {
		facts = append(facts, Fact{Label: "Unpublish at", Cells: []Cell{When(plan.UnpublishAt)}})
	}
	if plan.Error != nil {
		facts = append(facts,
			Fact{Label: "Schedule failed",
				Cells: []Cell{When(plan.Error.At), {Text: string(plan.Error.Code), Kind: "bad"},
					Text(plan.Error.Message)}})
	}
	return facts
}

// answered are the entries in the data of an answer.
func answered(data any) []*cms.Entry {
	switch v := data.(type) {
	case *cms.Entry:
		return []*cms.Entry{v}
	case []any:
		var entries []*cms.Entry
		for _, item := range v {
			if e, ok := item.(*cms.Entry); ok && e != nil {
				entries = append(entries, e)
			}
		}
		return entries
	}
	return nil
}
