package frame

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/web"
)

// KeptForm and KeptTo are the inputs of the sign-in page that carry a form that was sent after its
// session ended, and the URL of that form.
const (
	KeptForm = "_kept"
	KeptTo   = "_to"
)

// maxKept is the size of the largest form that a sign-in carries, in bytes. It is below the limit
// for a body.
const maxKept = web.MaxBody - 16<<10

// signInAgain returns the sign-in page for a form that was sent after its session ended. The page
// keeps what was typed, except passwords and secrets. It returns nil if there is nothing to keep,
// or if another site may have sent the form.
func (c *Call) signInAgain(methods web.Methods[Route], err error) *ui.Page {
	e := AsError(err)
	if e == nil || e.Code != cms.CodeUnauthorized || c.JSON || c.A.cross.Check(c.R) != nil ||
		c.parseForm() != nil || !c.IsForm {
		return nil
	}
	kept, _ := keptForm(c.Form)
	if route, _ := methods.Of(c.Method); route.Form == nil && !holdsText(kept) { // parseForm has read the method
		return nil
	}
	text := kept.Encode()
	if len(text) > maxKept {
		return &ui.Page{Title: "Sign in", Login: &ui.Login{Next: nextHere(c.R),
			Notice: "Your session has ended, and what you typed is too long to be carried along. " +
				"Go back in your browser to copy it before you sign in."}}
	}
	return &ui.Page{Title: "Sign in", Login: c.A.LoginView(&ui.Login{
		Next: nextHere(c.R), Kept: text, To: c.R.URL.RequestURI(),
		Notice: "Your session has ended. Sign in, and the form comes back with what you typed.",
	})}
}

// keptForm returns the posted values without passwords, codes and other secrets: the inputs that the form marked
// as such, and those whose names say so. whole reports whether nothing was removed.
func keptForm(form url.Values) (kept url.Values, whole bool) {
	kept, whole = url.Values{}, true
	for name, v := range form {
		switch {
		case name == "_csrf", name == ui.SecretKey:
		case slices.Contains(form[ui.SecretKey], name), strings.Contains(name, "password"),
			strings.Contains(name, "secret"), strings.Contains(name, "token"):
			whole = whole && strings.Join(v, "") == ""
		default:
			kept[name] = v
		}
	}
	return kept, whole
}

// textFields are the last parts of the names of text fields, such as that of a comment. A short text in them may look
// like an id.
var textFields = []string{"text", "quote", "note", "name", "title", "label", "alt", "tags"}

// holdsText reports whether a form has more than ids, names and choices: something that a person typed.
func holdsText(form url.Values) bool {
	for name, values := range form {
		if slices.ContainsFunc(values, func(value string) bool { return isTyped(name, value) }) {
			return true
		}
	}
	return false
}

// isTyped reports whether a value was typed: that of a text field, or one that cannot be an id, a path, a time, the
// name of a choice or the JSON of a script.
func isTyped(name, value string) bool {
	if slices.Contains(textFields, name[strings.LastIndex(name, ".")+1:]) {
		return value != ""
	}
	if strings.HasPrefix(name, "_") || strings.HasPrefix(value, "{") {
		return false
	}
	return strings.ContainsFunc(value, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-._:/", r)
	})
}

// keepTyped adds the typed text of a refused form to the page that gives the reason, to be changed there
// and sent again, or only to be copied if nothing takes it any more. Other values go along in hidden inputs. The page
// stays as it is if nothing was typed, or if another site may have sent the form.
func (c *Call) keepTyped(page *ui.Page) *ui.Page {
	if c.A.cross.Check(c.R) != nil || !c.IsForm && c.parseForm() != nil { // an early failure has read no form
		return page
	}
	kept, _ := keptForm(c.Form)
	if !holdsText(kept) {
		return page
	}
	token := c.Form.Get("_csrf")
	if c.User != nil {
		token = csrf(c.Token)
	}
	kept.Set("_csrf", token)
	page.Form = &ui.Form{Action: c.R.URL.RequestURI()}
	if code := page.Error.Code; code != cms.CodeNotFound && code != cms.CodeMethodNotAllowed {
		page.Form.Submit = "Send again"
	}
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		for _, value := range kept[name] {
			field := ui.Field{Name: name, Label: labelOf(name), Value: value, Kind: "hidden"}
			if isTyped(name, value) {
				field.Kind = "textarea"
			}
			page.Form.Fields = append(page.Form.Fields, field)
		}
	}
	return page
}

// labelOf names a field of a form that cannot be shown: its model may be gone.
func labelOf(name string) say.Text {
	return cmp.Or(ui.FieldLabels[name], say.Data(strings.TrimPrefix(name, "data.")))
}

// Resumed returns the form that the sign-in page kept, as a request in the new session. The request
// is a step: the form is shown again, and nothing is saved. It is nil if no form was kept.
func (c *Call) Resumed(token string) *http.Request {
	kept, err := url.ParseQuery(c.Form.Get(KeptForm))
	if err != nil || len(kept) == 0 {
		return nil
	}
	if !kept.Has(stepKey) {
		kept.Set(stepKey, StepResume)
	}
	return c.sentAgain(kept, c.Form.Get(KeptTo), token)
}

// sentAgain returns a kept form as a request in a session, nil if no form was kept.
func (c *Call) sentAgain(kept url.Values, address, token string) *http.Request {
	to := NextPath(address)
	if len(kept) == 0 || to == "/" {
		return nil
	}
	kept.Set("_csrf", csrf(token))
	r, err := http.NewRequestWithContext(c.R.Context(), http.MethodPost, ui.Base+to, strings.NewReader(kept.Encode()))
	if err != nil {
		return nil
	}
	r.Host, r.RemoteAddr, r.Header = c.R.Host, c.R.RemoteAddr, c.R.Header.Clone()
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Cookie", (&http.Cookie{Name: c.A.CookieName(sessionCookie), Value: token}).String())
	return r
}
