package formpages

import (
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/forms"
)

// addInbox makes the list a page of two panes: the submissions, and the one named by the query parameter open.
func (h submissionHandlers) addInbox(c *frame.Call, page *ui.Page, items []forms.SubmissionDetail) (err error) {
	addLinks(c, page)
	table, query := page.List, c.R.URL.Query()
	at := ui.Base + inboxOf(c)
	open := query.Get("open")
	table.Heads = ui.Heads(query, table.Columns, []string{"received_at", "status", "spam", ""}, "-received_at")
	for i := range table.Rows {
		row := &table.Rows[i]
		row.ID = row.Href[strings.LastIndexByte(row.Href, '/')+1:]
		query.Set("open", row.ID)
		row.Href, row.Here = "?"+query.Encode()+"#pane", row.ID == open // the focus goes there
	}
	if len(table.Rows) > 0 && c.MayUse(http.MethodPost, submissionList) {
		table.Bulk = &ui.Bulk{Action: at,
			Hidden: []ui.Field{ui.Kept("_back", c.R.URL.RawQuery)},
			Buttons: []ui.BulkButton{
				{Name: "status", Label: "Mark as read", Value: "read", Danger: false},
				{Name: "status", Label: "Mark as new", Value: "new", Danger: false},
				{Name: "status", Label: "Archive", Value: "archived", Danger: false},
				{Name: "status", Label: "Mark as spam", Value: "spam", Danger: true},
			}}
		if slices.ContainsFunc(items, func(v forms.SubmissionDetail) bool { return v.Spam }) {
			table.Bulk.Buttons = append(table.Bulk.Buttons,
				ui.BulkButton{Name: "status", Label: "Not spam", Value: notSpam})
		}
		if c.MayUse(http.MethodDelete, submissionList+"/{id}") {
			table.Bulk.Buttons = append(table.Bulk.Buttons,
				ui.BulkButton{Name: "status", Label: "Delete…", Value: actionDelete, Danger: true})
		}
	}
	if open != "" {
		table.Pane, err = h.pane(c, open, at)
	}
	return err
}

// pane returns the opened submission, or nil if it no longer exists.
func (h submissionHandlers) pane(c *frame.Call, id, at string) (*ui.Pane, error) {
	v, err := h.submissions.Get(c.R.Context(), c.R.PathValue("slug"), id)
	if cms.CodeOf(err) == cms.CodeNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	detail, err := h.detail(c, v)
	if err != nil {
		return nil, err
	}
	at += "/" + url.PathEscape(v.ID)
	if c.MayUse(http.MethodDelete, submissionList+"/{id}") {
		detail.Actions = append(detail.Actions, resource.Deletion(at, "submission"))
	}
	for i := range detail.Actions {
		detail.Actions[i].Fields = append(detail.Actions[i].Fields,
			ui.Kept("_back", c.R.URL.RawQuery))
	}
	return &ui.Pane{Title: "Submission", Href: at, Detail: detail}, nil
}

// notSpam is the value of the button that takes the mark of spam off several submissions. Other buttons leave spam
// as it is: to take the mark off also sends the mails and events that were held back.
const notSpam = "not_spam"

var errSpam = cms.Errorf(cms.CodeConflict, "This submission is marked as spam.")

// backToInbox redirects to the inbox after a change that was made there.
func backToInbox(change frame.Handler) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		result, err := change(c)
		if query, bad := url.ParseQuery(c.Form.Get("_back")); err == nil && bad == nil &&
			result.Page == nil && c.Form.Has("_back") {
			query.Set("ok", "saved")
			if _, ok, told := strings.Cut(result.Redirect, "?ok="); told {
				query.Set("ok", ok)
			}
			result.Redirect = inboxOf(c) + "?" + query.Encode()
		}
		return result, err
	}
}

// actionDelete is the action that deletes several submissions, and the value of its button.
const actionDelete = "delete"

// changeSeveral gives several submissions a status, or deletes them, which browsers confirm on a page. The response
// lists the submissions that failed; the others are changed all the same.
func (h submissionHandlers) changeSeveral(c *frame.Call, body map[string]any) (frame.Result, error) {
	if body["action"] == actionDelete || c.IsForm && c.Form.Get("status") == actionDelete {
		return h.deleteSeveral(c, body)
	}
	status, _ := body["status"].(string)
	if c.IsForm {
		status = c.Form.Get("status")
	}
	releases := !c.IsForm || status == notSpam || status == string(cms.SubmissionSpam)
	if c.IsForm && status == notSpam {
		status = string(cms.SubmissionNew)
	}
	p := cms.Problems{}
	ids, list := c.BulkIDs(body, p), inboxOf(c)
	if c.IsForm && c.Form.Has("was") {
		return h.putBack(c, ids, list)
	}
	if !slices.Contains(cms.SubmissionStatuses(), cms.SubmissionStatus(status)) {
		p.Add("status", "must be new, read, archived or spam")
	}
	if err := p.Err(); err != nil {
		return frame.Result{}, err
	}
	was := map[string]ui.Former[forms.Marks]{}
	result, err := frame.Bulk(ids, list, func(id string) error {
		_, err := h.mark(c, id, map[string]any{"status": status}, was, releases)
		return err
	})
	c.A.Unread.Forget()
	result.Undo = undoMarks(c, was)
	return result, err
}

func (h submissionHandlers) deleteSeveral(c *frame.Call, body map[string]any) (frame.Result, error) {
	p := cms.Problems{}
	ids := c.BulkIDs(body, p)
	if body["status"] != nil && !c.IsForm {
		p.Add("status", "cannot be combined with action")
	}
	if err := p.Err(); err != nil {
		return frame.Result{}, err
	}
	if c.IsForm && len(ids) > 0 && c.Form.Get("sure") != "true" {
		page, err := h.askDelete(c, ids)
		return frame.Result{Page: page}, err
	}
	result, err := frame.Bulk(ids, inboxOf(c), func(id string) error {
		return h.submissions.Delete(c.R.Context(), c.Actor(), c.R.PathValue("slug"), id)
	})
	c.A.Unread.Forget()
	result.Redirect = strings.Replace(result.Redirect, "?ok=saved", "?ok=deleted", 1)
	return result, err
}

// askDelete returns the page that shows several submissions before they are deleted.
func (h submissionHandlers) askDelete(c *frame.Call, ids []string) (*ui.Page, error) {
	at, back := ui.Base+inboxOf(c), c.Form.Get("_back")
	yes := ui.Action{Label: "Delete for good", Method: http.MethodPost, Href: at, Danger: true,
		Fields: []ui.Field{ui.Kept("status", actionDelete), ui.Kept("sure", "true"), ui.Kept("_back", back)}}
	list := &ui.List{Columns: submissionColumns, Empty: "Nothing here yet."}
	for _, id := range ids {
		v, err := h.submissions.Get(c.R.Context(), c.R.PathValue("slug"), id)
		if cms.CodeOf(err) == cms.CodeNotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		yes.Fields = append(yes.Fields, ui.Kept("ids", v.ID))
		list.Rows = append(list.Rows, ui.Row{Href: at + "/" + url.PathEscape(v.ID), Cells: submissionRow(v)})
	}
	actions := []ui.Action{{Label: "Cancel", Href: strings.TrimSuffix(at+"?"+back, "?")}}
	if len(list.Rows) > 0 {
		actions = append([]ui.Action{yes}, actions...)
	}
	return &ui.Page{Title: say.N(len(list.Rows), "Delete {1} submission? This cannot be undone.",
		"Delete {1} submissions? This cannot be undone."), Crumbs: []ui.Link{{Text: "Submissions", Href: at}},
		Detail: &ui.Detail{Actions: actions, Sections: []ui.Section{{List: list}}}}, nil
}

// mark gives a submission a status, and notes in was how it was marked if that is different. It refuses to change spam
// unless releases is true.
func (h submissionHandlers) mark(c *frame.Call, id string, body map[string]any,
	was map[string]ui.Former[forms.Marks], releases bool) (v forms.SubmissionDetail, err error) {
	var before forms.SubmissionDetail
	if c.IsForm { // only browsers are offered to undo it
		if before, err = h.submissions.Get(c.R.Context(), c.R.PathValue("slug"), id); err != nil {
			return v, err
		}
		if before.Spam && !releases {
			return v, errSpam
		}
	}
	v, err = h.submissions.SetStatus(c.R.Context(), c.Actor(), c.R.PathValue("slug"), id, body)
	marks, now := forms.MarksOf(before.Submission), forms.MarksOf(v.Submission)
	if err == nil && !reflect.DeepEqual(marks, now) {
		was[before.ID] = ui.Replaced(marks, now)
	}
	return v, err
}

// undoMarks puts the marks back, and returns to the same view of the inbox.
func undoMarks(c *frame.Call, was map[string]ui.Former[forms.Marks]) *ui.Undo {
	return ui.UndoWith(ui.Base+inboxOf(c), was, url.Values{"_back": c.Form["_back"]})
}

func (h submissionHandlers) putBack(c *frame.Call, ids []string, list string) (frame.Result, error) {
	p := cms.Problems{}
	was := ui.Was[forms.Marks](c.Form, p)
	if err := p.Err(); err != nil {
		return frame.Result{}, err
	}
	if len(ids) == 1 {
		list += "/" + url.PathEscape(ids[0])
	}
	defer c.A.Unread.Forget()
	return frame.Bulk(ids, list, func(id string) error {
		return h.submissions.PutBack(c.R.Context(), c.Actor(), c.R.PathValue("slug"), id, was[id].Was,
			func(now forms.Marks) error { return was[id].Still(now) })
	})
}
