package webhook

import (
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
)

func TestTemplate(t *testing.T) {
	for template, problem := range map[string]string{
		"": "",
		`{"event_type": "content", "client_payload": {"event": "{{event}}", "id": "{{delivery}}", "at": "{{time}}"}}`: "",
		`{"a": {"b": {}}}`:        "",
		`{"a": "{{model}}"}`:      "unknown value {{model}}",
		`{"a": "{{"}`:             "unknown value",
		`{"a": {{event}}}`:        "must be JSON",
		`event={{event}}`:         "must be JSON",
		strings.Repeat(" ", 5000): "at most 4096 bytes",
	} {
		err := ValidateTemplate(template)
		if problem == "" && err != nil || problem != "" && (err == nil || !strings.Contains(err.Error(), problem)) {
			t.Errorf("%.60s: %v, want %q", template, err, problem)
		}
	}
	at := cms.At(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	got := string(Fill(`["{{event}}", "{{delivery}}", "{{time}}"]`, []byte("{}"), "entry.published", "d1", at))
	if want := `["entry.published", "d1", "` + at.String() + `"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := string(Fill("", []byte("{}"), "entry.published", "d1", at)); got != "{}" {
		t.Errorf("without a template: %s", got)
	}
}
