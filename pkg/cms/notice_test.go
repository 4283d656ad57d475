package cms_test

import (
	"encoding/json"
	"testing"

	"headless/pkg/cms"
)

// TestFormerNotice: mails that a former version stored are read, with their text.
func TestFormerNotice(t *testing.T) {
	var n cms.Notice
	if err := json.Unmarshal([]byte(`{"subject": "You are invited", "text": "Choose a password:\nhttps://example.com\n"}`),
		&n); err != nil {
		t.Fatal(err)
	}
	if n.Subject.Text != "You are invited" || n.Text != "Choose a password:\nhttps://example.com\n" {
		t.Errorf("read %+v", n)
	}
}
