package say_test

import (
	"strings"
	"testing"
	"text/template"
	"time"

	"headless/pkg/admin/say"
	"headless/pkg/must"
)

// TestTranslated says texts in other languages: messages, plural forms, dates, and what another package
// made in English.
func TestTranslated(t *testing.T) {
	at := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	entries := func(n int) say.Text { return say.N(n, "{1} entry", "{1} entries") }
	for _, row := range []struct {
		code string
		text say.Text
		want string
	}{
		{"de", "Save", "Speichern"}, {"de", say.Data("Save"), "Save"}, {"de", "No message of ours", "No message of ours"},
		{"de", entries(1), "1 Eintrag"}, {"de", entries(12345), "12.345 Einträge"}, {"ar", entries(2), "مدخلان"},
		{"de", say.F("Edit {1}", say.F("Edit {1}", "Save")), "Save bearbeiten bearbeiten"},
		{"de", say.Known("must have at most 12 characters"), "darf höchstens 12 Zeichen haben"},
		{"de", say.Known("Oil: lamps: is the entry itself"), "Oil: lamps: ist der Eintrag selbst"},
		{"de", say.Known("was refused: The connection was refused."), "wurde abgelehnt: Die Verbindung wurde abgelehnt."},
		{"de", say.Known(`There is no model "New entry".`), "Das Modell „New entry“ gibt es nicht."}, // not „Neuer Eintrag“
		{"de", say.Known("has the code l1, which is not in the source"), "hat den Code l1, den die Vorlage nicht hat"},
		{"de", say.Moment(at), "01.03.2026, 09:30\u00a0UTC"}, {"fr", say.LongDate(at), "dimanche 1 mars 2026"},
		{"pt", say.ShortDate(at), "1\u00a0de\u00a0mar."}, {"ja", say.LongDate(at), "2026年3月1日日曜日"},
		{"es", say.Date(at), "1\u00a0mar\u00a02026"},
		{"ar", say.F("{1}, {2}", "Posts", "de"), "\u2068Posts\u2069, \u2068de\u2069"}, // signs stay between the names
		{"ar", say.F("{1}, {2}", say.Text("Save"), 12), "حفظ, 12"},
		{"ar", "Its path in the API: /api/v1/slug.", "مساره في API: \u2066/api/v1/slug\u2069."}, // as /posts, not posts/
		{"ar", "must be a type such as image/png or image/*", "يجب أن يكون نوعًا مثل image/png أو \u2066image/*\u2069"},
	} {
		if got := say.Of(row.code).Say(row.text); got != row.want {
			t.Errorf("%s: %q, want %q", row.code, got, row.want)
		}
	}
}

// TestTemplate translates the texts and the attributes of a template with words, in the order of the
// language, and leaves code and data alone.
func TestTemplate(t *testing.T) {
	const source = `<p title="Save" class="Save"> Edit {{.}} </p><code>Save</code>{{if .}}<input placeholder="Search" value="Save">{{end}}`
	in := say.Of("de")
	page, err := template.New("").Funcs(template.FuncMap{"say": in.Any}).Parse(source)
	must.Do(t, err)
	in.Template(page.Tree)
	var out strings.Builder
	must.Do(t, page.Execute(&out, say.Data("Save")))
	const want = `<p title="Speichern" class="Save"> Save bearbeiten </p><code>Save</code><input placeholder="Suchen" value="Save">`
	if out.String() != want {
		t.Errorf("%s, want %s", out.String(), want)
	}
}

// TestScript puts translations into a script, with a call only where a placeholder is filled.
func TestScript(t *testing.T) {
	const source = `say(t("Save"), "Save", at("Save")); t("Edit {1}", x); tn(list.length, "{1} entry", "{1} entries");`
	for code, want := range map[string]string{
		"en": `say("Save", "Save", at("Save")); t("Edit {1}", x); tn(list.length, "{1} entry", "{1} entries");`,
		"de": `say("Speichern", "Save", at("Save")); t("{1} bearbeiten", x); tn(list.length, {"one":"{1} Eintrag","other":"{1} Einträge"}, "");`,
	} {
		if got := string(say.Of(code).Script([]byte(source))); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
