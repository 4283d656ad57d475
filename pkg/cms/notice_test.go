package cms_test

import (
	"encoding/json"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/must"
)

// TestFormerNotice: mails that a former version stored are read, with their text.
func TestFormerNotice(t *testing.T) {
	var n cms.Notice
	raw := `{"subject": "You are invited", "text": "Choose a password:\nhttps://example.com\n"}`
	must.Do(t, json.Unmarshal([]byte(raw), &n))
	if n.Subject.Text != "You are invited" || n.Text != "Choose a password:\nhttps://example.com\n" {
		t.Errorf("read %+v", n)
	}
}
