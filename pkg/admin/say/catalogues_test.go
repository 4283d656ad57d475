package say_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"headless/pkg/admin/say"
	"headless/pkg/must"
)

var update = flag.Bool("update", false, "add what catalogues lack, empty, and remove what no source has")

// TestCatalogues: every catalogue translates each message of the sources, and nothing else, with the
// same placeholders and all plural forms of its language.
func TestCatalogues(t *testing.T) {
	found := messages(t)
	for _, l := range say.Languages[1:] {
		if *update {
			write(t, l, found)
		}
		has := read(t, l)
		for key, m := range found {
			e, ok := has[key]
			switch {
			case !ok || e.Text == "" && e.Forms == nil:
				t.Errorf("%s lacks %q of %s; go test ./pkg/admin/say -update adds it", l.Code, key, m.where)
			case (m.one != "") != (e.Forms != nil):
				t.Errorf("%s: %q has plural forms where it should not, or none", l.Code, key)
			case e.Forms != nil:
				checkForms(t, l, key, m, e.Forms)
			case placeholders(key) != placeholders(e.Text):
				t.Errorf("%s: %q and %q have different placeholders", l.Code, key, e.Text)
			case key == string(say.Comma): // ends with a space where the language has one between words
			case key != strings.TrimSpace(key) || e.Text != strings.TrimSpace(e.Text):
				t.Errorf("%s: %q begins or ends with a space", l.Code, e.Text)
			}
		}
		for key := range has {
			if _, ok := found[key]; !ok {
				t.Errorf("%s: no source has %q; go test ./pkg/admin/say -update removes it", l.Code, key)
			}
		}
	}
}

// checkForms checks the plural forms of a message. The forms for few numbers may name them in words.
func checkForms(t *testing.T, l *say.Language, key string, m message, has map[string]string) {
	named := map[string]string{"zero": "", "one": m.one, "two": ""}
	for form := range maps.Keys(has) {
		if !slices.Contains(formNames, form) {
			t.Errorf("%s: %q has the form %q, which CLDR does not know", l.Code, key, form)
		}
	}
	for form := range needed(l) {
		text, want := has[form], placeholders(key)
		_, words := named[form]
		if got := placeholders(text); text == "" || got != want && !(words && got == strings.ReplaceAll(want, "{1}",
			"")) {
			t.Errorf("%s: the form %s of %q is %q", l.Code, form, key, text)
		}
	}
}

var formNames = []string{"other", "zero", "one", "two", "few", "many"}

// needed returns the plural forms that whole numbers of a language have.
func needed(l *say.Language) map[string]bool {
	forms := map[string]bool{}
	for n := range 1000 {
		forms[formNames[plural.Cardinal.MatchPlural(language.MustParse(l.Code), n, 0, 0, 0, 0)]] = true
	}
	return forms
}

func read(t *testing.T, l *say.Language) map[string]say.Entry {
	body, err := os.ReadFile("lang/" + l.Code + ".json")
	must.Do(t, err)
	var has map[string]say.Entry
	if err := json.Unmarshal(body, &has); err != nil {
		t.Fatal(l.Code, err)
	}
	return has
}

// write writes the catalogue with the messages of the sources, in their order.
func write(t *testing.T, l *say.Language, found map[string]message) {
	has, all := read(t, l), map[string]any{}
	for key, m := range found {
		switch e := has[key]; {
		case e.Forms != nil:
			all[key] = e.Forms
		case m.one != "" && e.Text == "":
			all[key] = map[string]string{}
		default:
			all[key] = e.Text
		}
	}
	var out bytes.Buffer
	in := json.NewEncoder(&out)
	in.SetEscapeHTML(false)
	in.SetIndent("", "\t")
	must.Do(t, in.Encode(all))
	must.Do(t, os.WriteFile("lang/"+l.Code+".json", out.Bytes(), 0o600))
}
