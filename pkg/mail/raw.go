package mail

import (
	"bytes"
	"fmt"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"net/textproto"
	"strings"
	"time"
	"unicode"
)

// maxSubject is the maximum length of a subject in characters. It keeps an encoded subject without
// spaces below the limit of 998 bytes per line.
const maxSubject = 250

// Raw returns m as one MIME message: UTF-8, each body quoted-printable, multipart/alternative if
// there is HTML. No value can inject a header: addresses and the id are checked strictly, and the
// subject is cleaned and encoded. For an invalid message the error is ErrPermanent.
func (m Message) Raw() ([]byte, error) {
	env, err := m.Envelope()
	if err != nil {
		return nil, err
	}
	date := m.Date
	if date.IsZero() {
		date = time.Now()
	}
	var b bytes.Buffer
	header := func(name, value string) { b.WriteString(fold(name + ": " + value)) }
	header("Date", date.UTC().Format(time.RFC1123Z))
	header("Message-ID", "<"+m.ID+env.From.Address[strings.LastIndexByte(env.From.Address, '@'):]+">")
	header("From", env.From.String())
	header("To", env.To)
	if env.ReplyTo != "" {
		header("Reply-To", env.ReplyTo)
	}
	header("Subject", mime.QEncoding.Encode("utf-8", cut(oneLine(m.Subject), maxSubject)))
	header("Auto-Submitted", "auto-generated") // prevents vacation notices
	if m.Unsubscribe != "" {
		header("List-Unsubscribe", "<"+oneLine(m.Unsubscribe)+">")
	}
	header("MIME-Version", "1.0")
	err = m.writeBody(&b)
	return b.Bytes(), err
}

// Envelope holds the addresses of a message in ASCII form.
type Envelope struct {
	From    netmail.Address
	To      string
	ReplyTo string // "" for none
}

// Envelope checks the id and the addresses of m and returns the addresses. For an invalid value the
// error is ErrPermanent; its text does not contain the address.
func (m Message) Envelope() (Envelope, error) {
	if !validID(m.ID) {
		return Envelope{}, fmt.Errorf("%w: message id", ErrPermanent)
	}
	from, err := ParseSender(m.From)
	if err != nil {
		return Envelope{}, fmt.Errorf("%w: sender address", ErrPermanent)
	}
	env, ok := Envelope{From: from}, false
	if env.To, ok = ASCIIAddress(m.To); !ok {
		return Envelope{}, fmt.Errorf("%w: recipient address", ErrPermanent)
	}
	if m.ReplyTo != "" {
		if env.ReplyTo, ok = ASCIIAddress(m.ReplyTo); !ok {
			return Envelope{}, fmt.Errorf("%w: reply address", ErrPermanent)
		}
	}
	return env, nil
}

// ParseSender parses an address that mails can be sent from, such as "Site <cms@example.com>".
func ParseSender(s string) (netmail.Address, error) {
	if a, err := netmail.ParseAddress(s); err == nil {
		if address, ok := ASCIIAddress(a.Address); ok {
			return netmail.Address{Name: oneLine(a.Name), Address: address}, nil
		}
	}
	return netmail.Address{}, fmt.Errorf("must be an address such as cms@example.com, not %q", s)
}

func validID(s string) bool {
	for _, c := range []byte(s) {
		if !alphanumeric(c) && c != '-' && c != '_' {
			return false
		}
	}
	return s != "" && len(s) <= 64
}

// oneLine makes s a single line of valid UTF-8 without control characters.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool {
		return r == ' ' || unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp)
	}), " ")
}

// cut returns the first n characters of s.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// fold returns a header line with its line end, broken at spaces into lines of at most 76 bytes
// where possible.
func fold(line string) string {
	const width = 76
	var b strings.Builder
	for len(line) > width {
		// Do not break at the space after the name: the header's value must not begin with an empty
		// line.
		first := strings.IndexByte(line, ' ') + 1
		if b.Len() > 0 {
			first = 1
		}
		cut := strings.LastIndexByte(line[:width+1], ' ')
		if cut < first {
			next := strings.IndexByte(line[first:], ' ')
			if next < 0 {
				break
			}
			cut = first + next
		}
		b.WriteString(line[:cut] + "\r\n")
		line = line[cut:] // the space begins the next line
	}
	return b.String() + line + "\r\n"
}

// writeBody writes the content headers and the bodies.
func (m Message) writeBody(b *bytes.Buffer) error {
	if m.HTML == "" {
		b.WriteString("Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n")
		return writeText(quotedprintable.NewWriter(b), m.Text)
	}
	parts := multipart.NewWriter(b)
	fmt.Fprintf(b, "Content-Type: multipart/alternative;\r\n boundary=%q\r\n\r\n", parts.Boundary())
	for _, p := range []struct{ kind, body string }{{"plain", m.Text}, {"html", m.HTML}} {
		w, err := parts.CreatePart(textproto.MIMEHeader{
			"Content-Type":              {"text/" + p.kind + "; charset=utf-8"},
			"Content-Transfer-Encoding": {"quoted-printable"},
		})
		if err != nil {
			return err
		}
		if err := writeText(quotedprintable.NewWriter(w), p.body); err != nil {
			return err
		}
	}
	return parts.Close()
}

// writeText writes a body with every line break as CRLF.
func writeText(w *quotedprintable.Writer, s string) error {
	s = strings.NewReplacer("\r\n", "\r\n", "\r", "\r\n", "\n", "\r\n").Replace(strings.ToValidUTF8(s, "\uFFFD"))
	if _, err := w.Write([]byte(s)); err != nil {
		return err
	}
	return w.Close()
}
