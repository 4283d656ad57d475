package planpages

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing/moving"
	"headless/pkg/planning"
	"headless/pkg/planning/bulk"
	"headless/pkg/slice"
)

// bodyOfForm makes the body of a job from a browser's form. Its checkboxes are named ids, the checkbox
// all chooses entries by filter, and of is the id of a job to undo.
func bodyOfForm(c *frame.Call) map[string]any {
	body := map[string]any{"action": c.Form.Get("action"), "model": c.Form.Get("model")}
	ids := slice.Filled(c.Form["ids"])
	var filter map[string]any
	switch of := c.Form.Get("of"); {
	case of != "":
		body["of"] = of
	case c.Form.Get("all") == "true":
		if json.Unmarshal([]byte(c.Form.Get("filter")), &filter) == nil {
			body["filter"] = filter
		}
	case len(ids) > 0:
		body["ids"] = ui.Anys(ids)
	}
	return body
}

// backOf returns the path, below Base, of the list that a form came from.
func backOf(c *frame.Call) string {
	if slug := c.Form.Get("model"); slug != "" {
		return ui.EntriesPath(slug)
	}
	return "/jobs"
}

// csvFailures lists the rows of a file that were not saved.
func csvFailures(r *bulk.CSVResult) *ui.List {
	list := &ui.List{Columns: []say.Text{"Line", "Column", "Message"}, Empty: "None failed."}
	for _, f := range r.Failed {
		list.Rows = append(list.Rows, ui.Row{Cells: []ui.Cell{
			ui.Word(say.Number(f.Line)), ui.Code(f.Column), ui.Word(say.Known(f.Message))}})
	}
	return list
}

// jobVerbs has the titles of actions.
var jobVerbs = map[string]say.Text{
	bulk.ActionReplace:     "Replace links",
	bulk.ActionImport:      "Import CSV",
	planning.ActionPublish: "Publish", planning.ActionUnpublish: "Unpublish",
	bulk.ActionArchive: "Archive",
	bulk.ActionDelete:  "Delete", bulk.ActionRestore: "Restore", bulk.ActionSet: "Change fields",
	bulk.ActionRevert: "Undo", bulk.ActionReplaceText: "Replace text", bulk.ActionUndoRelease: "Undo release",
	bulk.ActionTranslate: "Upload a translation",
}

func (h jobHandlers) get(c *frame.Call) (frame.Result, error) {
	j, err := h.jobs.Get(c.R.Context(), c.Actor(), c.R.PathValue("id"))
	if err != nil || c.JSON {
		return frame.Result{Data: j}, err
	}
	state := []ui.Cell{jobState(j)}
	if j.Message != "" {
		state = append(state, ui.Word(say.Known(j.Message)))
	}
	d := &ui.Detail{Poll: j.Status == bulk.Running, Facts: []ui.Fact{
		ui.NewFact("State", state...),
		ui.NewFact("Done", ui.Word(progress(j))),
		ui.NewFact("Begun", ui.When(j.CreatedAt)),
	}}
	d.Facts = append(d.Facts, seenFact(c, j)...)
	undo, left, err := h.jobs.LastUndo(c.R.Context(), c.Actor(), j.ID)
	if err != nil {
		return frame.Result{}, err
	}
	if undo != nil {
		d.Facts = append(d.Facts, ui.NewFact("Undo", ui.Cell{Text: undoWords(*undo, left),
			Href: ui.Base + "/jobs/" + undo.ID}))
	}
	at, list := ui.Base+"/jobs/"+j.ID, ui.Base+ui.EntriesPath(j.Model)
	if slices.Contains(cms.Areas(), j.Model) {
		list = ui.Base + "/" + j.Model
	}
	d.Actions = []ui.Action{{Label: "Back to the list", Href: list}}
	if j.Release != "" {
		d.Actions = []ui.Action{{Label: "Back to the release", Href: ui.Base + "/releases/" + j.Release}}
	}
	p, err := c.PlainPaging()
	if err != nil {
		return frame.Result{}, err
	}
	changed, err := h.jobs.Changed(c.R.Context(), c.Actor(), j.ID, p)
	if err != nil {
		return frame.Result{}, err
	}
	switch {
	case j.Status == bulk.Running:
		d.Actions = append(d.Actions,
			ui.Action{Label: "Refresh", Href: strings.TrimSuffix(at+"?"+c.R.URL.RawQuery, "?")})
		if h.jobs.MayStop(c.R.Context(), c.Actor(), j.ID) == nil {
			d.Actions = append(d.Actions, ui.Action{Label: "Stop", Method: http.MethodDelete, Href: at, Danger: true})
		}
	case changed.Total > 0 && h.jobs.MayTakeBack(c.R.Context(), c.Actor(), j.ID) == nil:
		if j.Children == moving.Up {
			d.Facts = append(d.Facts, ui.NewFact("Undo", ui.Word(ui.MovedUpStay)))
		}
		d.Actions = append(d.Actions, entrydata.UndoJob(j))
	}
	titles, err := titlesIn(c, h, j.Failed,
		func(f bulk.Failure) (string, string) { return cmp.Or(f.Model, j.Model), f.ID })
	if err != nil {
		return frame.Result{}, err
	}
	failed := &ui.List{Columns: []say.Text{"Entry", "Language", "Message"}, Empty: "None failed."}
	for _, f := range j.Failed {
		reason := reasonOf(c.Site.Models[cmp.Or(f.Model, j.Model)], f.Message)
		failed.Rows = append(failed.Rows, titledRow(c, titles[f.ID], ui.Word(reason)))
	}
	if r := j.Result; r != nil {
		failed = csvFailures(r)
		d.Facts = append(d.Facts,
			ui.NewFact("Created", ui.Word(say.Number(r.Created))),
			ui.NewFact("Updated", ui.Word(say.Number(r.Updated))),
			ui.NewFact("Unchanged", ui.Word(say.Number(r.Unchanged))))
	}
	if j.Result == nil && j.Action != bulk.ActionDelete {
		list, err := h.changedList(c, j, changed)
		if err != nil {
			return frame.Result{}, err
		}
		d.Sections = []ui.Section{{Title: "Changed entries", List: list}}
	}
	d.Sections = append(d.Sections, ui.Section{Title: "Failed", List: failed})
	return frame.Result{Page: &ui.Page{Title: say.F("{1}: {2}", jobVerbs[j.Action], progress(j)),
		Crumbs: []ui.Link{{Text: "Jobs", Href: ui.Base + "/jobs"}}, Detail: d}}, nil
}

// undoWords says how much a job took back. left is the number of entries that undos before it left for good.
func undoWords(j bulk.Job, left int) say.Text {
	otherwise := func(f bulk.Failure) bool { return !f.Stays }
	if len(j.Failed)+left == 0 || j.Status != bulk.Done || slices.ContainsFunc(j.Failed, otherwise) {
		return progress(j)
	}
	return ui.DoneWords(ui.Undone(j.Total-len(j.Failed), j.Total+left))
}

// changedList lists the entries that a job has changed.
func (h jobHandlers) changedList(c *frame.Call, j bulk.Job, page db.Page[string]) (*ui.List, error) {
	of := func(id string) (string, string) {
		model, entry, several := strings.Cut(id, "/") // of a job over several models
		if several && slices.Contains(cms.Areas(), model) {
			return model, entry
		} else if m := c.Site.ModelByID(model); several && m != nil {
			return m.Slug, entry
		}
		return j.Model, id
	}
	titles, err := titlesIn(c, h, page.Items, of)
	list := &ui.List{Columns: []say.Text{"Entry", "Language"}, Empty: "None changed."}
	for _, id := range page.Items {
		_, entry := of(id)
		list.Rows = append(list.Rows, titledRow(c, titles[entry]))
	}
	return frame.Paged(c, list, page), err
}

// titlesIn returns titles of the entries, alternative texts, settings and redirects that a job saved, by id.
func titlesIn[T any](c *frame.Call, h jobHandlers, list []T,
	of func(T) (model, id string)) (map[string]entrydata.Title, error) {
	titles, err := entrydata.Titles(c, h.jobs.Store, list, of)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, item := range list {
		switch model, id := of(item); model {
		case cms.AreaMedia:
			ids = append(ids, id)
		case cms.AreaSettings:
			titles[id] = entrydata.Title{Text: say.F("Setting {1}", entrydata.SettingLabel(id)), Href: ui.Base + "/settings"}
		case cms.AreaRedirects:
			titles[id] = entrydata.Title{Text: "Deleted redirect"}
			r, err := h.redirects.Get(c.R.Context(), id)
			if err == nil {
				titles[id] = entrydata.Title{Text: say.Data(r.From), Href: ui.Base + "/redirects/" + id}
			} else if cms.CodeOf(err) != cms.CodeNotFound {
				return nil, err
			}
		}
	}
	files, err := h.jobs.Entries.MediaInline(c.R.Context(), ids)
	for _, id := range ids {
		if file, ok := files[id].(*cms.MediaInline); ok {
			titles[id] = entrydata.Title{Text: say.F("Alternative text of {1}", file.Name), Href: ui.Base + "/media/" + id}
		}
	}
	return titles, err
}

// titledRow returns a row with the title and the language of an entry, and further cells.
func titledRow(c *frame.Call, t entrydata.Title, more ...ui.Cell) ui.Row {
	language := ui.Cell{}
	if t.Locale != "" {
		language = ui.Badge(c.LocaleName(t.Locale))
	}
	return ui.Row{Href: t.Href, Cells: append([]ui.Cell{ui.Word(t.Text), language}, more...)}
}
