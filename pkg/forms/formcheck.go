package forms

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/mail"
	"headless/pkg/spam"
)

// Limits of a form's definition.
const (
	maxFormFields     = 100
	maxFieldName      = 64
	maxFormOptions    = 200
	maxFormMimes      = 50
	maxFormMax        = 1_000_000 // characters of a submitted value
	maxSuccessMessage = 2_000     // characters
	maxConsent        = 2_000     // characters
	maxNotifyEmails   = 20        // their mails are part of the submission's transaction
	maxBlockEmails    = 1_000
	maxRetentionDays  = 3_650
	maxRecaptchaKey   = 200
)

// RecaptchaField is the key of the token in a submission.
const RecaptchaField = "g-recaptcha-response"

// checkForm adds the problems of a form to p and removes duplicates from its lists of addresses.
func checkForm(p cms.Problems, form *cms.Form) {
	input.CheckName(p, form.Name)
	switch {
	case len(p["slug"]) > 0:
	case form.Slug == "":
		p.Add("slug", "is required")
	case !cms.ValidSlug(form.Slug):
		p.Add("slug",
			"may hold only lower-case letters a-z, digits and single hyphens between them, at most %d",
			cms.MaxSlug)
	case form.Slug == "create":
		p.Add("slug", "is reserved for another route")
	}
	p.LimitLength("success_message", form.SuccessMessage, maxSuccessMessage)
	p.LimitLength("consent", form.Consent, maxConsent)
	checkFormFields(p, form.Fields)
	taken := slices.IndexFunc(form.Fields, func(f cms.FormField) bool { return f.Name == cms.ConsentField })
	if taken >= 0 && form.Consent != "" {
		p.Add("fields."+strconv.Itoa(taken)+".name", "is the name of the box for the consent text")
	}
	form.NotifyEmails = checkAddresses(p, "notify_emails", form.NotifyEmails, maxNotifyEmails,
		"must be an e-mail address", mail.ValidAddress)
	form.BlockEmails = checkAddresses(p, "block_emails", form.BlockEmails, maxBlockEmails,
		"must be an e-mail address or *@ and a domain", spam.ValidEntry)
	if form.RetentionDays < 0 || form.RetentionDays > maxRetentionDays {
		p.Add("retention_days", "must be a whole number from 0 to %d", maxRetentionDays)
	}
	if r := form.Recaptcha; r != nil {
		checkRecaptcha(p, r)
	}
}

func checkRecaptcha(p cms.Problems, r *cms.Recaptcha) {
	for name, key := range map[string]string{"recaptcha.site_key": r.SiteKey,
		"recaptcha.secret_key": r.SecretKey} {
		switch {
		case len(p[name]) > 0 || db.IsSealed(key): // checked before it was sealed
		case key == "":
			p.Add(name, "is required")
		case len(key) > maxRecaptchaKey ||
			strings.ContainsFunc(key, func(c rune) bool { return c <= ' ' || c > '~' }):
			p.Add(name, "is not a reCAPTCHA key")
		}
	}
	if r.MinScore != nil && (*r.MinScore < 0 || *r.MinScore > 1) {
		p.Add("recaptcha.min_score", "must be a number from 0 to 1")
	}
}

// checkAddresses adds a problem for each invalid address, and returns the list without duplicates.
func checkAddresses(p cms.Problems, name string, list []string, limit int, message string,
	valid func(string) bool) []string {
	if len(list) > limit {
		p.Add(name, "must hold at most %d", limit)
		return list
	}
	kept := make([]string, 0, len(list))
	for i, s := range list {
		if !valid(s) {
			p.Add(name+"."+strconv.Itoa(i), "%s", message)
		}
		if !slices.ContainsFunc(kept, func(k string) bool { return strings.EqualFold(k, s) }) {
			kept = append(kept, s)
		}
	}
	return kept
}

func checkFormFields(p cms.Problems, fields []cms.FormField) {
	if len(fields) > maxFormFields {
		p.Add("fields", "must hold at most %d fields", maxFormFields)
		return
	}
	seen := map[string]bool{}
	for i := range fields {
		f := &fields[i]
		at := "fields." + strconv.Itoa(i)
		switch {
		case len(p[at+".name"]) > 0:
		case f.Name == "":
			p.Add(at+".name", "is required")
		case !validFieldName(f.Name):
			p.Add(at+".name",
				"must start with a letter and hold only letters a-z, digits, underscores and hyphens, at most %d",
				maxFieldName)
		case f.Name == RecaptchaField:
			p.Add(at+".name", "is reserved for reCAPTCHA")
		case seen[f.Name]:
			p.Add(at+".name", "is the name of another field")
		}
		seen[f.Name] = true
		checkFormField(p, at, f)
	}
}

func checkFormField(p cms.Problems, at string, f *cms.FormField) {
	p.LimitLength(at+".label", f.Label, input.MaxName)
	if !slices.Contains(cms.FormFieldTypes(), f.Type) {
		if len(p[at+".type"]) == 0 {
			p.Add(at+".type", "must be one of %s", strings.Join(cms.FormFieldTypes(), ", "))
		}
		return
	}
	if f.Max < 0 || f.Max > maxFormMax {
		p.Add(at+".max", "must be a whole number from 1 to %d", maxFormMax)
	}
	if f.Type == cms.FormHoneypot && f.Required {
		p.Add(at+".required", "must be false: people leave a honeypot empty")
	}
	switch f.Type {
	case cms.FormSelect, cms.FormRadio:
		if len(f.Options) == 0 && len(p[at+".options"]) == 0 {
			p.Add(at+".options", "must hold at least one option")
		}
	case cms.FormCheckbox: // with options it is a group of boxes
	default:
		if len(f.Options) > 0 {
			p.Add(at+".options", "is for select, radio and checkbox only")
		}
	}
	checkOptions(p, at+".options", f.Options)
	checkMimes(p, at+".mimes", f)
}

func checkMimes(p cms.Problems, at string, f *cms.FormField) {
	switch {
	case len(f.Mimes) > 0 && f.Type != cms.FormFile:
		p.Add(at, "are for file only")
	case len(f.Mimes) > maxFormMimes:
		p.Add(at, "must hold at most %d types", maxFormMimes)
	default:
		for i, kind := range f.Mimes {
			if !cms.ValidMimePattern(kind) {
				p.Add(at+"."+strconv.Itoa(i), "must be a type such as image/png or image/*")
			}
		}
	}
}

func checkOptions(p cms.Problems, at string, options []string) {
	if len(options) > maxFormOptions {
		p.Add(at, "must hold at most %d options", maxFormOptions)
		return
	}
	for i, option := range options {
		switch {
		case option == "":
			p.Add(at+"."+strconv.Itoa(i), "cannot be empty")
		case utf8.RuneCountInString(option) > input.MaxName:
			p.Add(at+"."+strconv.Itoa(i), "must have at most %d characters", input.MaxName)
		case slices.Contains(options[:i], option):
			p.Add(at+"."+strconv.Itoa(i), "is listed twice")
		}
	}
}

func validFieldName(s string) bool {
	if len(s) > maxFieldName {
		return false
	}
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c != '_' && c != '-' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}
