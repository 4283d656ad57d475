package jobs

import (
	"html/template"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/pkg/forms"
	"headless/pkg/mail"
)

// notice holds the values for the template of a mail about a submission.
type notice struct {
	Language string // code
	Dir      string // ltr or rtl
	Start    string // left or right
	Heading  string
	Received string
	Open     string // label of Link
	Link     string
	Fields   []noticeField
}

type noticeField struct{ Label, Value string }

// noticeHTML is parsed for each mail, which takes less than sending it. As a variable, the parsed template would bring
// package template into the sweeper, which writes no mails.
const noticeHTML = `<!doctype html>
<html lang="{{.Language}}" dir="{{.Dir}}"><body dir="{{.Dir}}" style="font-family:sans-serif;font-size:15px;line-height:1.5;color:#222">
<h1 style="font-size:18px">{{.Heading}}</h1>
<table cellpadding="6" style="border-collapse:collapse">
{{- range .Fields}}
<tr><th align="{{$.Start}}" valign="top" style="border-bottom:1px solid #ddd" dir="auto">{{.Label}}</th>
<td align="{{$.Start}}" style="border-bottom:1px solid #ddd;white-space:pre-wrap" dir="auto">{{.Value}}</td></tr>
{{- end}}
</table>
<p style="color:#666">{{.Received}} <a href="{{.Link}}">{{.Open}}</a></p>
</body></html>
`

// notification returns the mail about a submission, as text and HTML with the fields in the form's
// order, in the language that fits a locale best. It has no sender and no recipient yet.
func (n Notifier) notification(v *forms.Submission, locale string) (mail.Message, error) {
	code, dir, say := n.Language(locale)
	m := notice{
		Language: code, Dir: dir, Start: map[string]string{"ltr": "left", "rtl": "right"}[dir],
		Heading:  say(cms.Phrased("{1}: new submission", v.FormName)),
		Received: say(cms.Phrased("Received {1}.", v.ReceivedAt.UTC().Format(time.RFC3339)).Timed()),
		Open:     say(cms.Phrased("Open it in the admin area")),
		Link:     n.SiteURL + "/admin/forms/" + v.FormSlug + "/submissions/" + v.ID,
	}
	for _, f := range v.Fields {
		value := f.Text()
		switch f.Value {
		case true:
			value = say(cms.Phrased("Yes"))
		case false:
			value = say(cms.Phrased("No"))
		}
		m.Fields = append(m.Fields, noticeField{f.Title(), value})
	}
	var html strings.Builder
	err := template.Must(template.New("mail").Parse(noticeHTML)).Execute(&html, m)
	return mail.Message{
		Subject: say(cms.Phrased("New submission: {1}", v.FormName)), ReplyTo: replyTo(v.Fields), Text: m.plainText(),
		HTML: html.String(),
	}, err
}

// plainText returns the notice as plain text: a short value after its label, a long one on its own
// lines.
func (n notice) plainText() string {
	var b strings.Builder
	b.WriteString(n.Heading + "\n\n")
	for _, f := range n.Fields {
		value := strings.ReplaceAll(f.Value, "\r\n", "\n")
		if strings.Contains(value, "\n") || len(value) > 60 {
			value = "\n  " + strings.ReplaceAll(value, "\n", "\n  ")
		} else {
			value = " " + value
		}
		b.WriteString(f.Label + ":" + strings.TrimRight(value, " ") + "\n")
	}
	b.WriteString("\n" + n.Received + "\n" + n.Link + "\n")
	return b.String()
}

// replyTo returns the visitor's mail address: the first valid one in a field of type email, "" if
// there is none.
func replyTo(fields cms.SubmissionFields) string {
	for _, f := range fields {
		if text, _ := f.Value.(string); f.Type == cms.FormEmail && mail.ValidAddress(text) {
			return text
		}
	}
	return ""
}
