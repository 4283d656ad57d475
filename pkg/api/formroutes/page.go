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
	"headless/pkg/web"
)

// wantsPage reports whether a client would rather have HTML than JSON: Accept names text/html, and not
// application/json before it (extensions §16).
func wantsPage(r *http.Request) bool {
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Accept"), ","), ",") {
		kind, _, _ := strings.Cut(part, ";")
		switch strings.ToLower(strings.TrimSpace(kind)) {
		case "text/html":
			return true
		case "application/json":
			return false
		}
	}
	return false
}

// sentPage answers a visitor whose browser sent a form: with a redirect to the address to, or a page
// with the message if that is "".
func sentPage(message, to string) pipeline.Answer {
	if to == "" {
		message = cmp.Or(message, "Thank you.")
		return page(http.StatusCreated, message, "<p>"+html.EscapeString(message)+"</p>")
	}
	a := page(http.StatusSeeOther, "Thank you.", `<p><a href="`+html.EscapeString(to)+`">Go on</a></p>`)
	a.Header.Set("Location", to)
	return a
}

// failedPage answers with what is wrong and what was typed, to be sent again. form is nil if there is
// no such form.
func failedPage(e *cms.Error, form *cms.Form, body map[string]any) pipeline.Answer {
	var b strings.Builder
	b.WriteString("<p role=\"alert\">" + html.EscapeString(e.Message) + "</p>")
	shown := []string{}
	if form != nil {
		b.WriteString(`<form method="post"` + textIf(hasFiles(form), ` enctype="multipart/form-data"`) + ">")
		for _, f := range form.Shown() {
			if f.Type == "honeypot" {
				continue
			}
			shown = append(shown, f.Name)
			writeField(&b, f, typedTexts(body[f.Name]), strings.Join(e.Details[f.Name], ", "))
		}
		b.WriteString(`<p><button>Send</button></p></form>`)
	}
	for name, problems := range e.Details {
		if !slices.Contains(shown, name) {
			b.WriteString("<p>" + html.EscapeString(name+" "+strings.Join(problems, ", ")) + "</p>")
		}
	}
	a := page(web.StatusOf(e.Code), "Not sent", b.String())
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

// writeField writes the input of a field with what was typed and what is wrong with it.
func writeField(b *strings.Builder, f cms.FormField, values []string, problem string) {
	name, label, value := html.EscapeString(f.Name), cmp.Or(f.Label, f.Name), ""
	if len(values) > 0 {
		value = html.EscapeString(values[len(values)-1])
	}
	b.WriteString("<p><label>" + html.EscapeString(label) + "<br>")
	switch {
	case f.Type == "textarea":
		b.WriteString(`<textarea rows="6" cols="60" name="` + name + `">` + "\n" + value + "</textarea>")
	case len(f.Options) > 0:
		multiple := `"><option></option>`
		if f.Type == "checkbox" {
			multiple = `" multiple>`
		}
		b.WriteString(`<select name="` + name + multiple)
		for _, o := range f.Options {
			b.WriteString("<option" + textIf(slices.Contains(values, o), " selected") + ">" + html.EscapeString(o) + "</option>")
		}
		b.WriteString("</select>")
	case f.Type == "checkbox":
		b.WriteString(`<input type="checkbox" name="` + name + `" value="true"` + textIf(value != "", " checked") + ">")
	case f.Type == cms.FormFile: // no page can fill it in
		b.WriteString(`<input type="file" name="` + name + `" accept="` + html.EscapeString(strings.Join(f.Mimes, ",")) +
			`">`)
		if value != "" {
			b.WriteString("<br>Choose " + value + " again.")
		}
	default:
		b.WriteString(`<input size="60" name="` + name + `" value="` + value + `">`)
	}
	b.WriteString("</label>")
	if problem != "" {
		b.WriteString("<br><strong>" + html.EscapeString(label+" "+problem) + "</strong>")
	}
	b.WriteString("</p>")
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

// page returns a page that nobody may frame, and that runs and loads nothing.
func page(status int, title, body string) pipeline.Answer {
	return pipeline.Answer{Status: status, Vary: "Accept", RawType: "text/html; charset=utf-8",
		Raw: []byte("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" " +
			"content=\"width=device-width\"><title>" + html.EscapeString(title) + "</title><main>" + body + "</main></html>\n"),
		Header: http.Header{
			"Content-Security-Policy": {"default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"},
			"Referrer-Policy":         {"same-origin"},
		}}
}
