package planpages

import (
	"net/http"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/planning"
)

// undo starts a job that takes back the changes of a release. A form gets a page first with the effect on readers.
func (h releaseHandlers) undo(c *frame.Call) (frame.Result, error) {
	id := c.R.PathValue("id")
	if c.IsForm && c.Form.Get("sure") != "true" {
		return h.confirmUndo(c, id)
	}
	j, err := h.jobs.UndoRelease(c.R.Context(), c.Actor(), id)
	return frame.Result{Status: http.StatusAccepted, Data: j, Redirect: "/jobs/" + j.ID}, err
}

func (h releaseHandlers) confirmUndo(c *frame.Call, id string) (frame.Result, error) {
	r, err := h.releases.Get(c.R.Context(), id)
	if err != nil {
		return frame.Result{}, err
	}
	seen, err := h.jobs.ForeseeUndo(c.R.Context(), c.Actor(), id)
	if err != nil {
		return frame.Result{}, err
	}
	at := ui.Base + "/releases/" + id
	yes := ui.Action{Label: "Undo", Method: http.MethodPost, Href: at + "/undo", Primary: true,
		Fields: []ui.Field{ui.Kept("sure", "true")}}
	return frame.Result{Page: &ui.Page{Title: say.F("Undo \"{1}\"?", say.Data(r.Name)),
		Crumbs: []ui.Link{{Text: "Releases", Href: ui.Base + "/releases"}, {Text: say.Data(r.Name), Href: at}},
		Detail: &ui.Detail{
			Facts: []ui.Fact{ui.NewFact("What readers see", ui.Word(readersSee(seen))),
				ui.NewFact("Then", ui.Word("The release is open again, and its changes are drafts. What "+
					"somebody has changed since stays as it is."))},
			Actions: []ui.Action{yes, {Label: "Cancel", Href: at}}}}}, nil
}

// undoActions returns the button that takes back the changes of a release, if they can be taken back.
func (h releaseHandlers) undoActions(c *frame.Call, r planning.Release) ([]ui.Action, error) {
	if r.Status != planning.ReleasePublished && r.Status != planning.ReleaseFailed {
		return nil, nil
	}
	_, err := h.releases.ToUndo(c.R.Context(), r.ID)
	switch cms.CodeOf(err) {
	case "":
		return []ui.Action{{Label: "Undo", Method: http.MethodPost, Href: ui.Base + "/releases/" + r.ID + "/undo"}}, nil
	case cms.CodeConflict, cms.CodeForbidden:
		err = nil
	}
	return nil, err
}
