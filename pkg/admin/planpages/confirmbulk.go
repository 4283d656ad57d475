package planpages

import (
	"net/http"
	"strconv"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/planning"
	"headless/pkg/planning/bulk"
)

// maxUnasked is the number of entries that an action changes without a question.
const maxUnasked = 25

// confirmBulk returns the page that says what readers will see of an action on many entries, and
// asks. It returns nil if the answer is there or needs no question.
func confirmBulk(c *frame.Call) *ui.Page {
	action, all := c.Form.Get("action"), c.Form.Get("all") == "true"
	n := len(c.Form["ids"])
	if c.Form.Get("sure") == "true" || c.Form.Get("of") != "" || !all && n <= maxUnasked {
		return nil
	}
	entries := targets(c)
	effect := map[string]say.Text{
		planning.ActionPublish:   say.F("{1} go live: readers see them at once.", entries),
		planning.ActionUnpublish: say.F("{1} become drafts: readers do not find them any more.", entries),
		bulk.ActionArchive:       say.F("{1} are archived: readers do not find them any more.", entries),
		bulk.ActionSet:           say.F("The field changes in {1}. Readers of published ones see it at once.", entries),
		bulk.ActionDelete: say.F(
			"{1} go to the trash, and readers do not find them any more. The trash keeps them for 90 days.", entries),
	}[action]
	if effect == "" {
		return nil
	}
	yes := ui.Action{Label: say.F("{1} {2}", jobVerbs[action], entries), Method: http.MethodPost,
		Href:   ui.Base + "/jobs",
		Danger: action == bulk.ActionDelete, Fields: []ui.Field{{Name: "sure", Kind: "hidden", Value: "true"}}}
	yes.Fields = append(yes.Fields, hiddenInputs(c, "sure")...)
	return &ui.Page{Title: say.F("{1} {2}?", jobVerbs[action], entries), Detail: &ui.Detail{
		Facts: []ui.Fact{{Label: "What happens", Cells: []ui.Cell{ui.Word(effect)}}, {Label: "Undo",
			Cells: []ui.Cell{ui.Word("The next page can undo it.")}}},
		Actions: []ui.Action{yes, {Label: "Cancel", Href: ui.Base + backOf(c)}}}}
}

// targets says how many entries a form is about.
func targets(c *frame.Call) say.Text {
	n := len(c.Form["ids"])
	if total, err := strconv.Atoi(c.Form.Get("total")); c.Form.Get("all") == "true" && err == nil {
		n = total
	}
	return say.N(n, "{1} entry", "{1} entries")
}
