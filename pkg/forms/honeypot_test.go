package forms_test

import (
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/forms"
	"headless/pkg/input"
)

// TestHoneypotDecides has a machine fill the honeypot beside fields that are wrong: it is thanked
// like anybody, and flagged.
func TestHoneypotDecides(t *testing.T) {
	w := newFormsWorld(t)
	w.create(`{"slug": "contact", "name": "Contact", "block_emails": ["*@spam.example"], "recaptcha": {"site_key": "site", "secret_key": "secret"}, "fields": [
		{"name": "email", "type": "email", "required": true}, {"name": "text", "type": "text", "required": true, "max": 5}, {"name": "trap", "type": "honeypot"}]}`)
	for _, body := range []string{
		`{"trap": "x"}`, `{"trap": "x", "email": "nobody", "text": "longer than five"}`,
		`{"trap": ["x"], "email": {"a": 1}}`, `{"trap": true, "email": "a@spam.example", "text": "hello"}`,
	} {
		id := w.submit("contact", body)
		v, err := w.subs.Get(t.Context(), "contact", id)
		if err != nil || !v.Spam || v.SpamReason == nil || *v.SpamReason != "honeypot" || len(v.Mails) != 0 {
			t.Errorf("%s: %+v, %v", body, v, err)
		}
		for _, f := range v.Fields {
			if text, _ := f.Value.(string); strings.HasPrefix(text, "longer") {
				t.Errorf("%s: kept %q", body, text)
			}
		}
	}
	twice, err := w.subs.Submit(t.Context(), cms.Actor{}, nil, "contact",
		map[string]any{"trap": input.FormValue{"x", ""}}, forms.Visitor{Address: "192.0.2.1"})
	if err != nil {
		t.Fatalf("filled and sent empty again: %v", err)
	}
	if v, err := w.subs.Get(t.Context(), "contact", twice.ID); err != nil || !v.Spam {
		t.Errorf("filled and sent empty again: %+v, %v", v, err)
	}
	if _, err := w.subs.Submit(t.Context(), cms.Actor{}, nil, "contact",
		parsed(t, `{"trap": "", "text": "longer than five"}`),
		forms.Visitor{Address: "192.0.2.1"}); wrong(err) != "VALIDATION_FAILED email g-recaptcha-response text" {
		t.Errorf("without the honeypot: %v", err)
	}
}
