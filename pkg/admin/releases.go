package admin

import (
	"net/http"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	previews "headless/pkg/links/preview"
	"headless/pkg/planning"
)

// releaseRoutes are the routes of releases (extensions §4).
func releaseRoutes(releases *planning.Releases) []Route {
	h := releaseHandlers{releases}
	return append(Resource[planning.Release]{
		Path: "/releases", Title: "Releases", One: "release", Read: cms.RoleEditor, Write: cms.RoleEditor,
		List: func(c *Call, p db.Paging) (db.Page[planning.Release],
			error) {
			return releases.List(c.R.Context(), p)
		},
		Get: func(c *Call, id string) (planning.Release, error) { return releases.Get(c.R.Context(), id) },
		Create: func(c *Call, body map[string]any) (planning.Release, error) {
			return releases.Create(c.R.Context(), c.Actor(), releaseForm(c, body))
		},
		Update: func(c *Call, id string, body map[string]any,
			ok input.Precondition[planning.Release]) (planning.Release, error) {
			return releases.Update(c.R.Context(), c.Actor(), id, releaseForm(c, body), ok)
		},
		Delete: func(c *Call, id string) error { return releases.Delete(c.R.Context(), c.Actor(), id) },
		New: func(*Call) (planning.Release, error) {
			return planning.Release{Items: []planning.ReleaseItem{}, Problems: []planning.Problem{},
				Status: planning.ReleaseOpen}, nil
		},
		ID:      func(r planning.Release) string { return r.ID },
		Name:    func(r planning.Release) string { return r.Name },
		Columns: []string{"Name", "State", "Items", "Publish at", "Changed"},
		Row: func(r planning.Release) []Cell {
			return []Cell{Text(r.Name), releaseState(r), Text(strconv.Itoa(len(r.Items))),
				When(r.PublishAt), When(r.UpdatedAt)}
		},
		Detail: h.detail, Fields: h.fields,
	}.Routes(),
		Route{Method: "POST", Pattern: "/releases/{id}/check", Role: cms.RoleEditor, Handle: h.check},
		Route{Method: "POST", Pattern: "/releases/{id}/preview", Role: cms.RoleEditor, Handle: h.preview},
		Route{Method: "POST", Pattern: "/releases/{id}/publish", Role: cms.RoleEditor, Handle: h.publish},
	)
}

type releaseHandlers struct{ releases *planning.Releases }

// releaseForm turns the fields of a browser's form into what JSON would have: an item is a line of
// model, id and action.
func releaseForm(c *Call, body map[string]any) map[string]any {
	if !c.isForm {
		return body
	}
	items := []any{}
	for line := range strings.Lines(c.form.Get("items")) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		item := map[string]any{"action": planning.ActionPublish}
		for i, key := range []string{"model", "id", "action"} {
			if i < len(words) {
				item[key] = words[i]
			}
		}
		items = append(items, item)
	}
	return map[string]any{"name": c.form.Get("name"),
		"publish_at": formTime(c.form.Get("publish_at")), "items": items}
}

func releaseState(r planning.Release) Cell {
	kind := map[planning.ReleaseStatus]string{
		planning.ReleaseOpen: "grey", planning.ReleasePublishing: "warn",
		planning.ReleasePublished: "good", planning.ReleaseFailed: "bad",
	}[r.Status]
	return Cell{Text: string(r.Status), Kind: kind}
}

func (h releaseHandlers) detail(c *Call, r planning.Release) (*Detail, error) {
	d := &Detail{Facts: []Fact{
		{Label: "State", Cells: []Cell{releaseState(r)}},
		{Label: "Publish at", Cells: []Cell{When(r.PublishAt)}},
		{Label: "Done",
			Cells: []Cell{Text(strconv.Itoa(r.Done) + " of " + strconv.Itoa(len(r.Items)))}},
		{Label: "Published", Cells: []Cell{When(r.PublishedAt)}},
	}}
	at := Base + "/releases/" + r.ID
	if r.Status == planning.ReleaseOpen || r.Status == planning.ReleaseFailed {
		d.Actions = []Action{
			{Label: "Check", Method: http.MethodPost, Href: at + "/check"},
			{Label: "Preview", Method: http.MethodPost, Href: at + "/preview"},
			{Label: "Publish", Method: http.MethodPost, Href: at + "/publish",
				Confirm: "Publish this release now?"},
		}
	}
	items := &List{Columns: []string{"Entry", "Model", "Action"}, Empty: "No items yet."}
	for _, item := range r.Items {
		items.Rows = append(items.Rows, Row{
			Href:  Base + "/models/" + item.Model + "/entries/" + item.ID,
			Cells: []Cell{Code(item.ID), Code(item.Model), Text(item.Action)},
		})
	}
	d.Sections = []Section{{Title: "Items", List: items}, {Title: "Problems", List: problemList(r.Problems)}}
	return d, nil
}

func problemList(problems []planning.Problem) *List {
	list := &List{Columns: []string{"Entry", "Code", "Message", "Fields"}, Empty: "None."}
	for _, p := range problems {
		var fields []string
		for path, messages := range p.Details {
			fields = append(fields, path+" "+strings.Join(messages, ", "))
		}
		list.Rows = append(list.Rows, Row{
			Href: Base + "/models/" + p.Model + "/entries/" + p.ID,
			Cells: []Cell{Code(p.ID), Code(string(p.Code)), Text(p.Message),
				Text(strings.Join(fields, "; "))},
		})
	}
	return list
}

func (h releaseHandlers) fields(_ *Call, r *planning.Release) ([]Field, error) {
	var v planning.Release
	if r != nil {
		v = *r
	}
	lines := make([]string, len(v.Items))
	for i, item := range v.Items {
		lines[i] = item.Model + " " + item.ID + " " + item.Action
	}
	return []Field{
		{Name: "name", Label: "Name", Kind: "text", Value: v.Name, Required: true},
		{Name: "publish_at", Label: "Publish at", Kind: "datetime", Value: inputTime(v.PublishAt),
			Help: "Empty: published by hand."},
		{Name: "items", Label: "Items", Kind: "lines", Values: lines,
			Help: "One a line: the slug of the model, the id of the entry, and publish or unpublish."},
	}, nil
}

func (h releaseHandlers) check(c *Call) (Result, error) {
	id := c.R.PathValue("id")
	problems, err := h.releases.Check(c.R.Context(), id)
	if err != nil {
		return Result{}, err
	}
	page := &Page{Title: "Check", Crumbs: []Link{{"Release", Base + "/releases/" + id}},
		Detail: &Detail{Sections: []Section{{Title: "Problems", List: problemList(problems)}}}}
	return Result{Data: problems, Page: page}, nil
}

// preview answers POST /releases/{id}/preview: a link to the draft of each item (extensions §5).
func (h releaseHandlers) preview(c *Call) (Result, error) {
	body, err := c.Body()
	if err != nil {
		return Result{}, err
	}
	id := c.R.PathValue("id")
	r, err := h.releases.Get(c.R.Context(), id)
	if err != nil {
		return Result{}, err
	}
	entries := make([]previews.EntryRef, len(r.Items))
	for i, item := range r.Items {
		entries[i] = previews.EntryRef{Model: item.Model, ID: item.ID}
	}
	made, err := previews.Links{Entries: h.releases.Entries}.CreateEach(c.R.Context(), entries, body)
	if err != nil || c.JSON {
		return Result{Status: http.StatusCreated, Data: made}, err
	}
	list := &List{Columns: []string{"Entry", "Model", "Valid until"},
		Empty: "This release has no items to preview."}
	for _, link := range made {
		row := Row{Cells: []Cell{Code(link.ID), Code(link.Model), When(link.ExpiresAt)}}
		if link.URL != nil {
			row.Href = *link.URL
		}
		list.Rows = append(list.Rows, row)
	}
	page := &Page{
		Title: "Preview", Crumbs: []Link{{r.Name, Base + "/releases/" + id}},
		Detail: &Detail{Sections: []Section{{Title: "Preview links", List: list}}},
	}
	return Result{Status: http.StatusCreated, Data: made, Page: page}, nil
}

func (h releaseHandlers) publish(c *Call) (Result, error) {
	id := c.R.PathValue("id")
	r, err := h.releases.Publish(c.R.Context(), c.Actor(), id)
	return Result{Status: http.StatusAccepted, Data: r, Redirect: "/releases/" + id}, err
}
