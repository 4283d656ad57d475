package ui

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"

	"headless/pkg/admin/say"
	"headless/pkg/cms"
)

// Undo is the request that takes back what another one changed, and no more than that. The page to which the
// browser goes after the change offers it once. The rights are checked when it is sent.
type Undo struct {
	Href   string     // as of an Action
	Method string     // "" is POST
	Fields url.Values // of the form
}

// Former is a value that a change replaced.
type Former[T any] struct {
	Was T      `json:"was"`
	Now string `json:"now"` // the beginning of the digest of what the change wrote
}

// Replaced returns the former value of a change with the digest of its new one.
func Replaced[T any](was T, by any) Former[T] { return Former[T]{was, shortDigest(by)} }

// Still refuses to put the value back unless the present one is still that of the change.
func (f Former[T]) Still(now any) error {
	if shortDigest(now) != f.Now {
		return ErrChangedSince
	}
	return nil
}

const changedSince say.Text = "Nothing was undone: somebody has changed it since."

func shortDigest(v any) string { return Digest(v)[:8] } // of what came from JSON: it has a digest

// ErrChangedSince is the error of an Undo that would replace what somebody has saved since the change.
var ErrChangedSince = cms.Errorf(cms.CodePreconditionFailed, "%s", changedSince)

// Undone returns the query parameter ok after an Undo that left some things as somebody has changed them since.
func Undone(done, of int) string { return fmt.Sprintf("undone-%d-%d", done, of) }

// Refused returns the query parameter ok when one more of several things was refused, after ok for those before.
// done is how many are changed if no more is.
func Refused(ok string, err error, done, of int) string {
	if ok != "some" && errors.Is(err, ErrChangedSince) {
		return Undone(done, of)
	}
	return "some"
}

func undoneWords(ok string) say.Text {
	var done, of int
	switch _, err := fmt.Sscanf(ok, "undone-%d-%d", &done, &of); {
	case err != nil:
		return ""
	case done == 0:
		return changedSince
	}
	return say.F("{1} of {2} undone. Somebody has changed the rest since.", done, of)
}

// Digest returns a short text that differs for values with different JSON.
func Digest(v any) string {
	raw, err := cms.Marshal(v)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:6])
}

// UndoWith returns the Undo that posts a form: values as JSON in the field was, by id, and the ids. It is nil if
// there are no values. fields are more inputs of the form.
func UndoWith[T any](href string, was map[string]Former[T], fields url.Values) *Undo {
	if len(was) == 0 {
		return nil
	}
	raw, _ := cms.Marshal(was) // values that came from JSON: this cannot fail
	u := &Undo{Href: href, Fields: url.Values{"was": {string(raw)}, "ids": slices.Sorted(maps.Keys(was))}}
	maps.Copy(u.Fields, fields)
	return u
}

// MovedUpStay says what no undo takes back, when an entry leaves a tree and those below it move up.
const MovedUpStay say.Text = "Entries that move up stay there, also if the change is undone."

// Was reads the values of UndoWith from its form.
func Was[T any](form url.Values, p cms.Problems) (was map[string]Former[T]) {
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
