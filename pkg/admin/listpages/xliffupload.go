package listpages

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/editing/takeback"
	"headless/pkg/input"
	"headless/pkg/planning/bulk"
	"headless/pkg/site"
	"headless/pkg/transfer/xliff"
)

// uploadPage is the form for a translated file.
func (h xliffHandlers) uploadPage(c *frame.Call, m *site.Model) (*ui.Page, error) {
	list := ui.Base + ui.EntriesPath(m.Slug)
	return &ui.Page{Title: "Upload a translation", Crumbs: []ui.Link{entrydata.ListLink(m)},
		Form: &ui.Form{Action: list + ".xliff", Method: http.MethodPost, Multipart: true, Submit: "Upload",
			Cancel: list, Fields: []ui.Field{{Name: "file", Label: "XLIFF file", Kind: "file", Required: true,
				Help: say.Sentences(
					"The file that you downloaded here, with its translations. They become drafts: nothing is published.",
					altsAreShown)}}}}, nil
}

// saveFile saves the translations in a file as drafts.
func (h xliffHandlers) saveFile(c *frame.Call, m *site.Model) (frame.Result, error) {
	form := c.R.MultipartForm
	if form == nil || len(form.File["file"]) != 1 {
		return frame.Result{}, cms.Problems{"file": {"is required, as one part of multipart/form-data"}}.Err()
	}
	file, err := form.File["file"][0].Open()
	if err != nil {
		return frame.Result{}, err
	}
	defer file.Close()
	taken, into, err := h.exchange.Import(c.R.Context(), c.Actor(), c.Site, m, file)
	saved := map[string]takeback.Saved{}
	for _, t := range taken {
		maps.Copy(saved, t.Saved)
	}
	var job bulk.Job
	if len(saved) > 0 {
		var failed error
		job, failed = h.jobs.Record(c.R.Context(), c.Actor(), bulk.ActionTranslate, m.Slug,
			slices.Sorted(maps.Keys(saved)), saved)
		err = cmp.Or(err, failed)
	}
	if err != nil {
		return frame.Result{}, err
	}
	meta := map[string]any{"job": job.ID, "locale": into.Locale, input.ImportCreated: 0, input.ImportUpdated: 0,
		input.ImportUnchanged: 0, xliff.ResultFailed: 0}
	for _, t := range taken {
		n, _ := meta[t.Result].(int)
		meta[t.Result] = n + 1
	}
	page := takenPage(c.Site, m, taken, into)
	if job.ID != "" && h.jobs.MayTakeBack(c.R.Context(), c.Actor(), job.ID) == nil {
		page.List.Actions = []ui.Action{entrydata.UndoJob(job)}
		page.List.Links = []ui.Link{{Text: "Jobs", Href: ui.Base + "/jobs/" + job.ID}}
	}
	return frame.Result{Data: taken, Meta: meta, Page: page}, nil
}

// takenPage says what became of each entry of a file.
func takenPage(now *site.Site, m *site.Model, taken []xliff.Taken, into xliff.Languages) *ui.Page {
	name := into.Locale
	if l := now.Locale(into.Locale); l != nil {
		name = l.Name
	}
	list := &ui.List{Columns: []say.Text{"Entry", "Result", "Texts", "Notes"}, Total: len(taken)}
	label := func(path string) say.Text { return say.Known(xliff.LabelAt(&m.Model, path)) }
	notice := say.Text("Nothing was saved.")
	for _, t := range taken {
		if t.Result == input.ImportCreated || t.Result == input.ImportUpdated {
			notice = say.Sentences("The translations are drafts. Read them beside the original, and publish them.", altsAreShown)
		}
		var told []say.Text
		if t.Error == nil && t.Texts == 0 && len(t.Warnings) == 0 {
			told = append(told, "The file has no translation of it.")
		}
		if t.Error != nil {
			told = append(told, say.Known(t.Error.Message))
			told = append(told, ui.ProblemLines(t.Error.Details, ui.MaxInCell, label)...)
		}
		told = append(told, ui.ProblemLines(t.Warnings, ui.MaxInCell, label)...)
		row := ui.Row{Cells: []ui.Cell{ui.Text(cmp.Or(t.Title, t.ID)), takenCells[t.Result],
			{Text: say.Number(t.Texts)},
			{Text: say.Join(told, " · ")}}}
		if t.Translation != "" {
			row.Href = entrydata.EntryAddress(m.Slug, t.Translation) + "?beside=" + url.QueryEscape(t.ID)
		}
		list.Rows = append(list.Rows, row)
	}
	if !strings.EqualFold(into.Tag, into.Locale) {
		notice = say.Sentences(say.F("The file is in {1}. It was taken for {2}.", into.Tag, name), notice)
	}
	return &ui.Page{Title: say.F("Translations to {1}", name), List: list,
		Crumbs: []ui.Link{entrydata.ListLink(m)},
		Notice: notice}
}

// altsAreShown says that alternative texts have no drafts.
const altsAreShown say.Text = "Alternative texts of files are shown at once."

// takenCells show the results of entries.
var takenCells = map[string]ui.Cell{
	input.ImportCreated: {Text: "created", Kind: "good"}, input.ImportUpdated: {Text: "updated", Kind: "good"},
	input.ImportUnchanged: {Text: "unchanged", Kind: "grey"}, xliff.ResultFailed: {Text: "failed", Kind: "bad"},
}
