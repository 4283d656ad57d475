package ui

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/cms"
)

// Undo is the request that takes back what another one changed, and no more than that. The page to which the
// browser goes after the change offers it once. The rights are checked when it is sent.
type Undo struct {
	Href   string     // as of an Action
	Method string     // "" is POST
	Fields url.Values // of the form
}

// maxUndo is how long the text of an Undo may be, because a cookie holds it.
const maxUndo = 3800

// UndoWith returns the Undo that posts a form: values as JSON in the field was, by id, and the ids. It is nil if
// there are no values. fields are more inputs of the form.
func UndoWith[T any](href string, was map[string]T, fields url.Values) *Undo {
	if len(was) == 0 {
		return nil
	}
	raw, _ := cms.Marshal(was) // values that came from JSON: this cannot fail
	u := &Undo{Href: href, Fields: url.Values{"was": {string(raw)}, "ids": slices.Sorted(maps.Keys(was))}}
	maps.Copy(u.Fields, fields)
	return u
}

// Was reads the values of UndoWith from its form.
func Was[T any](form url.Values, p cms.Problems) (was map[string]T) {
	if json.Unmarshal([]byte(form.Get("was")), &was) != nil {
		p.Add("was", "must be values by id")
	}
	return was
}

// Action returns the button.
func (u *Undo) Action() Action {
	a := Action{Label: "Undo", Method: cmp.Or(u.Method, http.MethodPost), Href: u.Href}
	for _, name := range slices.Sorted(maps.Keys(u.Fields)) {
		for _, value := range u.Fields[name] {
			a.Fields = append(a.Fields, Kept(name, value))
		}
	}
	return a
}

// handedUndo is an Undo on its way to a page.
type handedUndo struct {
	Page string // its path
	Undo *Undo
}

// Text returns u as a text for a cookie, for the page with a path. It is "" if it is too long.
func (u *Undo) Text(page string) string {
	var packed bytes.Buffer
	w, _ := flate.NewWriter(&packed, flate.BestCompression) // the level exists
	_ = json.NewEncoder(w).Encode(handedUndo{page, u})      // into memory
	_ = w.Close()
	if text := base64.RawURLEncoding.EncodeToString(packed.Bytes()); len(text) <= maxUndo {
		return text
	}
	return ""
}

// ReadUndo reads what Text returned for a page; nil if it is something else.
func ReadUndo(text, page string) *Undo {
	packed := base64.NewDecoder(base64.RawURLEncoding, strings.NewReader(text))
	const most = 1 << 16
	var v handedUndo
	err := json.NewDecoder(io.LimitReader(flate.NewReader(packed), most)).Decode(&v)
	if err != nil || v.Page != page || v.Undo == nil || !strings.HasPrefix(v.Undo.Href, Base+"/") {
		return nil
	}
	return v.Undo
}
