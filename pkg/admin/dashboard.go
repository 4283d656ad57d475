package admin

import (
	"strconv"

	"headless/pkg/cms"
	"headless/pkg/store"
)

// dashboardView is the first page after signing in.
type dashboardView struct {
	Counts   []dashboardCount
	Activity []store.Activity
	Models   []cms.Model
	Entries  bool // the pages of entries exist
	Delivery []Fact
}

type dashboardCount struct {
	Label, Value, Href string
}

// DashboardRoutes are the route of the first page.
func DashboardRoutes(st *store.Store) []Route {
	return []Route{{Method: "GET", Pattern: "/{$}", Role: cms.RoleViewer, Handle: func(c *Call) (Result, error) { return dashboard(c, st) }}}
}

func dashboard(c *Call, st *store.Store) (Result, error) {
	site, err := st.Site(c.R.Context())
	if err != nil {
		return Result{}, err
	}
	recent, err := st.ListActivity(c.R.Context(), store.Paging{Page: 1, PerPage: 8})
	if err != nil {
		return Result{}, err
	}
	pipeline, err := st.Pipeline(c.R.Context())
	if err != nil {
		return Result{}, err
	}
	v := dashboardView{Delivery: pipelineFacts(pipeline), Activity: recent.Items, Models: sortedModels(site), Entries: c.a.routes["/models/{slug}/entries"] != nil}
	for _, n := range []struct {
		label, href string
		count       int
	}{{"Models", "/models", len(site.Models)}, {"Locales", "/locales", len(site.Locales)}, {"Forms", "/forms", len(site.Forms)}} {
		if c.a.routes[n.href] != nil {
			v.Counts = append(v.Counts, dashboardCount{n.label, strconv.Itoa(n.count), Base + n.href})
		}
	}
	data := map[string]any{"models": len(site.Models), "locales": len(site.Locales), "forms": len(site.Forms), "activity": recent.Items, "webhooks": pipeline}
	return Result{Data: data, Page: &Page{Title: "Overview", Template: "dashboard", Custom: v}}, nil
}

// pipelineFacts show what the latest sweep found of the way from events to webhooks.
func pipelineFacts(p store.Pipeline) []Fact {
	if p.At.IsZero() {
		return nil
	}
	oldest := Cell{Text: "none waits", Kind: "good"}
	if !p.OldestEvent.IsZero() {
		oldest = When(p.OldestEvent)
	}
	dead := Text(strconv.Itoa(p.DeadLetters))
	if p.DeadLetters > 0 {
		dead.Kind = "bad"
	}
	return []Fact{
		{Label: "Oldest undelivered event", Cells: []Cell{oldest}},
		{Label: "Pending deliveries", Cells: []Cell{Text(strconv.Itoa(p.Pending))}},
		{Label: "Events not dispatched", Cells: []Cell{Text(strconv.Itoa(p.Undispatched))}},
		{Label: "Lost wake-ups", Cells: []Cell{Text(strconv.Itoa(p.Lost))}},
		{Label: "Dead letters", Cells: []Cell{dead}},
		{Label: "Checked", Cells: []Cell{When(p.At)}},
	}
}
