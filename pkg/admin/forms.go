package admin

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/service"
	"headless/pkg/store"
)

// formRoutes are the routes of forms.
func formRoutes(forms *service.Forms) []Route {
	return Resource[cms.Form]{
		Path: "/forms", Title: "Forms", One: "form", Param: "slug", Write: cms.RoleEditor,
		List: func(c *Call, p store.Paging) (store.Page[cms.Form], error) { return forms.List(c.R.Context(), p) },
		Get:  func(c *Call, slug string) (cms.Form, error) { return forms.Get(c.R.Context(), slug) },
		Create: func(c *Call, body map[string]any) (cms.Form, error) {
			return forms.Create(c.R.Context(), c.Actor(), body)
		},
		Update: func(c *Call, slug string, body map[string]any) (cms.Form, error) {
			return forms.Update(c.R.Context(), c.Actor(), slug, body)
		},
		Delete:  func(c *Call, slug string) error { return forms.Delete(c.R.Context(), c.Actor(), slug) },
		ID:      func(f cms.Form) string { return f.Slug },
		Name:    func(f cms.Form) string { return f.Name },
		JSON:    func(f cms.Form) any { return withoutSecret(f) },
		Columns: []string{"Name", "Slug", "Fields", "State", "Changed"},
		Row: func(f cms.Form) []Cell {
			return []Cell{Text(f.Name), Code(f.Slug), Text(strconv.Itoa(len(f.Fields))), YesNo(f.IsActive, "active", "inactive"), When(f.UpdatedAt)}
		},
		Detail: formDetail, Fields: formFields,
	}.Routes()
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
	fields := &List{Columns: []string{"Name", "Label", "Type", "Required", "Options"}, Empty: "This form has no fields yet."}
	for _, field := range f.Fields {
		fields.Rows = append(fields.Rows, Row{Cells: []Cell{
			Code(field.Name), Text(field.Label), Badge(field.Type), YesNo(field.Required, "required", "no"), Text(strings.Join(field.Options, ", ")),
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
			{Label: "Slug", Cells: []Cell{Code(f.Slug)}}, {Label: "State", Cells: []Cell{YesNo(f.IsActive, "active", "inactive")}},
			{Label: "Success message", Pre: f.SuccessMessage}, {Label: "Notified", Pre: strings.Join(f.NotifyEmails, "\n")},
			{Label: "reCAPTCHA", Cells: []Cell{Text(captcha)}}, {Label: "Blocked addresses", Pre: strings.Join(f.BlockEmails, "\n")},
			{Label: "Disposable addresses", Cells: []Cell{YesNo(f.BlockDisposable, "refused", "accepted")}},
			{Label: "Submissions are kept", Cells: []Cell{Text(kept)}},
			{Label: "Created", Cells: []Cell{When(f.CreatedAt)}}, {Label: "Changed", Cells: []Cell{When(f.UpdatedAt)}},
		},
		Actions:  []Action{{Label: "Submissions", Href: Base + "/forms/" + url.PathEscape(f.Slug) + "/submissions"}},
		Sections: []Section{{Title: "Fields", List: fields}},
	}, nil
}

// exampleFields is what a new form's fields start from.
const exampleFields = `[
  {"name": "email", "label": "Your address", "type": "email", "required": true},
  {"name": "message", "label": "Message", "type": "textarea", "required": true, "max": 2000},
  {"name": "website", "type": "honeypot"}
]`

func formFields(_ *Call, f *cms.Form) ([]Field, error) {
	v, definition := cms.Form{IsActive: true}, exampleFields
	siteKey, score, secretHelp := "", "", ""
	if f != nil {
		v = *f
		raw, err := json.MarshalIndent(f.Fields, "", "  ")
		if err != nil {
			return nil, err
		}
		definition = string(raw)
	}
	if v.Recaptcha != nil {
		siteKey, secretHelp = v.Recaptcha.SiteKey, "Leave empty to keep the secret."
		if v.Recaptcha.MinScore != nil {
			score = strconv.FormatFloat(*v.Recaptcha.MinScore, 'f', -1, 64)
		}
	}
	return []Field{
		{Name: "name", Label: "Name", Kind: "text", Value: v.Name, Required: true},
		{Name: "slug", Label: "Slug", Kind: "text", Value: v.Slug, Required: true, Help: "Part of the form's address: /api/v1/forms/slug"},
		checkbox("is_active", "Takes submissions", v.IsActive),
		{Name: "fields", Label: "Fields", Kind: "json", Value: definition, Help: "A list of {name, label, type, required, max, options}. Types: " +
			strings.Join(cms.FormFieldTypes(), ", ") + "."},
		{Name: "success_message", Label: "Success message", Kind: "textarea", Value: v.SuccessMessage},
		{Name: "notify_emails", Label: "Addresses to notify", Kind: "lines", Values: v.NotifyEmails, Help: "One a line."},
		{Name: "recaptcha.site_key", Label: "reCAPTCHA site key", Kind: "text", Value: siteKey, Help: "Leave both keys empty for no reCAPTCHA."},
		{Name: "recaptcha.secret_key", Label: "reCAPTCHA secret key", Kind: "password", Help: secretHelp},
		{Name: "recaptcha.min_score", Label: "reCAPTCHA least score", Kind: "text", Value: score, Help: "For v3: a number from 0 to 1. Empty for v2."},
		{Name: "block_emails", Label: "Blocked addresses", Kind: "lines", Values: v.BlockEmails, Help: "One a line: an address, or *@example.com."},
		checkbox("block_disposable", "Refuse disposable addresses", v.BlockDisposable),
		{Name: "retention_days", Label: "Days to keep submissions", Kind: "number", Value: strconv.Itoa(v.RetentionDays), Help: "0 keeps them until they are deleted."},
	}, nil
}
