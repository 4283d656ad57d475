// Package mailtest is the conformance suite of the mail port.
package mailtest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"headless/pkg/mail"
	"headless/pkg/must"
)

// Harness is a sender whose mail can be read back.
type Harness struct {
	Sender mail.Sender
	Sent   func(t *testing.T) [][]byte // the raw messages so far, in any order
}

// Received is a message as a mail program reads it.
type Received struct {
	Header     netmail.Header
	Subject    string // decoded
	Text, HTML string
}

// Parse reads a raw message.
func Parse(t *testing.T, raw []byte) Received {
	t.Helper()
	m, err := netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("not a message: %v\n%s", err, raw)
	}
	r := Received{Header: m.Header}
	if r.Subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")); err != nil {
		t.Fatalf("subject: %v", err)
	}
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		t.Fatalf("content type: %v", err)
	}
	if kind == "text/plain" {
		r.Text = decodeBody(t, m.Header.Get("Content-Transfer-Encoding"), m.Body)
		return r
	}
	if kind != "multipart/alternative" {
		t.Fatalf("content type %q", kind)
	}
	parts := multipart.NewReader(m.Body, params["boundary"])
	for i, want := range []string{"text/plain", "text/html"} { // the best alternative comes last
		p, err := parts.NextRawPart()
		if err != nil {
			t.Fatalf("part %d: %v", i, err)
		}
		kind, params, err := mime.ParseMediaType(p.Header.Get("Content-Type"))
		if err != nil || kind != want || !strings.EqualFold(params["charset"], "utf-8") {
			t.Fatalf("part %d is %q %v, want %s in utf-8: %v", i, kind, params, want, err)
		}
		body := decodeBody(t, p.Header.Get("Content-Transfer-Encoding"), p)
		if want == "text/plain" {
			r.Text = body
		} else {
			r.HTML = body
		}
	}
	if _, err := parts.NextRawPart(); err != io.EOF {
		t.Errorf("after the parts: %v, want the end", err)
	}
	return r
}

// decodeBody returns a body with LF line breaks.
func decodeBody(t *testing.T, encoding string, body io.Reader) string {
	t.Helper()
	if encoding != "quoted-printable" {
		t.Fatalf("transfer encoding %q", encoding)
	}
	b, err := io.ReadAll(quotedprintable.NewReader(body))
	must.Do(t, err)
	return strings.ReplaceAll(string(b), "\r\n", "\n")
}

// Run runs the suite. make returns a sender that has sent nothing yet. Mail is sent from
// no-reply@example.com.
func Run(t *testing.T, make func(t *testing.T) Harness) {
	t.Run("sends a whole message", func(t *testing.T) { sendsWhole(t, make(t)) })
	t.Run("sends plain text alone", func(t *testing.T) { sendsText(t, make(t)) })
	t.Run("refuses for good", func(t *testing.T) { refuses(t, make(t)) })
	t.Run("reports a context that is over", func(t *testing.T) { reportsContext(t, make(t)) })
}

func message() mail.Message {
	return mail.Message{
		ID: "m-1", Date: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		From: "Bücher & Co <no-reply@example.com>", To: "team@example.org", ReplyTo: "visitor@bücher.example",
		Subject: "Neue Anfrage: Größe\r\nBcc: victim@example.net",
		Text:    "Grüße\n\n.\nFrom me, 世界 = ok  \n" + strings.Repeat("long ", 300),
		HTML:    "<p>Grüße &amp; 世界</p>\n",

		Unsubscribe: "https://example.com/profile",
	}
}

// onlyMessage returns the one message that was sent.
func onlyMessage(t *testing.T, h Harness) Received {
	t.Helper()
	sent := h.Sent(t)
	if len(sent) != 1 {
		t.Fatalf("%d messages sent, want 1", len(sent))
	}
	return Parse(t, sent[0])
}

func sendsWhole(t *testing.T, h Harness) {
	m := message()
	if err := h.Sender.Send(t.Context(), m); err != nil {
		t.Fatalf("Send: %v", err)
	}
	r := onlyMessage(t, h)
	if r.Subject != "Neue Anfrage: Größe Bcc: victim@example.net" || r.Header.Get("Bcc") != "" {
		t.Errorf("subject %q, Bcc %q", r.Subject, r.Header.Get("Bcc"))
	}
	if r.Text != m.Text || r.HTML != m.HTML {
		t.Errorf("text %q, HTML %q", r.Text, r.HTML)
	}
	from, err := netmail.ParseAddress(r.Header.Get("From"))
	if err != nil || from.Name != "Bücher & Co" || from.Address != "no-reply@example.com" {
		t.Errorf("From %v, %v", from, err)
	}
	for name, want := range map[string]string{
		"To": "team@example.org", "Reply-To": "visitor@xn--bcher-kva.example",
		"Message-ID": "<m-1@example.com>",
		"Date":       "Sun, 01 Mar 2026 12:00:00 +0000", "Auto-Submitted": "auto-generated",
		"MIME-Version": "1.0", "List-Unsubscribe": "<https://example.com/profile>",
	} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func sendsText(t *testing.T, h Harness) {
	m := message()
	m.HTML, m.ReplyTo, m.Unsubscribe, m.Date = "", "", "", time.Time{}
	if err := h.Sender.Send(t.Context(), m); err != nil {
		t.Fatalf("Send: %v", err)
	}
	r := onlyMessage(t, h)
	if r.Text != m.Text {
		t.Errorf("text %q", r.Text)
	}
	if _, err := r.Header.Date(); err != nil {
		t.Errorf("Date: %v", err)
	}
	for _, name := range []string{"Reply-To", "List-Unsubscribe"} {
		if _, ok := r.Header[name]; ok {
			t.Errorf("a %s that was not asked for", name)
		}
	}
}

func refuses(t *testing.T, h Harness) {
	for name, change := range map[string]func(*mail.Message){
		"no id":                 func(m *mail.Message) { m.ID = "" },
		"an id that is a path":  func(m *mail.Message) { m.ID = "../m" },
		"an id with a break":    func(m *mail.Message) { m.ID = "m\r\nBcc: v@example.net" },
		"no recipient":          func(m *mail.Message) { m.To = "" },
		"two recipients":        func(m *mail.Message) { m.To = "a@example.org, b@example.org" },
		"a recipient's break":   func(m *mail.Message) { m.To = "a@example.org\r\nBcc: v@example.net" },
		"a name in the reply":   func(m *mail.Message) { m.ReplyTo = "Eve <eve@example.org>" },
		"a break in the reply":  func(m *mail.Message) { m.ReplyTo = "eve@example.org\nBcc: v@example.net" },
		"a sender's break":      func(m *mail.Message) { m.From = "Site\r\nBcc: v@example.net <no-reply@example.com>" },
		"no sender":             func(m *mail.Message) { m.From = "" },
		"a sender out of range": func(m *mail.Message) { m.From = "no-reply@localhost" },
	} {
		m := message()
		change(&m)
		if err := h.Sender.Send(t.Context(), m); !errors.Is(err, mail.ErrPermanent) {
			t.Errorf("%s: %v, want ErrPermanent", name, err)
		}
	}
	if n := len(h.Sent(t)); n != 0 {
		t.Errorf("%d messages sent all the same", n)
	}
}

func reportsContext(t *testing.T, h Harness) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.Sender.Send(ctx, message()); !errors.Is(err, context.Canceled) || errors.Is(err, mail.ErrPermanent) {
		t.Errorf("Send: %v, want context.Canceled and no ErrPermanent", err)
	}
}
