package cms

import "slices"

// FormField defines one field of a form (specification §2.5, decisions §6).
type FormField struct {
	Name     string   `json:"name"`
	Label    string   `json:"label,omitempty"` // absent for honeypot fields
	Type     string   `json:"type"`
	Required bool     `json:"required"`
	Max      int      `json:"max,omitempty"` // characters; 0: DefaultFormMax
	Options  []string `json:"options,omitempty"`
	Mimes    []string `json:"mimes,omitempty"` // for file: see MatchMime
}

// DefaultFormMax is the length of a form field without max, in characters.
const DefaultFormMax = 10000

// Recaptcha is the configuration of Google reCAPTCHA for a form.
type Recaptcha struct {
	SiteKey   string   `json:"site_key"`
	SecretKey string   `json:"secret_key"`          // sealed where it is stored
	MinScore  *float64 `json:"min_score,omitempty"` // set for v3
}

// Form accepts public submissions.
type Form struct {
	ID              string      `json:"id"`
	Name            string      `json:"name"`
	Slug            string      `json:"slug"`
	Fields          []FormField `json:"fields"`
	SuccessMessage  string      `json:"success_message"`
	SuccessURL      string      `json:"success_url"` // where visitors without JavaScript go; "": nowhere
	IsActive        bool        `json:"is_active"`
	NotifyEmails    []string    `json:"notify_emails"`
	Recaptcha       *Recaptcha  `json:"recaptcha"`
	BlockEmails     []string    `json:"block_emails"` // addresses, or "*@example.com"
	BlockDisposable bool        `json:"block_disposable"`
	Consent         string      `json:"consent"`        // what visitors agree to; "": they are not asked
	RetentionDays   int         `json:"retention_days"` // 0: submissions are kept until deleted
	CreatedAt       Time        `json:"created_at"`
	UpdatedAt       Time        `json:"updated_at"`
}

// ConsentField is the name of the box by which visitors agree to the consent text of a form, and of the text in their
// submissions.
const ConsentField = "consent"

// Shown returns the fields that visitors see: those of the form, and a box that they must check if it has a consent
// text.
func (f *Form) Shown() []FormField {
	if f.Consent == "" {
		return f.Fields
	}
	return append(slices.Clip(f.Fields), FormField{Name: ConsentField, Label: f.Consent, Type: FormCheckbox,
		Required: true})
}

// NewForm has the defaults of a new form.
func NewForm() Form {
	return Form{Fields: []FormField{}, NotifyEmails: []string{}, BlockEmails: []string{}, IsActive: true}
}
