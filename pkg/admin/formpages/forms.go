package formpages

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/rowforms"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/forms"
	"headless/pkg/input"
	"headless/pkg/slice"
)

// FormRoutes returns the routes of forms.
func FormRoutes(forms *forms.Forms) []frame.Route {
	return resource.Kind[cms.Form]{
		Path: "/forms", Title: "Forms", One: "form",
		Event: "form.updated", Param: "slug", Write: cms.RoleEditor, Public: true,
		Decode: func(c *frame.Call, body map[string]any) error {
			err := rowforms.RowsBody(c, body, "fields", formFieldShape)
			if c.IsForm {
				fitFields(body["fields"])
			}
			return err
		},
		New:     func(*frame.Call) (cms.Form, error) { return cms.NewForm(), nil },
		ID:      func(f cms.Form) string { return f.Slug },
		Name:    func(f cms.Form) say.Text { return say.Data(f.Name) },
		JSON:    func(f cms.Form) any { return withoutSecret(f) },
		Columns: []say.Text{"Name", "Slug", "Fields", "State", "Changed"},
		Row: func(f cms.Form) []ui.Cell {
			return []ui.Cell{ui.Text(f.Name), ui.Code(f.Slug), ui.Word(say.Number(len(f.Fields))),
				ui.YesNo(f.IsActive, "active", "inactive"), ui.When(f.UpdatedAt)}
		},
		Detail: formDetail, Fields: formFields,
		Complete: func(c *frame.Call, page *ui.Page, items []cms.Form) error {
			return countNew(c, forms, page.List, items)
		},
	}.On(forms).Routes()
}

// countNew adds a column with the number of new submissions to the list of forms.
func countNew(c *frame.Call, forms *forms.Forms, table *ui.List, items []cms.Form) error {
	ids := slice.Map(items, func(f cms.Form) string { return f.ID })
	counts, err := forms.Store.NewSubmissions(c.R.Context(), ids...)
	if err != nil {
		return err
	}
	table.Columns = append(slices.Clone(table.Columns), "New submissions")
	for i, n := range counts {
		cell := ui.Cell{Text: "none", Kind: "muted"}
		if n > 0 {
			cell = ui.Cell{Text: say.Number(n), Href: table.Rows[i].Href +
				"/submissions?status=" + string(cms.SubmissionNew)}
		}
		table.Rows[i].Cells = append(table.Rows[i].Cells, cell)
	}
	return nil
}

// withoutSecret removes the reCAPTCHA secret, which can be set but not read.
func withoutSecret(f cms.Form) cms.Form {
	if f.Recaptcha != nil {
		r := *f.Recaptcha
		r.SecretKey = ""
		f.Recaptcha = &r
	}
	return f
}

func formDetail(_ *frame.Call, f cms.Form) (*ui.Detail, error) {
	fields := &ui.List{Columns: []say.Text{"Name", "Label", "Type", "Required", "Options"},
		Empty: "This form has no fields yet."}
	for _, field := range f.Fields {
		fields.Rows = append(fields.Rows, ui.Row{Cells: []ui.Cell{
			ui.Code(field.Name), ui.Text(field.Label), ui.Badge(typeNames[field.Type]),
			ui.YesNo(field.Required, "required", "no"), ui.Text(strings.Join(field.Options, ", ")),
		}})
	}
	captcha := say.Text("none")
	if f.Recaptcha != nil {
		captcha = say.F("site key {1}", f.Recaptcha.SiteKey)
		if f.Recaptcha.MinScore != nil {
			captcha = say.F("{1}, score {2} or more", captcha, strconv.FormatFloat(*f.Recaptcha.MinScore, 'f', -1, 64))
		}
	}
	kept := ui.Cell{Text: "until they are deleted: no number of days is set", Kind: "warn"}
	if f.RetentionDays > 0 {
		kept = ui.Word(say.N(f.RetentionDays, "{1} day", "{1} days"))
	}
	missing := ui.Cell{Text: "none", Kind: "muted"}
	if asksForAddress(f) {
		missing = ui.Cell{Text: "missing: the form asks for an e-mail address", Kind: "warn"}
	}
	consent := ui.Fact{Label: "Consent text", Pre: f.Consent}
	if f.Consent == "" {
		consent = ui.NewFact("Consent text", missing)
	}
	return &ui.Detail{
		Facts: []ui.Fact{
			ui.NewFact("Slug", ui.Code(f.Slug)),
			ui.NewFact("State", ui.YesNo(f.IsActive, "active", "inactive")),
			{Label: "Success message", Pre: f.SuccessMessage},
			{Label: "Notified", Pre: strings.Join(f.NotifyEmails, "\n")},
			ui.NewFact("reCAPTCHA", ui.Word(captcha)),
			{Label: "Blocked addresses", Pre: strings.Join(f.BlockEmails, "\n")},
			ui.NewFact("Disposable addresses", ui.YesNo(f.BlockDisposable, "refused", "accepted")),
			consent,
			ui.NewFact("Submissions are kept", kept),
			ui.NewFact("Created", ui.When(f.CreatedAt)),
			ui.NewFact("Changed", ui.When(f.UpdatedAt)),
		},
		Actions: []ui.Action{{Label: "Submissions", Href: ui.Base + "/forms/" + url.PathEscape(f.Slug) +
			"/submissions"}},
		Sections: []ui.Section{{Title: "Fields", List: fields}},
	}, nil
}

// asksForAddress reports whether visitors tell an e-mail address.
func asksForAddress(f cms.Form) bool {
	return slices.ContainsFunc(f.Fields, func(field cms.FormField) bool { return field.Type == cms.FormEmail })
}

// formFieldShape describes the row in which a field of a form is edited.
var formFieldShape = rowforms.RowShape{
	Texts: []string{"name", "label", "type"}, Flags: []string{"required"},
	Lists: []string{"options", "mimes"}, JSON: map[string]string{"max": "a whole number"},
}

// exampleFields are the fields that a new form starts with.
var exampleFields = []cms.FormField{
	{Name: "email", Label: "Your address", Type: cms.FormEmail, Required: true},
	{Name: "message", Label: "Message", Type: cms.FormTextarea, Required: true, Max: 2000},
	{Name: "website", Type: cms.FormHoneypot},
}

// typeNames are the names of the types of fields on pages.
var typeNames = map[string]say.Text{cms.FormText: "Text", cms.FormTextarea: "Long text", cms.FormEmail: "E-mail",
	cms.FormTel: "Telephone", cms.FormURL: "Web address", cms.FormNumber: "Number", cms.FormDate: "Date",
	cms.FormSelect: "Choice", cms.FormRadio: "Radio buttons", cms.FormCheckbox: "Checkboxes", cms.FormHidden: "Hidden",
	cms.FormFile: "File", cms.FormHoneypot: "Honeypot"}

// rulesOf are the types of fields that have a rule, by the rule.
var rulesOf = map[string][]string{"options": {cms.FormSelect, cms.FormRadio, cms.FormCheckbox}, "mimes": {cms.FormFile}}

// formRow returns the inputs of one field of a form.
func formRow(i int, r rowforms.Row) ui.Field {
	at := "fields." + strconv.Itoa(i)
	input := rowforms.RowInput(at, r)
	kind := input("type", "Type", "select", "")
	for _, t := range cms.FormFieldTypes() {
		kind.Options = append(kind.Options, ui.Option{Value: t, Label: say.F("{1} ({2})", typeNames[t], t)})
	}
	kind.Buttons = []ui.Button{{Text: "Show the rules of this type", Do: "retype " + at, To: at + ".type"}}
	fields := []ui.Field{
		{Kind: "row", Fields: []ui.Field{input("name", "Name", "text", ""), input("label", "Label", "text", "")}},
		kind, {Kind: "flags", Fields: []ui.Field{input("required", "Required", "checkbox", "")}}}
	choice, file := slices.Contains(rulesOf["options"], r.Text["type"]), slices.Contains(rulesOf["mimes"], r.Text["type"])
	if choice {
		fields = append(fields, input("options", "Options", "lines", "One a line."))
	}
	if file {
		fields = append(fields, input("mimes", "File types", "lines", "One a line, such as image/*. Empty: all."))
	}
	if !choice && !file || r.Text["max"] != "" {
		fields = append(fields,
			input("max", "Longest text", "text", say.F("In characters. Empty: {1}.", cms.DefaultFormMax)))
	}
	return ui.Field{Name: at, Label: rowforms.RowTitle(i, r), Fields: fields}
}

// fitFields removes the rules that the types of posted fields do not have, which a form sends after a type was changed.
func fitFields(posted any) {
	fields, _ := posted.([]any)
	for _, f := range fields {
		f := f.(map[string]any)
		t, _ := f["type"].(string)
		for rule, types := range rulesOf {
			if !slices.Contains(types, t) {
				delete(f, rule)
			}
		}
	}
}

func formFields(c *frame.Call, f *cms.Form) ([]ui.Field, error) {
	v := cms.Form{IsActive: true, Fields: exampleFields}
	siteKey, score, secretHelp := "", "", say.Text("")
	if f != nil {
		v = *f
	}
	rows, posted := rowforms.PostedRows(c, input.FromForm(c.Form), "fields")
	if !posted {
		var err error
		if rows, err = rowforms.RowsOf(formFieldShape, v.Fields); err != nil {
			return nil, err
		}
	}
	inputs := make([]ui.Field, len(rows))
	for i, r := range rows {
		inputs[i] = formRow(i, r)
	}
	if v.Recaptcha != nil {
		siteKey, secretHelp = v.Recaptcha.SiteKey, "Leave empty to keep the secret."
		if v.Recaptcha.MinScore != nil {
			score = strconv.FormatFloat(*v.Recaptcha.MinScore, 'f', -1, 64)
		}
	}
	return []ui.Field{
		{Name: "name", Label: "Name", Kind: "text", Value: v.Name, Required: true},
		{Name: "slug", Label: "Slug", Kind: "text", Value: v.Slug, Required: true,
			Help: "Part of the form's address: /api/v1/forms/slug"},
		ui.Checkbox("is_active", "Takes submissions", v.IsActive),
		ui.WithRows(ui.Field{Name: "fields", Label: "Fields",
			Help: "Visitors send a value for each name. A honeypot is a field that people do not see: what " +
				"fills it in is spam."},
			inputs, "field", ui.Option{}),
		{Name: "success_message", Label: "Success message", Kind: "textarea", Value: v.SuccessMessage},
		{Name: "success_url", Label: "Page after sending", Kind: "text", Value: v.SuccessURL,
			Help: "For visitors without JavaScript: a path such as /thanks, or an address of your site. Empty: the success " +
				"message."},
		{Name: "notify_emails", Label: "Addresses to notify", Kind: "lines", Values: v.NotifyEmails,
			Help: "One a line."},
		{Name: "recaptcha.site_key", Label: "reCAPTCHA site key", Kind: "text", Value: siteKey,
			Help: "Leave both keys empty for no reCAPTCHA."},
		{Name: "recaptcha.secret_key", Label: "reCAPTCHA secret key", Kind: "text", Help: secretHelp},
		{Name: "recaptcha.min_score", Label: "reCAPTCHA least score", Kind: "text", Value: score,
			Help: "For v3: a number from 0 to 1. Empty for v2."},
		{Name: "block_emails", Label: "Blocked addresses", Kind: "lines", Values: v.BlockEmails,
			Help: "One a line: an address, or *@example.com."},
		ui.Checkbox("block_disposable", "Refuse disposable addresses", v.BlockDisposable),
		{Name: "consent", Label: "Consent text", Kind: "textarea", Value: v.Consent,
			Help: "Visitors must check a box with it, and each submission keeps the text. Empty: they are not asked."},
		{Name: "retention_days", Label: "Days to keep submissions", Kind: "number",
			Value: strconv.Itoa(v.RetentionDays), Help: "0 keeps them until they are deleted. " +
				"With another number, older ones are deleted for good, also those that are here now."},
	}, nil
}
