package planpages

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/planning"
	"headless/pkg/planning/bulk"
)

// maxUnasked is the number of entries that an action changes without a question.
const maxUnasked = 25

// confirmBulk returns the page that says what readers will see of an action on many entries, and asks. For few
// entries, and for *Set a field…*, whose form said it before, it returns no page, but a query parameter by which
// the page of the job says the same.
func (h jobHandlers) confirmBulk(c *frame.Call, body map[string]any) (page *ui.Page, parameter string, err error) {
	action := c.Form.Get("action")
	if c.Form.Get("sure") == "true" || c.Form.Get("of") != "" || !slices.Contains([]string{planning.ActionPublish,
		planning.ActionUnpublish, bulk.ActionArchive, bulk.ActionDelete, bulk.ActionSet}, action) {
		return nil, "", nil
	}
	seen, err := h.jobs.Foresee(c.R.Context(), c.Actor(), body)
	if err != nil {
		return nil, "", err
	}
	if action == bulk.ActionSet || c.Form.Get("all") != "true" && len(c.Form["ids"]) <= maxUnasked {
		return nil, "?seen=" + fmt.Sprintf(seenFormat, seen.Total, seen.Tried, seen.Appear, seen.Change, seen.Pages,
			seen.With, seen.Waiting, seen.Refused), nil
	}
	undo := []ui.Cell{ui.Word("The next page can undo it.")}
	if action == bulk.ActionDelete {
		undo = append(undo, ui.Word("The trash keeps them for 90 days."))
	}
	what := say.F("{1} {2}", jobVerbs[action], targets(c))
	yes := ui.Action{Label: what, Method: http.MethodPost, Href: ui.Base + "/jobs",
		Danger: action == bulk.ActionDelete, Fields: []ui.Field{ui.Kept("sure", "true")}}
	yes.Fields = append(yes.Fields, hiddenInputs(c, "sure")...)
	return &ui.Page{Title: say.F("{1}?", what), Detail: &ui.Detail{
		Facts: []ui.Fact{ui.NewFact("What readers see", ui.Word(readersSee(seen))),
			ui.NewFact("Undo", undo...)},
		Actions: []ui.Action{yes, {Label: "Cancel", Href: ui.Base + backOf(c)}}}}, "", nil
}

const seenFormat = "%d.%d.%d.%d.%d.%d.%d.%d"

// seenFact says what readers see of an ended job, if it went as foreseen.
func seenFact(c *frame.Call, j bulk.Job) (facts []ui.Fact) {
	var o bulk.Outlook
	_, err := fmt.Sscanf(c.R.URL.Query().Get("seen"), seenFormat, &o.Total, &o.Tried, &o.Appear, &o.Change, &o.Pages,
		&o.With, &o.Waiting, &o.Refused)
	if err != nil || j.Status != bulk.Done || o.Tried == o.Total && o.Waiting+o.Refused != len(j.Failed) {
		return nil
	}
	return []ui.Fact{ui.NewFact("What readers see", ui.Word(readersSee(o)))}
}

// readersSee says what readers will see of a job.
func readersSee(o bulk.Outlook) say.Text {
	stay := o.Tried - o.Appear - o.Change - o.Pages - o.With - o.Waiting - o.Refused
	var parts []say.Text
	for _, part := range []struct {
		n    int
		text say.Text
	}{
		{o.Appear, say.N(o.Appear, "{1} becomes visible", "{1} become visible")},
		{o.Change, say.N(o.Change, "{1} gets changes", "{1} get changes")},
		{o.Pages, say.N(o.Pages, "{1} page vanishes", "{1} pages vanish")},
		{o.With, say.N(o.With, "with {1} translation", "with {1} translations")},
		{o.Waiting, say.N(o.Waiting, "{1} needs an approval first", "{1} need an approval first")},
		{o.Refused, say.N(o.Refused, "{1} is refused", "{1} are refused")},
		{stay, say.N(stay, "{1} stays as it is", "{1} stay as they are")},
	} {
		if part.n > 0 {
			parts = append(parts, part.text)
		}
	}
	seen := say.Join(parts, ", ")
	if o.Tried < o.Total {
		return say.F("of the first {1} of {2}: {3}", o.Tried, o.Total, seen)
	}
	return seen
}

// targets says how many entries a form is about.
func targets(c *frame.Call) say.Text {
	n := len(c.Form["ids"])
	if total, err := strconv.Atoi(c.Form.Get("total")); c.Form.Get("all") == "true" && err == nil {
		n = total
	}
	return say.N(n, "{1} entry", "{1} entries")
}
