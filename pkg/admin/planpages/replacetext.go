package planpages

import (
	"errors"
	"net/http"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/planning/bulk"
)

// replaceSteps asks for a text and for the text that replaces it, and then shows what would change. Once that is
// confirmed, it returns no page: the body of the job has both texts.
func (h jobHandlers) replaceSteps(c *frame.Call, body map[string]any) (*ui.Page, error) {
	if body["action"] != bulk.ActionReplaceText {
		return nil, nil
	}
	find, put := c.Form.Get("find"), c.Form.Get("replace")
	ask := setPage(c, say.F("Find and replace in {1}", targets(c)), "Next",
		ui.Field{Name: "find", Label: "Find", Kind: "text", Value: find, Required: true, Focus: true,
			Help: "As it is written, in the same case. It is found in titles and texts, not in slugs and links."},
		ui.Field{Name: "replace", Label: "Replace with", Kind: "text", Value: put})
	if !c.Form.Has("find") {
		return ask, nil
	}
	body["find"], body["replace"] = find, put
	if c.Form.Get("sure") == "true" {
		return nil, nil
	}
	r, err := h.jobs.Rehearse(c.R.Context(), c.Actor(), body)
	if refused, ok := errors.AsType[*cms.Error](err); ok &&
		len(refused.Details["find"])+len(refused.Details["replace"]) > 0 {
		for i := range ask.Form.Fields {
			for _, m := range refused.Details[ask.Form.Fields[i].Name] {
				ask.Form.Fields[i].Errors = append(ask.Form.Fields[i].Errors, say.Known(m))
			}
		}
		return ask, nil
	}
	if err != nil {
		return ask, err
	}
	return rehearsalPage(c, r, find, put), nil
}

// rehearsalPage is the page that says what replacing a text would change, and asks.
func rehearsalPage(c *frame.Call, r bulk.Rehearsal, find, put string) *ui.Page {
	of := say.Number(r.Total)
	if r.Tried < r.Total {
		of = say.F("the first {1} of {2}", r.Tried, r.Total)
	}
	effect := say.N(r.Changes, "{1} entry of {2} changes, with its draft. Readers see it at once if it is published.",
		"{1} entries of {2} change, with their drafts. Readers of published ones see it at once.", of)
	happens := []ui.Cell{ui.Word(effect)}
	if r.Refused > 0 {
		happens = append(happens, ui.Word(say.N(r.Refused, "{1} is refused", "{1} are refused")))
	}
	d := &ui.Detail{Facts: []ui.Fact{ui.NewFact("What happens", happens...),
		ui.NewFact("Undo", ui.Word("The next page can undo it."))}}
	if r.Changes > 0 || r.Tried < r.Total {
		in := say.N(r.Changes, "{1} entry", "{1} entries")
		if r.Tried < r.Total { // nobody knows yet how many change
			in = targets(c)
		}
		yes := ui.Action{Label: say.F("Replace in {1}", in), Method: http.MethodPost, Href: ui.Base + "/jobs",
			Fields: []ui.Field{ui.Kept("sure", "true")}}
		yes.Fields = append(yes.Fields, hiddenInputs(c, "sure")...)
		d.Actions = append(d.Actions, yes)
	}
	d.Actions = append(d.Actions, ui.Action{Label: "Cancel", Href: ui.Base + backOf(c)})
	examples := &ui.List{Columns: []say.Text{"Entry", "Language", "Change"}, Empty: "No entry has this text."}
	for _, e := range r.Examples {
		examples.Rows = append(examples.Rows, ui.Row{Href: entrydata.EntryAddress(c.Form.Get("model"), e.ID),
			Cells: []ui.Cell{ui.Text(e.Title), ui.Badge(c.LocaleName(e.Locale)), {Parts: ui.TextDiff(e.Before, e.After)}}})
	}
	d.Sections = []ui.Section{{Title: "Examples", List: examples}}
	return &ui.Page{Title: say.F("Replace “{1}” with “{2}”?", find, put), Detail: d}
}
