package formroutes

import (
	"cmp"
	"html"
	"net/http"
	"slices"
	"strings"

	"headless/pkg/api/pipeline"
	"headless/pkg/assets/upload"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/slice"
	"headless/pkg/web"
)

// wantsPage reports whether a client would rather have HTML than JSON (extensions §16).
func wantsPage(r *http.Request) bool {
	accept := r.Header.Values("Accept")
	return web.Preferred(accept, "text/html").Before(web.Preferred(accept, "application/json"))
}

// visitorPage writes a page for a visitor, in the language of the browser. The texts of the form are in its own.
type visitorPage struct {
	strings.Builder
	code, dir string
	say       func(cms.Phrase) string
}

func newVisitorPage(languages Languages, r *http.Request) *visitorPage {
	p := &visitorPage{}
	p.code, p.dir, p.say = languages(r.Header.Get("Accept-Language"))
	return p
}

// text writes a text as HTML.
func (p *visitorPage) text(text string) { p.WriteString(html.EscapeString(text)) }

// sent answers a visitor whose browser sent a form: with a redirect to the address to, or a page with the message if
// that is "".
func (p *visitorPage) sent(message, to string) pipeline.Answer {
	thanks := cmp.Or(message, p.say(cms.Phrased("Thank you.")))
	if to == "" {
		p.WriteString(`<p dir="auto">`)
		p.text(thanks)
		p.WriteString("</p>")
		return p.answer(http.StatusCreated, thanks)
	}
	p.WriteString(`<p><a href="` + html.EscapeString(to) + `">`)
	p.text(p.say(cms.Phrased("Go on")))
	p.WriteString("</a></p>")
	a := p.answer(http.StatusSeeOther, thanks)
	a.Header.Set("Location", to)
	return a
}

// failed answers with what is wrong and what was typed, to be sent again. form is nil if there is no such form.
func (p *visitorPage) failed(e *cms.Error, form *cms.Form, body map[string]any) pipeline.Answer {
	p.WriteString(`<p role="alert">`)
	p.text(p.say(cms.Phrase{Text: e.Message}))
	p.WriteString("</p>")
	shown := []string{}
	if form != nil {
		p.WriteString(`<form method="post"` + textIf(hasFiles(form), ` enctype="multipart/form-data"`) + ">")
		for _, f := range form.Shown() {
			if f.Type == "honeypot" {
				continue
			}
			shown = append(shown, f.Name)
			p.field(f, typedTexts(body[f.Name]), p.problems(e.Details[f.Name]))
		}
		p.WriteString("<p><button>")
		p.text(p.say(cms.Phrased("Send")))
		p.WriteString("</button></p></form>")
	}
	for name, problems := range e.Details {
		if !slices.Contains(shown, name) {
			p.WriteString("<p>")
			p.text(name + " " + p.problems(problems))
			p.WriteString("</p>")
		}
	}
	a := p.answer(web.StatusOf(e.Code), p.say(cms.Phrased("Not sent")))
	web.SetRetryAfter(a.Header, e)
	return a
}

// typedTexts returns the texts that a visitor typed into a field or chose, or the names of files.
func typedTexts(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case input.FormValue:
		return v
	case []*upload.Upload:
		return []string{v[0].Name}
	}
	return nil
}

// problems says what is wrong with a field.
func (p *visitorPage) problems(list []string) string {
	return strings.Join(slice.Map(list, func(text string) string { return p.say(cms.Phrase{Text: text}) }), ", ")
}

// field writes one field of the form: its label, its input with what was typed, and its problem.
func (p *visitorPage) field(f cms.FormField, values []string, problem string) {
	name, label, value := html.EscapeString(f.Name), cmp.Or(f.Label, f.Name), ""
	if len(values) > 0 {
		value = html.EscapeString(values[len(values)-1])
	}
	named, state := ` name="`+name+`"`, ""
	if f.Type == cms.FormHidden && problem == "" {
		p.WriteString(`<input type="hidden"` + named + ` value="` + value + `">`)
		return
	}
	p.WriteString(`<p dir="auto"><label>` + html.EscapeString(label) + "<br>")
	if problem != "" {
		state = ` aria-invalid="true" aria-describedby="` + name + `-problem"`
	}
	switch {
	case f.Type == "textarea":
		p.WriteString(`<textarea rows="6" cols="60" dir="auto"` + named + state + ">\n" + value + "</textarea>")
	case len(f.Options) > 0:
		multiple := `><option></option>`
		if f.Type == "checkbox" {
			multiple = ` multiple>`
		}
		p.WriteString(`<select` + named + state + multiple)
		for _, o := range f.Options {
			p.WriteString("<option" + textIf(slices.Contains(values, o), " selected") + ">" + html.EscapeString(o) + "</option>")
		}
		p.WriteString("</select>")
	case f.Type == "checkbox":
		p.WriteString(`<input type="checkbox"` + named + ` value="true"` + state + textIf(value != "", " checked") +
			">")
	case f.Type == cms.FormFile: // no page can fill it in
		accept := html.EscapeString(strings.Join(f.Mimes, ","))
		p.WriteString(`<input type="file"` + named + ` accept="` + accept + `"` + state + ">")
		if value != "" {
			p.WriteString("<br>" + p.say(cms.Phrased("Choose {1} again.", value)))
		}
	default:
		p.WriteString(`<input size="60" dir="auto"` + named + ` value="` + value + `"` + state + ">")
	}
	p.WriteString("</label>")
	if problem != "" {
		p.WriteString(`<br><strong id="` + name + `-problem">`)
		p.text(p.say(cms.Phrased("This field {1}", problem))) // a label may be a sentence
		p.WriteString("</strong>")
	}
	p.WriteString("</p>")
}

func hasFiles(form *cms.Form) bool {
	return slices.ContainsFunc(form.Fields, func(f cms.FormField) bool { return f.Type == cms.FormFile })
}

func textIf(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

// style keeps inputs inside of a small window. pagePolicy has its hash.
const style = "input,textarea,select{max-width:100%;box-sizing:border-box;font:inherit}"

// pagePolicy lets other sites frame the page, as they may frame the form that it answers: it holds no session. It
// runs and loads nothing. Its form leads to the site in the end, and browsers check redirects too.
const pagePolicy = "default-src 'none'; style-src 'sha256-zqVbgKt601MhC5+SAOU8G1Spas+CJY3tpl8w0FB36PA='; " +
	"form-action http: https:; base-uri 'none'"

// answer returns the page.
func (p *visitorPage) answer(status int, title string) pipeline.Answer {
	return pipeline.Answer{Status: status, Vary: "Accept, Accept-Language", RawType: "text/html; charset=utf-8",
		Raw: []byte(`<!doctype html><html lang="` + p.code + `" dir="` + p.dir + `"><meta charset="utf-8">` +
			`<meta name="viewport" content="width=device-width"><title>` + html.EscapeString(title) + "</title><style>" + style +
			"</style><main>" +
			p.String() + "</main></html>\n"),
		Header: http.Header{"Content-Security-Policy": {pagePolicy}, "Referrer-Policy": {"same-origin"}}}
}
