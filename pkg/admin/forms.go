package admin

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/forms"
	"headless/pkg/input"
)

// formRoutes are the routes of forms.
func formRoutes(forms *forms.Forms) []Route {
	routes := Resource[cms.Form]{
		Path: "/forms", Title: "Forms", One: "form", Param: "slug", Write: cms.RoleEditor,
		List: func(c *Call, p db.Paging) (db.Page[cms.Form], error) { return forms.List(c.R.Context(), p) },
		Get:  func(c *Call, slug string) (cms.Form, error) { return forms.Get(c.R.Context(), slug) },
		Create: func(c *Call, body map[string]any) (cms.Form, error) {
			if err := c.rowsBody(body, "fields", formFieldShape); err != nil {
				return cms.Form{}, err
			}
			return forms.Create(c.R.Context(), c.Actor(), body)
		},
		Update: func(c *Call, slug string, body map[string]any,
			ok input.Precondition[cms.Form]) (cms.Form, error) {
			if err := c.rowsBody(body, "fields", formFieldShape); err != nil {
				return cms.Form{}, err
			}
			return forms.Update(c.R.Context(), c.Actor(), slug, body, ok)
		},
		Delete:  func(c *Call, slug string) error { return forms.Delete(c.R.Context(), c.Actor(), slug) },
		New:     func(*Call) (cms.Form, error) { return cms.NewForm(), nil },
		ID:      func(f cms.Form) string { return f.Slug },
		Name:    func(f cms.Form) string { return f.Name },
		JSON:    func(f cms.Form) any { return withoutSecret(f) },
		Columns: []string{"Name", "Slug", "Fields", "State", "Changed"},
		Row: func(f cms.Form) []Cell {
			return []Cell{Text(f.Name), Code(f.Slug), Text(strconv.Itoa(len(f.Fields))),
				YesNo(f.IsActive, "active", "inactive"), When(f.UpdatedAt)}
		},
		Detail: formDetail, Fields: formFields,
	}.Routes()
	wrap(routes, "GET", "/forms", func(list handler) handler { return withNew(forms, list) })
	return routes
}

// withNew adds to the page of forms how many of their submissions are new.
func withNew(forms *forms.Forms, list handler) handler {
	return func(c *Call) (Result, error) {
		result, err := list(c)
		shown, ok := result.Data.([]any)
		if err != nil || result.Page == nil || !ok {
			return result, err
		}
		ids := make([]string, len(shown))
		for i, v := range shown {
			ids[i] = v.(cms.Form).ID
		}
		counts, err := forms.Store.NewSubmissions(c.R.Context(), ids...)
		if err != nil {
			return Result{}, err
		}
		table := result.Page.List
		table.Columns = append(slices.Clone(table.Columns), "New submissions")
		for i, n := range counts {
			cell := Cell{Text: "none", Kind: "muted"}
			if n > 0 {
				cell = Cell{Text: strconv.Itoa(n), Href: table.Rows[i].Href +
					"/submissions?status=" + string(cms.SubmissionNew)}
			}
			table.Rows[i].Cells = append(table.Rows[i].Cells, cell)
		}
		return result, nil
	}
}

// withoutSecret leaves out the reCAPTCHA secret: it can be set and not read.
func withoutSecret(f cms.Form) cms.Form {
	if f.Recaptcha != nil {
		r := *f.Recaptcha
		r.SecretKey = ""
		f.Recaptcha = &r
	}
	return f
}

func formDetail(_ *Call, f cms.Form) (*Detail, error) {
	fields := &List{Columns: []string{"Name", "Label", "Type", "Required", "Options"},
		Empty: "This form has no fields yet."}
	for _, field := range f.Fields {
		fields.Rows = append(fields.Rows, Row{Cells: []Cell{
			Code(field.Name), Text(field.Label), Badge(field.Type),
			YesNo(field.Required, "required", "no"), Text(strings.Join(field.Options, ", ")),
		}})
	}
	captcha := "none"
	if f.Recaptcha != nil {
		captcha = "site key " + f.Recaptcha.SiteKey
		if f.Recaptcha.MinScore != nil {
			captcha += ", score " + strconv.FormatFloat(*f.Recaptcha.MinScore, 'f', -1, 64) + " or more"
		}
	}
	kept := "until they are deleted"
	if f.RetentionDays > 0 {
		kept = strconv.Itoa(f.RetentionDays) + " days"
	}
	return &Detail{
		Facts: []Fact{
			{Label: "Slug", Cells: []Cell{Code(f.Slug)}},
			{Label: "State", Cells: []Cell{YesNo(f.IsActive, "active", "inactive")}},
			{Label: "Success message", Pre: f.SuccessMessage},
			{Label: "Notified", Pre: strings.Join(f.NotifyEmails, "\n")},
			{Label: "reCAPTCHA", Cells: []Cell{Text(captcha)}},
			{Label: "Blocked addresses", Pre: strings.Join(f.BlockEmails, "\n")},
			{Label: "Disposable addresses", Cells: []Cell{YesNo(f.BlockDisposable, "refused", "accepted")}},
			{Label: "Submissions are kept", Cells: []Cell{Text(kept)}},
			{Label: "Created", Cells: []Cell{When(f.CreatedAt)}},
			{Label: "Changed", Cells: []Cell{When(f.UpdatedAt)}},
		},
		Actions: []Action{{Label: "Submissions", Href: Base + "/forms/" + url.PathEscape(f.Slug) +
			"/submissions"}},
		Sections: []Section{{Title: "Fields", List: fields}},
	}, nil
}

// formFieldShape is a field of a form as a row.
var formFieldShape = rowShape{
	texts: []string{"name", "label", "type"}, flags: []string{"required"},
	lists: []string{"options"}, json: map[string]string{"max": "a whole number"},
}

// exampleFields is what a new form's fields start from.
var exampleFields = []cms.FormField{
	{Name: "email", Label: "Your address", Type: cms.FormEmail, Required: true},
	{Name: "message", Label: "Message", Type: cms.FormTextarea, Required: true, Max: 2000},
	{Name: "website", Type: cms.FormHoneypot},
}

// formRow is the row of a field of a form.
func formRow(i int, r row) Field {
	at := "fields." + strconv.Itoa(i)
	input := rowInput(at, r)
	kind := input("type", "Type", "select", "")
	kind.Options = options(cms.FormFieldTypes())
	return Field{Name: at, Label: rowTitle(i, r), Fields: []Field{
		{Kind: "row", Fields: []Field{input("name", "Name", "text", ""),
			input("label", "Label", "text", ""), kind}},
		{Kind: "flags", Fields: []Field{input("required", "Required", "checkbox", "")}},
		{Kind: "row", Fields: []Field{
			input("options", "Options", "lines", "Of select, radio and checkbox, one a line."),
			input("max", "Longest text", "text",
				"In characters. Empty: "+strconv.Itoa(cms.DefaultFormMax)+"."),
		}},
	}}
}

func formFields(c *Call, f *cms.Form) ([]Field, error) {
	v := cms.Form{IsActive: true, Fields: exampleFields}
	siteKey, score, secretHelp := "", "", ""
	if f != nil {
		v = *f
	}
	rows, posted := c.postedRows(input.FromForm(c.form), "fields")
	if !posted {
		var err error
		if rows, err = rowsOf(formFieldShape, v.Fields); err != nil {
			return nil, err
		}
	}
	inputs := make([]Field, len(rows))
	for i, r := range rows {
		inputs[i] = formRow(i, r)
	}
	if v.Recaptcha != nil {
		siteKey, secretHelp = v.Recaptcha.SiteKey, "Leave empty to keep the secret."
		if v.Recaptcha.MinScore != nil {
			score = strconv.FormatFloat(*v.Recaptcha.MinScore, 'f', -1, 64)
		}
	}
	return []Field{
		{Name: "name", Label: "Name", Kind: "text", Value: v.Name, Required: true},
		{Name: "slug", Label: "Slug", Kind: "text", Value: v.Slug, Required: true,
			Help: "Part of the form's address: /api/v1/forms/slug"},
		checkbox("is_active", "Takes submissions", v.IsActive),
		withRows(Field{Name: "fields", Label: "Fields",
			Help: "Visitors send a value for each name. A honeypot is a field that people do not see: what fills it in is spam."},
			inputs, "field", Option{}),
		{Name: "success_message", Label: "Success message", Kind: "textarea", Value: v.SuccessMessage},
		{Name: "notify_emails", Label: "Addresses to notify", Kind: "lines", Values: v.NotifyEmails,
			Help: "One a line."},
		{Name: "recaptcha.site_key", Label: "reCAPTCHA site key", Kind: "text", Value: siteKey,
			Help: "Leave both keys empty for no reCAPTCHA."},
		{Name: "recaptcha.secret_key", Label: "reCAPTCHA secret key", Kind: "text", Help: secretHelp},
		{Name: "recaptcha.min_score", Label: "reCAPTCHA least score", Kind: "text", Value: score,
			Help: "For v3: a number from 0 to 1. Empty for v2."},
		{Name: "block_emails", Label: "Blocked addresses", Kind: "lines", Values: v.BlockEmails,
			Help: "One a line: an address, or *@example.com."},
		checkbox("block_disposable", "Refuse disposable addresses", v.BlockDisposable),
		{Name: "retention_days", Label: "Days to keep submissions", Kind: "number",
			Value: strconv.Itoa(v.RetentionDays), Help: "0 keeps them until they are deleted."},
	}, nil
}
