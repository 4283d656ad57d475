package mail_test

import (
	"strings"
	"testing"
	"time"

	"headless/pkg/mail"
	"headless/pkg/mail/mailtest"
	"headless/pkg/must"
)

func TestSubjects(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("word ", 49))
	for in, want := range map[string]string{
		"":                              "",
		"Plain":                         "Plain",
		"Größe – 世界":                    "Größe – 世界",
		"a\r\nBcc: x@example.com":       "a Bcc: x@example.com",
		"a\x00b\tc\u2028d\n\n e":        "a b c d e",
		"bad \xff byte":                 "bad \uFFFD byte",
		long:                            long,
		strings.Repeat("漢字 ", 80):       strings.TrimSpace(strings.Repeat("漢字 ", 80)),
		strings.Repeat("x", 2000):       strings.Repeat("x", 250),
		"x " + strings.Repeat("ü", 300): "x " + strings.Repeat("ü", 248),
	} {
		raw, err := mail.Message{ID: "1", From: "a@example.com", To: "b@example.com", Subject: in,
			Date: time.Unix(0, 0)}.Raw()
		must.Do(t, err)
		if got := mailtest.Parse(t, raw); got.Subject != want || len(got.Header) != 9 {
			t.Errorf("%q came back as %q among %d headers:\n%s", in, got.Subject, len(got.Header), raw)
		}
	}
}

func TestLines(t *testing.T) {
	m := mail.Message{
		ID: "1", From: strings.Repeat("Ünï ", 40) + "<a@example.com>", To: strings.Repeat("a", 64) +
			"@" + strings.Repeat("abcdefg.", 20) + "com",
		Subject: strings.Repeat("Größe ", 40), Text: strings.Repeat("x", 5000) + "\r\r\n\n" +
			strings.Repeat("ü", 3000) + "\x00", HTML: "<p>\rx</p>",
	}
	raw, err := m.Raw()
	must.Do(t, err)
	for line := range strings.SplitSeq(strings.TrimSuffix(string(raw), "\r\n"), "\r\n") {
		if len(line) > 240 || strings.ContainsAny(line, "\r\n\x00") ||
			strings.TrimSpace(line) == "" && line != "" {
			t.Errorf("bad line %q", line)
		}
	}
	r := mailtest.Parse(t, raw)
	if want := strings.Repeat("x", 5000) + "\n\n\n" + strings.Repeat("ü", 3000) + "\x00"; r.Text != want {
		t.Errorf("text came back as %q", r.Text)
	}
}

// TestParseSender: an address from which no mail could be sent is named before a mail waits for it.
func TestParseSender(t *testing.T) {
	for from, want := range map[string]string{"cms@example.com": "<cms@example.com>",
		"Site <cms@bücher.example>": `"Site" <cms@xn--bcher-kva.example>`, "": "", "example.com": "",
		"a@b.example, c@b.example": "", "ü@example.com": ""} {
		a, err := mail.ParseSender(from)
		if want != "" && (err != nil || a.String() != want) || want == "" && err == nil {
			t.Errorf("%q: %v %v", from, a, err)
		}
	}
}
