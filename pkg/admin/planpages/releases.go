package planpages

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing/moving"
	"headless/pkg/planning"
	"headless/pkg/planning/bulk"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// ReleaseRoutes returns the routes of releases (extensions §4).
func ReleaseRoutes(releases *planning.Releases, jobs *bulk.Jobs) []frame.Route {
	h := releaseHandlers{releases, jobs}
	routes := resource.Kind[planning.Release]{
		Path: "/releases", Title: "Releases", One: "release",
		Event: "release.updated", Read: cms.RoleEditor, Write: cms.RoleEditor,
		Decode: decodeRelease,
		Create: func(c *frame.Call, body map[string]any) (planning.Release, error) {
			if to := c.Form.Get("to"); c.IsForm && to != "" {
				return h.addTo(c, to)
			}
			return releases.Create(c.R.Context(), c.Actor(), body)
		},
		May: func(c *frame.Call, method string, r *planning.Release) error {
			switch {
			case method == http.MethodDelete:
				return releases.May(c.R.Context(), r.ID, planning.ItemActions...)
			case method == http.MethodPut && r != nil && !awaited(*r):
				return cms.Errorf(cms.CodeConflict, "This release has been published and cannot be changed any more.")
			}
			return releases.May(c.R.Context(), "", planning.ItemActions...)
		},
		New: func(*frame.Call) (planning.Release, error) {
			return planning.Release{Items: []planning.ShownItem{}, Problems: []planning.Problem{},
				Status: planning.ReleaseOpen}, nil
		},
		ID:      func(r planning.Release) string { return r.ID },
		Name:    func(r planning.Release) say.Text { return say.Data(r.Name) },
		Columns: []say.Text{"Name", "State", "Items", "Publish at", "Changed"},
		Row: func(r planning.Release) []ui.Cell {
			return []ui.Cell{ui.Text(r.Name), releaseState(r), ui.Word(say.Number(len(r.Items))),
				ui.When(r.PublishAt), ui.When(r.UpdatedAt)}
		},
		Detail: h.detail, Fields: h.fields,
	}.On(releases).Routes()
	frame.Wrap(routes, "POST", "/releases", h.withChoice)
	return append(routes,
		frame.Route{Method: "POST", Pattern: "/releases/{id}/check", Role: cms.RoleEditor, Handle: h.check},
		frame.Route{Method: "POST", Pattern: "/releases/{id}/publish", Role: cms.RoleEditor,
			Handle: h.publish},
		frame.Route{Method: "POST", Pattern: "/releases/{id}/undo", Role: cms.RoleEditor, Handle: h.undo},
	)
}

type releaseHandlers struct {
	releases *planning.Releases
	jobs     *bulk.Jobs
}

// decodeRelease turns the fields of a browser's form into the body that JSON clients send.
func decodeRelease(c *frame.Call, body map[string]any) error {
	clear(body)
	body["name"], body["publish_at"] = c.Form.Get("name"), ui.FormTime(c.Form.Get("publish_at"))
	body["items"] = slice.Map(formItems(c), func(item map[string]any) any { return item })
	return nil
}

// formItems reads the items of a form that are checked or written by hand.
func formItems(c *frame.Call) []map[string]any {
	return itemsOf(slices.Concat(c.Form["items"], c.Form["more_items"]))
}

// itemsOf reads items, each a line with model, id, action, and version or children. Of two lines about one entry
// the later one counts.
func itemsOf(texts []string) (items []map[string]any) {
	at := map[string]int{}
	for line := range strings.Lines(strings.Join(texts, "\n")) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		item := map[string]any{"action": planning.ActionPublish}
		for i, key := range []string{"model", "id", "action", "version"} {
			if i < len(words) {
				item[key] = words[i]
			}
		}
		if last := item["version"]; last == moving.Up || last == moving.Down {
			item["children"] = last
			delete(item, "version")
		}
		if i, ok := at[words[1]]; ok {
			items[i] = item
			continue
		}
		at[words[1]] = len(items)
		items = append(items, item)
	}
	return items
}

// awaited reports whether a release can still be changed and published.
func awaited(r planning.Release) bool {
	return r.Status == planning.ReleaseOpen || r.Status == planning.ReleaseFailed
}

func releaseState(r planning.Release) ui.Cell {
	kind := map[planning.ReleaseStatus]string{
		planning.ReleaseOpen: "grey", planning.ReleasePublishing: "warn",
		planning.ReleasePublished: "good", planning.ReleaseFailed: "bad",
	}[r.Status]
	return ui.Cell{Text: say.Known(string(r.Status)), Kind: kind}
}

func (h releaseHandlers) detail(c *frame.Call, r planning.Release) (*ui.Detail, error) {
	undo, err := h.undoActions(c, r)
	if err != nil {
		return nil, err
	}
	d := &ui.Detail{Poll: r.Status == planning.ReleasePublishing, Actions: undo, Facts: []ui.Fact{
		ui.NewFact("State", releaseState(r)),
		ui.NewFact("Publish at", ui.When(r.PublishAt)),
		ui.NewFact("Done", ui.Word(say.F("{1} of {2}", r.Done, len(r.Items)))),
		ui.NewFact("Published", ui.When(r.PublishedAt)),
	}}
	at := ui.Base + "/releases/" + r.ID
	if awaited(r) {
		d.Actions = []ui.Action{{Label: "Check", Method: http.MethodPost, Href: at + "/check"}}
		if h.releases.May(c.R.Context(), r.ID, cms.ActionWrite) == nil {
			d.Actions = append(d.Actions, ui.Action{Label: "Preview", Method: http.MethodPost, Href: at + "/preview"})
		}
		if h.releases.May(c.R.Context(), "", cms.ActionWrite) == nil {
			d.Actions = append(d.Actions, ui.Action{Label: "Preview site", Href: ui.Base + "/previews/new?release=" + r.ID})
		}
		if h.releases.May(c.R.Context(), r.ID, planning.ItemActions...) == nil {
			d.Actions = append(d.Actions, ui.Action{Label: "Publish", Method: http.MethodPost, Href: at + "/publish",
				Primary: true, Confirm: "Publish this release now?"})
		}
	}
	items := &ui.List{Columns: []say.Text{"Entry", "Model", "Action", "Review", "Changed since planned", "At"},
		Empty: "No items yet."}
	shown := make([]planning.ReleaseItem, len(r.Items))
	var changed []planning.ReleaseItem
	for i, item := range r.Items {
		if shown[i] = item.ReleaseItem; item.Changed != nil {
			changed = append(changed, item.ReleaseItem)
		}
	}
	versions, err := h.releases.PresentVersions(c.R.Context(), changed)
	if err != nil {
		return nil, err
	}
	for _, p := range r.Problems {
		shown = append(shown, planning.ReleaseItem{Model: p.Model, ID: p.ID})
	}
	titles, err := h.titles(c, shown)
	if err != nil {
		return nil, err
	}
	reviews, missing, err := h.reviewBadges(c, r)
	if err != nil {
		return nil, err
	}
	if missing > 0 {
		d.Facts = append(d.Facts, ui.NewFact("Not approved yet",
			ui.Cell{Text: say.F("{1} of {2}", missing, len(r.Items)), Kind: "warn"}))
	}
	for _, item := range r.Items {
		action := say.Known(string(item.Action))
		if below := belowText[item.Children]; below != "" {
			action = say.F("{1} ({2})", action, say.F("{1}: {2}", say.Text("Entries below it"), below))
		}
		cells := []ui.Cell{ui.Word(titles[item.ID].Text), ui.Text(c.Site.ModelName(item.Model)), ui.Word(action),
			reviews[item.ID]}
		if item.Changed == nil {
			cells = append(cells, ui.Cell{}, ui.Cell{})
		}
		row := ui.Row{Href: titles[item.ID].Href, Cells: append(cells, changedCells(item.Changed)...)}
		if version := versions[item.ID]; version != "" {
			row.Actions = []ui.Action{bindAction(r.ID, item.ReleaseItem, version)}
		}
		items.Rows = append(items.Rows, row)
	}
	if len(r.Problems) > 0 {
		d.Sections = append(d.Sections, ui.Section{Title: "Problems", List: problemList(c.Site, r.Problems, titles)})
	}
	d.Sections = append(d.Sections, ui.Section{Title: "Items", List: items})
	return d, nil
}

// bindAction returns the button that binds an item of a release to the present version of its entry.
func bindAction(release string, item planning.ReleaseItem, version string) ui.Action {
	bound := item.Model + " " + item.ID + " " + item.Action + " " + version
	return ui.Action{Label: "Publish as it is now", Method: http.MethodPost, Href: ui.Base + "/releases",
		Confirm: "Publish the changed content with this release?", Fields: []ui.Field{
			ui.Kept("to", release), ui.Kept("items", bound)}}
}

// Problems returns a list of problems with the titles of their entries.
func Problems(c *frame.Call, store *content.Store, list []planning.Problem) (*ui.List, error) {
	titles, err := titlesOf(c, store, list[:min(len(list), ui.MaxProblems)])
	return problemList(c.Site, list, titles), err
}

func titlesOf(c *frame.Call, store *content.Store, list []planning.Problem) (map[string]entrydata.Title, error) {
	return entrydata.Titles(c, store, list, func(p planning.Problem) (string, string) { return p.Model, p.ID })
}

func problemList(site *site.Site, problems []planning.Problem, titles map[string]entrydata.Title) *ui.List {
	list := &ui.List{Columns: []say.Text{"Entry", "Message", "Fields"}, Empty: "None."}
	if left := len(problems) - ui.MaxProblems; left > 0 {
		problems, list.Note = problems[:ui.MaxProblems], ui.MoreProblems(left)
	}
	for _, p := range problems {
		var details cms.Problems
		var fields []say.Text
		label := func(path string) say.Text { return entrydata.PathLabel(site.Models[p.Model], path) }
		// The message says all about a missing approval, and about others than cms.Problems.
		if p.Code != cms.CodeApprovalRequired && json.Unmarshal(p.Details, &details) == nil {
			fields = ui.ProblemLines(details, ui.MaxInCell, label)
		}
		list.Rows = append(list.Rows, ui.Row{
			Href: titles[p.ID].Href,
			Cells: []ui.Cell{ui.Word(titles[p.ID].Text), ui.Word(say.Known(p.Message)),
				ui.Word(say.Join(fields, "; "))},
		})
	}
	return list
}

func (h releaseHandlers) fields(c *frame.Call, r *planning.Release) ([]ui.Field, error) {
	var v planning.Release
	// A refused form keeps the entries that a list sent.
	lines := slice.Filled(c.Form["items"])
	if r != nil {
		v = *r
		lines = make([]string, len(v.Items))
	}
	for i, item := range v.Items {
		lines[i] = strings.TrimSpace(item.Model + " " + item.ID + " " + item.Action + " " + item.Children)
	}
	options, err := h.itemOptions(c, lines)
	if err != nil {
		return nil, err
	}
	fields := []ui.Field{
		{Name: "name", Label: "Name", Kind: "text", Value: v.Name, Required: true},
		{Name: "publish_at", Label: "Publish at", Kind: "datetime", Value: ui.InputTime(v.PublishAt),
			Help: "Empty: published by hand."},
	}
	if len(options) > 0 {
		fields = append(fields, ui.Field{Name: "items", Label: "Entries", Kind: "checks", Values: lines, Options: options})
	}
	return append(fields, ui.Field{Kind: "more", Label: "More items by their ids", Fields: []ui.Field{
		{Name: "more_items", Label: "Items", Kind: "lines",
			Help: "Lists and entries have “Add to release”. Here is one a line: the slug of the model, the id of the " +
				"entry, and publish or unpublish. After an entry was changed by somebody who may not publish it, " +
				"add its version, such as 12 or d7, to publish it nevertheless. After unpublish, up or down says what " +
				"happens to the entries below it."}}}), nil
}

func (h releaseHandlers) check(c *frame.Call) (frame.Result, error) {
	id := c.R.PathValue("id")
	problems, err := h.releases.Check(c.R.Context(), c.Actor(), id)
	if err != nil {
		return frame.Result{}, err
	}
	list, err := Problems(c, h.releases.Store, problems)
	if err != nil {
		return frame.Result{}, err
	}
	r, err := h.releases.Get(c.R.Context(), id)
	if err != nil {
		return frame.Result{}, err
	}
	page := &ui.Page{Title: "Check", Crumbs: []ui.Link{{Text: say.Data(r.Name), Href: ui.Base + "/releases/" + id}},
		Detail: &ui.Detail{Sections: []ui.Section{{Title: "Problems", List: list}}}}
	return frame.Result{Data: problems, Page: page}, nil
}

func (h releaseHandlers) publish(c *frame.Call) (frame.Result, error) {
	id := c.R.PathValue("id")
	r, err := h.releases.Publish(c.R.Context(), c.Actor(), id)
	return frame.Result{Status: http.StatusAccepted, Data: r, Redirect: "/releases/" + id}, err
}
