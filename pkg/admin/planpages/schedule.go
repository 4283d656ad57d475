package planpages

import (
	"net/http"
	"net/url"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entrypages"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/editing/moving"
	"headless/pkg/planning"
	"headless/pkg/site"
)

// ScheduleRoutes returns the routes of the schedule of an entry (extensions §4).
func ScheduleRoutes(s *planning.Schedules) []frame.Route {
	h := scheduleHandlers{s}
	const at = "/models/{slug}/entries/{id}/schedule"
	return []frame.Route{
		{Method: "GET", Pattern: at, Role: cms.RoleViewer, Handle: h.get},
		{Method: "PUT", Pattern: at, Role: cms.RoleEditor, Handle: frame.WithBody(h.put), Form: h.page},
		{Method: "DELETE", Pattern: at, Role: cms.RoleEditor, Handle: h.delete},
	}
}

type scheduleHandlers struct{ plans *planning.Schedules }

// get returns the schedule as JSON; browsers get the form to change it.
func (h scheduleHandlers) get(c *frame.Call) (frame.Result, error) {
	if !c.JSON {
		return frame.ShowPage(h.page)(c)
	}
	planned, err := h.plans.Get(c.R.Context(), c.R.PathValue("slug"), c.R.PathValue("id"))
	return frame.Result{Data: planned}, err
}

func (h scheduleHandlers) put(c *frame.Call, body map[string]any) (frame.Result, error) {
	frame.FormTimes(body, "publish_at", "unpublish_at")
	if unchanged := resource.Unchanged(c, "entry.scheduled", c.R.PathValue("id"), shownPlan); unchanged != nil {
		now, err := h.present(c)
		if err == nil {
			err = unchanged(now)
		}
		if err != nil {
			return frame.Result{}, err
		}
	}
	planned, err := h.plans.Put(c.R.Context(), c.Actor(), c.R.PathValue("slug"), c.R.PathValue("id"), body)
	return frame.Result{Data: planned, Redirect: entrydata.EntryAt(c) + "?ok=saved"}, err
}

// delete drops the schedule. Browsers may save it again, unless another one was saved meanwhile, or its publication
// waits for somebody to look at a change.
func (h scheduleHandlers) delete(c *frame.Call) (frame.Result, error) {
	was, err := h.present(c)
	if err != nil {
		return frame.Result{}, err
	}
	at := entrydata.EntryAt(c)
	result := frame.Result{Status: http.StatusNoContent, Redirect: at + "?ok=deleted"}
	if was.Changed == nil {
		none, err := resource.VersionOf(shownPlan(&cms.Schedule{}))
		if err != nil {
			return frame.Result{}, err
		}
		result.Undo = &ui.Undo{Method: http.MethodPut, Href: ui.Base + at + "/schedule", Fields: url.Values{
			"publish_at": {ui.InputTime(was.PublishAt)}, "unpublish_at": {ui.InputTime(was.UnpublishAt)},
			ui.VersionKey: {none}}}
		if was.Children != "" {
			result.Undo.Fields.Set("children", was.Children)
		}
	}
	return result, h.plans.Delete(c.R.Context(), c.Actor(), c.R.PathValue("slug"), c.R.PathValue("id"))
}

// present returns the schedule of the entry, an empty one if it has none.
func (h scheduleHandlers) present(c *frame.Call) (*cms.Schedule, error) {
	planned, err := h.plans.Get(c.R.Context(), c.R.PathValue("slug"), c.R.PathValue("id"))
	if cms.CodeOf(err) == cms.CodeNotFound {
		return &cms.Schedule{}, nil
	}
	return planned, err
}

// shownPlan returns the values of a schedule in its form.
func shownPlan(s *cms.Schedule) any { return []any{s.PublishAt, s.UnpublishAt, s.Children} }

// page returns the form of a schedule.
func (h scheduleHandlers) page(c *frame.Call) (*ui.Page, error) {
	planned, err := h.present(c)
	if err != nil {
		return nil, err
	}
	version, err := resource.VersionOf(shownPlan(planned))
	if err != nil {
		return nil, err
	}
	of := planning.Problem{Model: c.R.PathValue("slug"), ID: c.R.PathValue("id")}
	titles, err := titlesOf(c, h.plans.Store, []planning.Problem{of})
	if err != nil {
		return nil, err
	}
	at := ui.Base + entrydata.EntryAt(c)
	page := &ui.Page{Title: "Schedule", Crumbs: []ui.Link{{Text: titles[of.ID].Text, Href: at}}, Form: &ui.Form{
		Action: at + "/schedule", Method: http.MethodPut, Submit: "Save", Cancel: at, Version: version,
		Fields: []ui.Field{
			{Name: "publish_at", Label: "Publish at", Kind: "datetime",
				Value: ui.InputTime(planned.PublishAt),
				Help:  "Publishes the entry as it is then, with its draft if it has one."},
			{Name: "unpublish_at", Label: "Unpublish at", Kind: "datetime", Value: ui.InputTime(planned.UnpublishAt)},
		},
	}}
	m := c.Site.Models[c.R.PathValue("slug")]
	if m != nil && m.Tree {
		page.Form.Fields = append(page.Form.Fields, ui.Field{Name: "children", Label: "Entries below it", Kind: "select",
			Value: planned.Children, Help: "What happens to published entries below when this one is unpublished.",
			Options: []ui.Option{{Label: "It stays published while there are any"},
				{Value: moving.Up, Label: "They move up"}, {Value: moving.Down, Label: "They are unpublished too"}}})
	}
	switch {
	case planned.Error != nil:
		page.Notice = say.F("The last planned change failed: {1}", reasonOf(m, planned.Error.Message))
	case planned.Changed != nil:
		page.Notice = say.F("The content was changed after this was planned, by {1}, who may not publish it. It will not "+
			"be published unless you look at it and save the plan again.", planned.Changed.By.Name)
	}
	return page, nil
}

// WithSchedules adds schedules to the entries in the responses of the routes of entries.
func WithSchedules(routes []frame.Route, plans *planning.Schedules) []frame.Route {
	h := scheduleHandlers{plans}
	const list = "/models/{slug}/entries"
	frame.Wrap(routes, "GET", list, h.withSchedules)
	frame.Wrap(routes, "GET", list+"/{id}", h.withSchedules)
	frame.Wrap(routes, "GET", list+"/{id}/edit", h.withSchedules)
	return routes
}

// withSchedules adds the schedules to the entries in a response, in one round trip.
func (h scheduleHandlers) withSchedules(next frame.Handler) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		result, err := next(c)
		if err != nil {
			return result, err
		}
		entries := entriesOf(result.Data)
		if view := entrypages.EntryViewOf(result.Page); view != nil {
			entries = []*cms.Entry{view.Stored}
		}
		if len(entries) == 0 {
			return result, nil
		}
		m := c.Site.Models[c.R.PathValue("slug")]
		if m == nil {
			return result, nil
		}
		return result, h.addTo(c, m, entries, result.Page)
	}
}

func (h scheduleHandlers) addTo(c *frame.Call, m *site.Model, entries []*cms.Entry, page *ui.Page) error {
	planned, err := h.plans.Of(c.R.Context(), m, entries...)
	if err != nil {
		return err
	}
	for i, e := range entries {
		e.Schedule = planned[i]
	}
	view := entrypages.EntryViewOf(page)
	if view == nil {
		return nil
	}
	if plan := planned[0]; plan != nil {
		view.Facts = append(view.Facts, planFacts(m, plan)...)
	}
	if c.May(cms.RoleEditor) && planning.MayPlan(c.R.Context(), m, view.Stored) == nil {
		schedule := []ui.Action{{Label: "Publish later…", Href: ui.Base + entrydata.EntryAt(c) + "/schedule"}}
		if planned[0] != nil {
			schedule = append(schedule, ui.Action{Label: "Drop schedule", Method: http.MethodDelete,
				Href: ui.Base + entrydata.EntryAt(c) + "/schedule"})
		}
		view.Actions = append(schedule, view.Actions...)
	}
	return nil
}

// belowText says what happens to the entries below one that is unpublished.
var belowText = map[string]say.Text{moving.Up: "move up", moving.Down: "are unpublished too"}

func planFacts(m *site.Model, plan *cms.Schedule) []ui.Fact {
	var facts []ui.Fact
	if !plan.PublishAt.IsZero() {
		facts = append(facts, ui.NewFact("Publish at", ui.When(plan.PublishAt)))
	}
	if !plan.UnpublishAt.IsZero() {
		facts = append(facts, ui.NewFact("Unpublish at", ui.When(plan.UnpublishAt)))
	}
	if below := belowText[plan.Children]; below != "" {
		facts = append(facts, ui.NewFact("Entries below it", ui.Word(below)))
	}
	if plan.Changed != nil {
		facts = append(facts, ui.NewFact("Changed since planned", changedCells(plan.Changed)...))
	}
	if plan.Error != nil {
		facts = append(facts,
			ui.NewFact("Schedule failed", ui.When(plan.Error.At), ui.Cell{Text: reasonOf(m, plan.Error.Message), Kind: "bad"}))
	}
	return facts
}

// changedCells shows a change after which a publication will fail; nothing without one.
func changedCells(changed *cms.PlanChange) []ui.Cell {
	if changed == nil {
		return nil
	}
	return []ui.Cell{{Text: say.F("by {1}, who may not publish it", changed.By.Name), Kind: "bad"},
		ui.When(changed.At)}
}

// entriesOf returns the entries in the data of a response.
func entriesOf(data any) []*cms.Entry {
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
