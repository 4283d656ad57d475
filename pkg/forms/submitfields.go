package forms

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/mail"
	"headless/pkg/spam"
)

// submitted is the body of a submit, checked against the form.
type submitted struct {
	fields   cms.SubmissionFields
	files    []*sentFile // of the fields of the type file
	honeypot bool        // a honeypot field was filled
	token    string      // of reCAPTCHA
}

// readSubmit checks a body against the form's fields (decisions §6), but not the content of files, and adds
// every problem to p. Texts are kept unchanged, numbers as JSON numbers or texts; a checkbox is a bool or, with
// options, a list. Unknown keys are dropped.
func readSubmit(form *cms.Form, body map[string]any, p cms.Problems) submitted {
	var s submitted
	for i := range form.Fields {
		f := &form.Fields[i]
		v, sent := body[f.Name]
		if f.Type == cms.FormHoneypot {
			s.honeypot = s.honeypot || sent && !isBlank(v)
			continue
		}
		if f.Type == cms.FormFile {
			if file := readFile(f, v, p); file != nil {
				s.files = append(s.files, file)
				s.fields = append(s.fields, cms.SubmittedField{Name: f.Name, Label: f.Label, Type: f.Type, File: file.value})
			}
			continue
		}
		value, ok := readField(f, v, p)
		if !ok {
			continue
		}
		s.fields = append(s.fields, cms.SubmittedField{Name: f.Name, Label: f.Label, Type: f.Type, Value: value})
	}
	if form.Consent != "" {
		box := cms.FormField{Name: cms.ConsentField, Required: true}
		if agreed, _ := readCheckbox(&box, body[box.Name], p); agreed == true {
			s.fields = append(s.fields, cms.SubmittedField{Name: box.Name, Label: "Consent", Type: cms.FormText,
				Value: form.Consent})
		}
	}
	countFiles(s.files, p)
	s.token, _ = lastOf(body[RecaptchaField]).(string) // other types are not a token
	return s
}

// dropFiles leaves out the files.
func (s *submitted) dropFiles() {
	s.fields = slices.DeleteFunc(s.fields, func(f cms.SubmittedField) bool { return f.File != nil })
	s.files = nil
}

// close ends the reads of files.
func (s *submitted) close() {
	for _, f := range s.files {
		if f.sent != nil {
			_ = f.sent.Close() // nothing is written to it
		}
	}
}

// lastOf returns the last value of a key that an HTML form sent several times.
func lastOf(v any) any {
	if form, ok := v.(input.FormValue); ok {
		if len(form) == 0 {
			return nil
		}
		return form[len(form)-1]
	}
	return v
}

func isBlank(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case input.FormValue:
		return strings.Join(v, "") == ""
	case string:
		return v == ""
	case bool:
		return !v
	case []any:
		return len(v) == 0
	}
	return false
}

// readField checks one value; ok is false if there is no value to store.
func readField(f *cms.FormField, v any, p cms.Problems) (value any, ok bool) {
	if f.Type == cms.FormCheckbox {
		return readCheckbox(f, v, p)
	}
	v = lastOf(v)
	number, isNumber := v.(json.Number)
	isNumber = isNumber && f.Type == cms.FormNumber
	if isNumber {
		v = number.String()
	}
	text, isText := v.(string)
	if !isText && v != nil {
		kind := "text"
		if f.Type == cms.FormNumber {
			kind = "number"
		}
		p.Add(f.Name, "must be a %s", kind)
		return nil, false
	}
	if strings.TrimSpace(text) == "" && (f.Required || text == "") {
		if f.Required {
			p.Add(f.Name, "is required")
		}
		return text, v != nil
	}
	limit := cmp.Or(f.Max, cms.DefaultFormMax)
	if utf8.RuneCountInString(text)-strings.Count(text, "\r\n") > limit { // browsers count a line break once
		p.Add(f.Name, "must have at most %d characters", limit)
		return nil, false
	}
	if message := textProblem(f, text); message != "" {
		p.Add(f.Name, "%s", message)
	}
	if isNumber {
		return number, true
	}
	return text, true
}

// textProblem returns why a text is not a valid value of the field, "" if it is.
func textProblem(f *cms.FormField, text string) string {
	ok, message := true, ""
	switch f.Type {
	case cms.FormEmail:
		ok, message = mail.ValidAddress(text), "must be an e-mail address"
	case cms.FormTel:
		ok, message = validTel(text), "must be a telephone number"
	case cms.FormURL:
		ok, message = cms.ValidURL(text), "must be a URL that starts with https:// or http://"
	case cms.FormNumber:
		// As browsers send it: 01067 and .5 too, but not Inf or 0x10. JSON parsers refuse numbers beyond a 64-bit float.
		_, err := strconv.ParseFloat(text, 64)
		ok, message = err == nil && strings.Trim(text, "0123456789+-.eE") == "", "must be a number"
	case cms.FormDate:
		_, ok = cms.ParseDate(text)
		message = "must be a date of the form 2026-01-31"
	case cms.FormSelect, cms.FormRadio:
		ok, message = slices.Contains(f.Options, text), "must be one of the options"
	}
	if ok {
		return ""
	}
	return message
}

// validTel reports whether a text is a telephone number: 3 to 20 digits with the usual separators.
func validTel(s string) bool {
	digits := 0
	for i, c := range s {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c == '+' && i == 0, strings.ContainsRune(" -./()", c):
		default:
			return false
		}
	}
	return digits >= 3 && digits <= 20 && len(s) <= 50
}

// readCheckbox returns a checkbox as a bool, or a group of checkboxes as a list. A checkbox of an
// HTML form is checked if any value is sent for it except the usual words for no.
func readCheckbox(f *cms.FormField, v any, p cms.Problems) (value any, ok bool) {
	if len(f.Options) > 0 {
		return readChoices(f, v, p)
	}
	_, html := v.(input.FormValue)
	on := false
	switch v := lastOf(v).(type) {
	case nil:
	case bool:
		on = v
	case string:
		switch strings.ToLower(v) {
		case "", "false", "off", "no", "0":
		case "true", "on", "yes", "1":
			on = true
		default:
			if on = html; !html {
				p.Add(f.Name, "must be true or false")
			}
		}
	default:
		p.Add(f.Name, "must be true or false")
	}
	if f.Required && !on && len(p[f.Name]) == 0 {
		p.Add(f.Name, "is required")
	}
	return on, true
}

func readChoices(f *cms.FormField, v any, p cms.Problems) (value any, ok bool) {
	choices := []string{}
	add := func(item any) {
		s, isText := item.(string)
		switch {
		case isText && s == "":
		case isText && slices.Contains(f.Options, s):
			if !slices.Contains(choices, s) {
				choices = append(choices, s)
			}
		case len(p[f.Name]) == 0:
			p.Add(f.Name, "must hold options only")
		}
	}
	switch v := v.(type) {
	case nil:
	case input.FormValue:
		for _, s := range v {
			add(s)
		}
	case []any:
		for _, item := range v {
			add(item)
		}
	default:
		add(v)
	}
	if f.Required && len(choices) == 0 && len(p[f.Name]) == 0 {
		p.Add(f.Name, "is required")
	}
	return choices, true
}

// checkBlocked adds a problem for each e-mail address that the form blocks.
func checkBlocked(form *cms.Form, fields cms.SubmissionFields, p cms.Problems) {
	for _, f := range fields {
		text, _ := f.Value.(string)
		if f.Type != cms.FormEmail || text == "" || len(p[f.Name]) > 0 {
			continue
		}
		if spam.Blocked(form.BlockEmails, text) || form.BlockDisposable && spam.Disposable(text) {
			p.Add(f.Name, "is not accepted here: use another e-mail address")
		}
	}
}
