package admin

import (
	"net/url"
	"slices"
	"strings"

	"headless/pkg/cms"
)

// Pane is what a list shows beside its rows: the opened one.
type Pane struct {
	Title, Href string // of its own page
	Detail      *Detail
}

// maxBulk is how many submissions change at once.
const maxBulk = 100

// inbox shows submissions in two panes to browsers: the list, and the one that the parameter open
// names.
func (h submissionHandlers) inbox(list handler) handler {
	return remembering(func(c *Call) (Result, error) {
		result, err := list(c)
		if err != nil || result.Page == nil {
			return result, err
		}
		table, query := result.Page.List, c.R.URL.Query()
		at := Base + "/forms/" + url.PathEscape(c.R.PathValue("slug")) + "/submissions"
		open := query.Get("open")
		for i := range table.Rows {
			row := &table.Rows[i]
			row.ID = row.Href[strings.LastIndexByte(row.Href, '/')+1:]
			query.Set("open", row.ID)
			row.Href, row.Here = "?"+query.Encode(), row.ID == open
		}
		if len(table.Rows) > 0 && c.May(cms.RoleEditor) {
			table.Bulk = &Bulk{Action: at,
				Hidden: []Field{{Name: "_back", Kind: "hidden", Value: c.R.URL.RawQuery}},
				Name:   "status", Buttons: []BulkButton{
					{"Mark as read", "read", false}, {"Mark as new", "new", false},
					{"Archive", "archived", false}, {"Mark as spam", "spam", true},
				}}
		}
		if open != "" {
			table.Pane, err = h.pane(c, open, at)
		}
		return result, err
	})
}

// pane is the opened submission; nil where it is gone.
func (h submissionHandlers) pane(c *Call, id, at string) (*Pane, error) {
	v, err := h.submissions.Get(c.R.Context(), c.R.PathValue("slug"), id)
	if e := asError(err); e != nil && e.Code == cms.CodeNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	detail, err := h.detail(c, v)
	if err != nil {
		return nil, err
	}
	for i := range detail.Actions {
		detail.Actions[i].Fields = append(detail.Actions[i].Fields,
			Field{Name: "_back", Kind: "hidden", Value: c.R.URL.RawQuery})
	}
	return &Pane{Title: "Submission", Href: at + "/" + url.PathEscape(v.ID), Detail: detail}, nil
}

// backToInbox leads a change that was made in the inbox back to it.
func backToInbox(change handler) handler {
	return func(c *Call) (Result, error) {
		result, err := change(c)
		if query, bad := url.ParseQuery(c.form.Get("_back")); err == nil && bad == nil &&
			c.form.Has("_back") {
			query.Set("ok", "saved")
			if _, ok, told := strings.Cut(result.Redirect, "?ok="); told {
				query.Set("ok", ok)
			}
			result.Redirect = "/forms/" + url.PathEscape(c.R.PathValue("slug")) + "/submissions?" +
				query.Encode()
		}
		return result, err
	}
}

// setStatuses gives several submissions a status. What is refused is named, the others go on.
func (h submissionHandlers) setStatuses(c *Call) (Result, error) {
	body, err := c.Body()
	if err != nil {
		return Result{}, err
	}
	at := "/forms/" + url.PathEscape(c.R.PathValue("slug")) + "/submissions?ok="
	if c.isForm {
		body = map[string]any{"ids": anys(c.form["ids"]), "status": c.form.Get("status")}
		if len(c.form["ids"]) == 0 {
			return Result{Redirect: at + "none"}, nil
		}
	}
	p := cms.Problems{}
	ids := texts(p, "ids", body["ids"])
	status, _ := body["status"].(string)
	if len(ids) == 0 || len(ids) > maxBulk {
		p.Add("ids", "must have 1 to %d items", maxBulk)
	}
	if !slices.Contains(cms.SubmissionStatuses(), cms.SubmissionStatus(status)) {
		p.Add("status", "must be new, read, archived or spam")
	}
	if err := p.Err(); err != nil {
		return Result{}, err
	}
	done, failed := 0, []map[string]string{}
	for _, id := range ids {
		_, err := h.submissions.SetStatus(c.R.Context(), c.Actor(), c.R.PathValue("slug"), id,
			map[string]any{"status": status})
		e := asError(err)
		switch {
		case e != nil:
			failed = append(failed, map[string]string{"id": id, "code": string(e.Code), "message": e.Message})
		case err != nil:
			return Result{}, err
		default:
			done++
		}
	}
	c.a.unread.forget()
	ok := "saved"
	if len(failed) > 0 {
		ok = "some"
	}
	return Result{Data: map[string]any{"done": done, "failed": failed}, Redirect: at + ok}, nil
}
