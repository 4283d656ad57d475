package formpages

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/forms"
	"headless/pkg/index"
	"headless/pkg/input"
	"headless/pkg/slice"
)

// submissionList is the pattern of the submissions of a form.
const submissionList = "/forms/{slug}/submissions"

// inboxOf is the path below ui.Base of the submissions of the form that a request names.
func inboxOf(c *frame.Call) string {
	return "/forms/" + url.PathEscape(c.R.PathValue("slug")) + "/submissions"
}

// SubmissionRoutes returns the routes of submissions.
func SubmissionRoutes(submissions *forms.Submissions) []frame.Route {
	h := submissionHandlers{submissions}
	routes := resource.Kind[forms.SubmissionDetail]{
		Path: submissionList, Title: "Submissions", One: "submission", Write: cms.RoleEditor,
		List: h.list,
		Get: func(c *frame.Call, id string) (forms.SubmissionDetail, error) {
			return submissions.Get(c.R.Context(), c.R.PathValue("slug"), id)
		},
		Delete: func(c *frame.Call, id string) error {
			err := submissions.Delete(c.R.Context(), c.Actor(), c.R.PathValue("slug"), id)
			c.A.Unread.Forget()
			return err
		},
		ID: func(v forms.SubmissionDetail) string { return v.ID },
		Name: func(v forms.SubmissionDetail) say.Text {
			return say.F("Submission of {1}", say.Moment(v.ReceivedAt.Time))
		},
		Columns: submissionColumns,
		Row:     submissionRow, Filters: h.filters, Detail: h.detail, Complete: h.addInbox,
		JSON: func(v forms.SubmissionDetail) any {
			if v.Mails == nil {
				return v.Submission // in a list
			}
			return v
		},
	}.Routes()
	frame.Wrap(routes, "GET", submissionList, frame.Remembering)
	frame.Wrap(routes, "DELETE", submissionList+"/{id}", backToInbox)
	return append(routes,
		frame.Route{Method: "GET", Pattern: submissionList + ".csv", Role: cms.RoleViewer, Handle: h.export},
		frame.Route{Method: "PATCH", Pattern: submissionList + "/{id}", Role: cms.RoleEditor,
			Handle: backToInbox(frame.WithBody(h.setStatus))},
		frame.Route{Method: "POST", Pattern: submissionList, Role: cms.RoleEditor,
			Handle: backToInbox(frame.WithBody(h.changeSeveral))},
		frame.Route{Method: "GET", Pattern: submissionList + "/{id}/files/{field}", Role: cms.RoleViewer, Handle: h.download},
		frame.Route{Method: "POST", Pattern: submissionList + "/{id}/resend", Role: cms.RoleEditor,
			Handle: backToInbox(h.resend)},
	)
}

var submissionColumns = []say.Text{"Received", "Status", "Spam", "Content"}

type submissionHandlers struct{ submissions *forms.Submissions }

// addLinks adds links to the form and to a CSV file of the listed submissions.
func addLinks(c *frame.Call, page *ui.Page) {
	slug, name := c.R.PathValue("slug"), c.R.PathValue("slug")
	if of := c.Site.Forms[slug]; of != nil {
		name = of.Name
	}
	form := ui.Base + "/forms/" + url.PathEscape(slug)
	file := form + "/submissions.csv"
	if c.R.URL.RawQuery != "" {
		page.List.Empty = "Nothing matches these filters."
		file += "?" + c.R.URL.RawQuery
	}
	page.Crumbs = []ui.Link{{Text: "Forms", Href: ui.Base + "/forms"}, {Text: say.Data(name), Href: form}}
	page.List.Links = append(page.List.Links, ui.Link{Text: "Download CSV", Href: file})
}

// query reads the query parameters filter and sort, as in lists of the API, and q, the text to search for. The
// parameters status and spam are short for filter[status] and filter[spam].
func (h submissionHandlers) query(c *frame.Call, p db.Paging) (index.ListQuery, error) {
	params := c.R.URL.Query()
	q := index.ListQuery{Paging: p, Cursor: params.Get("cursor"), Text: params.Get("q")}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		key := name
		if name == "status" || name == "spam" {
			key = "filter[" + name + "]"
		}
		for _, value := range params[name] {
			if !strings.HasPrefix(key, "filter[") || value == "" {
				continue
			}
			f, err := query.ParseFilter(key, value)
			if err != nil {
				return q, err
			}
			q.Filters = append(q.Filters, f)
		}
	}
	for name := range strings.SplitSeq(params.Get("sort"), ",") {
		if path, desc := strings.CutPrefix(name, "-"); path != "" {
			q.Sort = append(q.Sort, query.SortField{Path: path, Desc: desc})
		}
	}
	return q, nil
}

func (h submissionHandlers) list(c *frame.Call, p db.Paging) (db.Page[forms.SubmissionDetail], error) {
	q, err := h.query(c, p)
	if err != nil {
		return db.Page[forms.SubmissionDetail]{}, err
	}
	page, err := h.submissions.List(c.R.Context(), c.R.PathValue("slug"), q)
	return frame.MapPage(page,
		func(v cms.Submission) forms.SubmissionDetail { return forms.SubmissionDetail{Submission: v} }), err
}

func (h submissionHandlers) filters(c *frame.Call) ([]ui.Field, error) {
	statuses := ui.WithNone("Every status", slice.Map(cms.SubmissionStatuses(), func(s cms.SubmissionStatus) ui.Option {
		return ui.Option{Value: string(s), Label: say.Known(string(s))}
	}))
	params := c.R.URL.Query()
	return []ui.Field{
		{Name: "q", Label: "Search", Kind: "search", Value: params.Get("q")},
		{Name: "status", Label: "Status", Kind: "select", Value: params.Get("status"), Options: statuses},
		{Name: "spam", Label: "Spam", Kind: "select", Value: params.Get("spam"),
			Options: []ui.Option{{Value: "", Label: "With spam"},
				{Value: "false", Label: "Without spam"}, {Value: "true", Label: "Spam only"}}},
	}, nil
}

// export sends submissions as a CSV file. If they do not fit in one response, the Link header has
// the URL of the next part.
func (h submissionHandlers) export(c *frame.Call) (frame.Result, error) {
	q, err := h.query(c, db.Paging{Page: 1})
	if err != nil {
		return frame.Result{}, err
	}
	slug := c.R.PathValue("slug")
	body, next, err := h.submissions.Export(c.R.Context(), c.Actor(), slug, q)
	return c.CSVFile(slug+"-submissions.csv", body, next), err
}

// download sends the file of a field, or redirects to its content in the object storage.
func (h submissionHandlers) download(c *frame.Call) (frame.Result, error) {
	d, err := h.submissions.Download(c.R.Context(), c.R.PathValue("slug"), c.R.PathValue("id"), c.R.PathValue("field"))
	if err != nil {
		return frame.Result{}, err
	}
	if d.Address != "" {
		return frame.Result{Status: http.StatusFound, Raw: []byte{}, Header: http.Header{"Location": {d.Address}}}, nil
	}
	return frame.Result{Raw: d.Content, RawType: d.Meta.ContentType, Header: http.Header{
		"Content-Disposition":     {d.Meta.Disposition},
		"Content-Security-Policy": {"default-src 'none'; sandbox"}, // whatever a visitor sent
	}}, nil
}

func (h submissionHandlers) setStatus(c *frame.Call, body map[string]any) (frame.Result, error) {
	id, was := c.R.PathValue("id"), map[string]ui.Former[forms.Marks]{}
	v, err := h.mark(c, id, body, was, true)
	c.A.Unread.Forget()
	return frame.Result{Data: v, Undo: undoMarks(c, was),
		Redirect: inboxOf(c) + "/" + url.PathEscape(id) + "?ok=saved"}, err
}

// resend retries the mails that failed or wait for their next attempt.
func (h submissionHandlers) resend(c *frame.Call) (frame.Result, error) {
	slug, id := c.R.PathValue("slug"), c.R.PathValue("id")
	v, err := h.submissions.Resend(c.R.Context(), c.Actor(), slug, id)
	return frame.Result{Data: v, Redirect: inboxOf(c) + "/" + url.PathEscape(id) + "?ok=saved"}, err
}

// submissionRow shows the values that a visitor filled in. Boxes that are not ticked are left out.
func submissionRow(v forms.SubmissionDetail) []ui.Cell {
	var parts []string
	for _, f := range v.Fields {
		if text := f.Text(); text != "" && f.Value != false {
			if f.Value == true {
				text = "✓"
			}
			parts = append(parts, f.Title()+": "+text)
		}
	}
	return []ui.Cell{ui.When(v.ReceivedAt), submissionBadge(v.Status), spamCell(v.Submission),
		ui.Text(ui.FirstRunes(strings.Join(parts, " · "), 120))}
}

func submissionBadge(s cms.SubmissionStatus) ui.Cell {
	if s == cms.SubmissionNew {
		return ui.Cell{Text: say.Known(string(s)), Kind: "good"}
	}
	return ui.Badge(say.Known(string(s)))
}

func spamCell(v cms.Submission) ui.Cell {
	if !v.Spam {
		return ui.Cell{Text: "no", Kind: "muted"}
	}
	text := say.Text("spam")
	if v.SpamReason != nil {
		text = say.Known(*v.SpamReason)
	}
	return ui.Cell{Text: text, Kind: "bad"}
}

func (h submissionHandlers) detail(c *frame.Call, v forms.SubmissionDetail) (*ui.Detail, error) {
	d := &ui.Detail{Facts: []ui.Fact{
		ui.NewFact("Received", ui.When(v.ReceivedAt)),
		ui.NewFact("Status", submissionBadge(v.Status)),
		ui.NewFact("Spam", spamCell(v.Submission)),
	}}
	var fields []ui.Fact
	for _, f := range v.Fields {
		fact := ui.Fact{Label: say.Data(f.Title()), Pre: f.Text()}
		if file, ok := f.Value.(cms.ShownFile); ok {
			fact.Pre, fact.Cells = "", []ui.Cell{
				{Text: say.Data(file.Name), Href: strings.TrimPrefix(file.URL, h.submissions.SiteURL)},
				ui.Text(ui.SizeText(file.Size))}
		}
		if yes, ok := f.Value.(bool); ok {
			fact.Pre, fact.Cells = "", []ui.Cell{ui.Word(say.YesNo(yes))}
		}
		fields = append(fields, fact)
	}
	mails := &ui.List{Columns: []say.Text{"To", "State", "Attempts", "Next attempt", "Sent", "Error"},
		Empty: "No mail was sent about this submission."}
	for _, m := range v.Mails {
		state := map[cms.MailStatus]ui.Cell{cms.MailSent: {Text: "sent", Kind: "good"},
			cms.MailFailed: {Text: "failed", Kind: "bad"}, cms.MailPending: ui.Badge("pending")}[m.Status]
		mails.Rows = append(mails.Rows, ui.Row{Cells: []ui.Cell{ui.Text(m.To), state, ui.Word(say.Number(m.Attempts)),
			ui.When(m.NextAt), ui.When(m.SentAt), ui.Word(say.Known(input.Given(m.Error, "")))}})
	}
	d.Sections = []ui.Section{{Title: "Content", Facts: fields}, {Title: "Mail", List: mails}}
	if !c.MayUse(http.MethodPatch, submissionList+"/{id}") {
		return d, nil
	}
	at := ui.Base + inboxOf(c) + "/" + v.ID
	labels := map[cms.SubmissionStatus]say.Text{cms.SubmissionNew: "Mark as new",
		cms.SubmissionRead: "Mark as read", cms.SubmissionArchived: "Archive",
		cms.SubmissionSpam: "Mark as spam"}
	offered := slices.DeleteFunc(cms.SubmissionStatuses(), func(s cms.SubmissionStatus) bool { return s == v.Status })
	if v.Spam {
		offered, labels[cms.SubmissionNew] = []cms.SubmissionStatus{cms.SubmissionNew}, "Not spam"
	}
	for _, s := range offered {
		d.Actions = append(d.Actions, ui.Action{Label: labels[s], Href: at, Method: http.MethodPatch,
			Fields: []ui.Field{ui.Kept("status", string(s))}})
	}
	if slices.ContainsFunc(v.Mails,
		func(m cms.SubmissionMail) bool { return m.Status != cms.MailSent && m.Attempts > 0 }) {
		d.Actions = append(d.Actions, ui.Action{Label: "Send failed mail again", Href: at + "/resend",
			Method: http.MethodPost})
	}
	return d, nil
}
