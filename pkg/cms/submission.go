package cms

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"headless/pkg/slice"
)

// Types of form fields (decisions §6).
const (
	FormText     = "text"
	FormTextarea = "textarea"
	FormEmail    = "email"
	FormTel      = "tel"
	FormURL      = "url"
	FormNumber   = "number"
	FormDate     = "date"
	FormSelect   = "select"
	FormRadio    = "radio"
	FormCheckbox = "checkbox"
	FormHidden   = "hidden"
	FormFile     = "file" // extensions §16
	FormHoneypot = "honeypot"
)

// FormFieldTypes lists every type in the order of the documentation.
func FormFieldTypes() []string {
	return []string{FormText, FormTextarea, FormEmail, FormTel, FormURL, FormNumber, FormDate,
		FormSelect, FormRadio, FormCheckbox, FormHidden, FormFile, FormHoneypot}
}

// SubmissionStatus is the state of processing of a submission.
type SubmissionStatus string

// The statuses. SubmissionSpam flags the submission as spam; every other status clears the flag.
const (
	SubmissionNew      SubmissionStatus = "new"
	SubmissionRead     SubmissionStatus = "read"
	SubmissionArchived SubmissionStatus = "archived"
	SubmissionSpam     SubmissionStatus = "spam"
)

// SubmissionStatuses lists every status.
func SubmissionStatuses() []SubmissionStatus {
	return []SubmissionStatus{SubmissionNew, SubmissionRead, SubmissionArchived, SubmissionSpam}
}

// Reasons why a submission is flagged as spam.
const (
	SpamHoneypot  = "honeypot"  // a field that is invisible to people was filled in
	SpamRecaptcha = "recaptcha" // the token could not be checked
	SpamMarked    = "marked"    // a user of the admin area marked it
)

// Submission is the data that a visitor sent with a form (specification §2.6).
type Submission struct {
	ID         string           `json:"id"`
	ReceivedAt Time             `json:"received_at"`
	Status     SubmissionStatus `json:"status"`
	Spam       bool             `json:"spam"`
	SpamReason *string          `json:"spam_reason"` // nil unless flagged
	Fields     SubmissionFields `json:"fields"`
}

// SubmittedField is one value of a submission, with the definition of its form field at that time.
type SubmittedField struct {
	Name  string `json:"name"`
	Label string `json:"label,omitempty"`
	Type  string `json:"type"`
	// Value is a string, a json.Number, a bool, or a list of strings; where a file is shown, a ShownFile.
	Value any         `json:"value"`
	File  *StoredFile `json:"file,omitempty"` // nil unless the field has the type file
}

// StoredFile is a file that a visitor sent (extensions §16).
type StoredFile struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Size int64  `json:"size"` // bytes
	Mime string `json:"mime"`
}

// ShownFile is a file in answers, webhooks and mails.
type ShownFile struct {
	Name string `json:"name"`
	Size int64  `json:"size"` // bytes
	Mime string `json:"mime"`
	URL  string `json:"url"` // of a download in the admin area
}

// Text returns the value as readable text. A file is its name.
func (f SubmittedField) Text() string {
	if f.File != nil {
		return f.File.Name
	}
	return valueText(f.Value)
}

func valueText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case []string:
		return strings.Join(v, ", ")
	case []any:
		return strings.Join(slice.Map(v, valueText), ", ")
	}
	return ""
}

// Title returns the label, or the name if there is no label.
func (f SubmittedField) Title() string {
	if f.Label == "" {
		return f.Name
	}
	return f.Label
}

// SubmissionFields are the values in the form's order. In JSON they are an object.
type SubmissionFields []SubmittedField

// MarshalJSON writes names and values as an object in the form's order.
func (f SubmissionFields) MarshalJSON() ([]byte, error) {
	var buf bytes.Buffer
	buf.WriteByte('{')
	for i, field := range f {
		if i > 0 {
			buf.WriteByte(',')
		}
		for j, v := range []any{field.Name, field.Value} {
			raw, err := Marshal(v)
			if err != nil {
				return nil, err
			}
			if j == 1 {
				buf.WriteByte(':')
			}
			buf.Write(raw)
		}
	}
	buf.WriteByte('}')
	return buf.Bytes(), nil
}

// Named finds a field by its name. It returns the zero field if there is none.
func (f SubmissionFields) Named(name string) SubmittedField {
	if i := slices.IndexFunc(f, func(s SubmittedField) bool { return s.Name == name }); i >= 0 {
		return f[i]
	}
	return SubmittedField{}
}

// MailStatus is the state of a mail.
type MailStatus string

// The statuses of a mail.
const (
	MailPending MailStatus = "pending"
	MailSent    MailStatus = "sent"
	MailFailed  MailStatus = "failed"
)

// SubmissionMail is the state of the mail to one address about a submission, as shown in the admin
// area.
type SubmissionMail struct {
	To       string     `json:"to"`
	Status   MailStatus `json:"status"`
	Attempts int        `json:"attempts"`
	NextAt   Time       `json:"next_attempt_at"` // null after it was sent or abandoned
	SentAt   Time       `json:"sent_at"`         // null until then
	Error    *string    `json:"error"`           // of the latest attempt, nil when it succeeded
}

// SubmissionEventData is the data of form.submission.created (decisions §8).
type SubmissionEventData struct {
	ID         string           `json:"id"`
	FormSlug   string           `json:"form_slug"`
	ReceivedAt Time             `json:"received_at"`
	Fields     SubmissionFields `json:"fields"`
}
