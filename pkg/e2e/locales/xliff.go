package locales

import (
	"encoding/xml"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// XLIFF has the scenarios of files for translators.
var XLIFF = []kit.Scenario{{Name: "xliff/translator", Run: translatorFiles}, {Name: "xliff/refused", Run: refusedFiles},
	{Name: "xliff/alternative texts", Run: translatedAlts},
	{Name: "xliff/changed", Run: changedFiles}, {Name: "xliff/undo", Run: undoneFiles}}

// translation returns a file for translators with a text in place of each target, and of each source
// without one. Texts that say has no word for stay without a target.
func translation(t *testing.T, file string, say map[string]string) string {
	t.Helper()
	var b strings.Builder
	for i, unit := range strings.Split(file, "<unit ") {
		if i > 0 {
			id, _, _ := strings.Cut(strings.TrimPrefix(unit, `id="`), `"`)
			if text, ok := say[id]; ok {
				from, rest, found := strings.Cut(unit, "</source>")
				if !found {
					t.Fatalf("the unit %s has no source", id)
				}
				if at := strings.Index(rest, "</target>"); at >= 0 {
					rest = rest[at+len("</target>"):]
				}
				unit = from + "</source><target>" + text + "</target>" + rest
			}
			b.WriteString("<unit ")
		}
		b.WriteString(unit)
	}
	return b.String()
}

// takeXLIFF sends a file from a translator.
func takeXLIFF(t *testing.T, c *kit.Client, model, file string) kit.Answer {
	t.Helper()
	return c.OK(t, 200, "POST /models/"+model+"/entries.xliff", kit.FileBody(t, "de.xlf", []byte(file), nil))
}

// translatorFiles sends texts to a translator and takes them back (extensions §3).
func translatorFiles(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	s.UseLocale(t, "fr", "Français")
	model := s.Model(t, kit.Obj{"localized": true, "fields": kit.List{
		kit.Field("teaser", "textarea", kit.Obj{"max": 40, "label": "Teaser"}), kit.Field("body", "richtext", nil),
		kit.Field("n", "number", nil), kit.Field("parts", "blocks",
			kit.Obj{"fields": kit.List{kit.Field("hero", "group",
				kit.Obj{"fields": kit.List{kit.Field("heading", "text", nil), kit.Field("n", "number", nil)}})}}),
	}})
	k, admin := s.AdminKey(t), s.Admin(t)
	other := k.Publish(t, model, "Other", nil)
	data := kit.Obj{"teaser": "Two & <two>", "body": "See [it](cms://entry/" + other + ").\n\nEnd.", "n": 1,
		"parts": kit.List{kit.Obj{"type": "hero", "heading": "One", "n": 1},
			kit.Obj{"type": "hero", "heading": "Two", "n": 2}}}
	id := k.Publish(t, model, "Home", data)
	file := "GET /models/" + model + "/entries.xliff?locale=de"
	a := admin.OK(t, 200, file+"&ids="+id, nil)
	text := string(a.Raw)
	var any struct{}
	if err := xml.Unmarshal(a.Raw, &any); err != nil ||
		a.Header.Get("Content-Type") != "application/xliff+xml; charset=utf-8" ||
		strings.Count(text, "<file ") != 1 || !strings.Contains(text, `<file id="`+id+`"`) ||
		!strings.Contains(text, `[it](<ph id="1" dataRef="d1"/>).`) {
		t.Fatalf("%v %q\n%s", err, a.Header.Get("Content-Type"), text)
	}

	// A new translation is a draft with what is no text copied.
	words := map[string]string{"title": "Start", "data.teaser": "Zwei &amp; <mrk id=\"m1\">zwei</mrk>",
		"data.body": `Siehe [es](<ph id="1" dataRef="d1"/>).`, "data.parts.1.heading": "Zwei"}
	a = takeXLIFF(t, admin, model, translation(t, text, words))
	a.Has(t, "created", kit.Obj{"meta.created": 1, "meta.locale": "de", "data.0.result": "created", "data.0.id": id,
		"data.0.texts": 4,
		"data.0.warnings": kit.Obj{
			"data.body":            kit.List{"some paragraphs are not translated; the text of the source stands there"},
			"data.parts.0.heading": kit.List{"is not translated; the text of the source stands there"}}})
	de := a.Str(t, "data.0.translation")
	k.Get(t, "/"+model+"/"+de).Has(t, "created",
		kit.Obj{"data.status": "draft", "data.locale": "de", "data.title": "Start",
			"data.data.teaser": "Zwei & zwei", "data.data.n": 1,
			"data.data.parts": kit.List{kit.Obj{"type": "hero", "heading": "One", "n": 1},
				kit.Obj{"type": "hero", "heading": "Zwei", "n": 2}}})
	if body := k.Get(t, "/"+model+"/"+de).Str(t, "data.data.body"); !strings.HasPrefix(body,
		"Siehe [es](") ||
		!strings.HasSuffix(body, "\n\nEnd.") || strings.Contains(body, "cms:") {
		t.Errorf("body %q", body)
	}

	// The same file again changes nothing; a published translation gets a draft.
	k.Put(t, "/"+model+"/"+de, kit.Obj{"status": "published"})
	takeXLIFF(t, admin, model, translation(t, text, words)).Has(t, "again", kit.Obj{"data.0.result": "unchanged"})
	takeXLIFF(t, admin, model, translation(t, text, map[string]string{"data.teaser": "Neu"})).Has(t, "draft",
		kit.Obj{"data.0.result": "updated", "data.0.translation": de})
	k.Get(t, "/"+model+"/"+de).Has(t, "live", kit.Obj{"data.data.teaser": "Zwei & zwei"})
	k.Get(t, "/"+model+"/"+de+"/draft").Has(t, "draft", kit.Obj{"data.data.teaser": "Neu", "data.title": "Start"})

	// The next file has the present translation, drafts included.
	now := string(admin.OK(t, 200, file+"&ids="+de, nil).Raw)
	if !strings.Contains(now, "<target>Neu</target>") || !strings.Contains(now, `state="translated"`) {
		t.Errorf("the file lacks the translation:\n%s", now)
	}

	// A text that changed since the export is taken with a warning, rows that moved by their text.
	parts := kit.List{kit.Obj{"type": "hero", "heading": "Zero"}, kit.Obj{"type": "hero", "heading": "One", "n": 1},
		kit.Obj{"type": "hero", "heading": "Two", "n": 2}}
	k.Put(t, "/"+model+"/"+id, kit.Obj{"data": kit.Obj{"teaser": "Changed", "parts": parts}})
	takeXLIFF(t, admin, model, translation(t, text,
		map[string]string{"data.teaser": "Alt", "data.parts.0.heading": "Eins"})).
		Has(t, "changed", kit.Obj{"data.0.result": "updated",
			"data.0.warnings": kit.Obj{"data.teaser": kit.List{"the source changed after the export",
				"this translation changed here after the export; that of the file takes its place"},
				"data.parts.0.heading": kit.List{"is not translated; the text of the source stands there"},
				"data.parts.2.heading": kit.List{"is not translated; the text of the source stands there"}}})
	k.Get(t, "/"+model+"/"+de+"/draft").Has(t, "changed", kit.Obj{"data.data.teaser": "Alt",
		"data.data.parts": kit.List{kit.Obj{"type": "hero", "heading": "Zero"},
			kit.Obj{"type": "hero", "heading": "Eins", "n": 1}, kit.Obj{"type": "hero", "heading": "Two", "n": 2}}})

	// What a translator makes too long is refused for this entry alone.
	both := string(admin.Get(t, "/models/"+model+"/entries.xliff?locale=fr&ids="+other+","+id).Raw)
	if strings.Count(both, "<file ") != 2 {
		t.Fatalf("two ids: %s", both)
	}
	both = string(admin.Get(t, "/models/"+model+"/entries.xliff?locale=fr&due=true").Raw)
	if strings.Count(both, "<file ") != 2 {
		t.Fatalf("missing in fr: %s", both)
	}
	a = takeXLIFF(t, admin, model, translation(t, both,
		map[string]string{"title": "Le titre", "data.teaser": strings.Repeat("long ", 10)}))
	a.Has(t, "too long", kit.Obj{"meta.created": 1, "meta.failed": 1})
	for i := range 2 {
		at := "data." + string(rune('0'+i)) + "."
		if a.Str(t, at+"id") == id {
			a.Has(t, "too long", kit.Obj{at + "result": "failed", at + "translation": "", at + "texts": 0,
				at + "error.code": "VALIDATION_FAILED"})
		}
	}
	k.Get(t, "/"+model+"/"+id+"?translations=true").Has(t, "nothing half written", kit.Obj{"data.translations.#": 2})
	due := string(admin.OK(t, 200, file+"&due=true", nil).Raw)
	kit.Same(t, "due in de", strings.Count(due, "<file "), 2)
}

// refusedFiles sends what cannot be translated or taken (extensions §3).
func refusedFiles(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	fields := kit.List{kit.Field("body", "textarea", nil)}
	model, flat := s.Model(t, kit.Obj{"localized": true, "fields": fields}), s.Model(t, nil)
	foreign := s.Model(t, kit.Obj{"localized": true, "fields": fields})
	k, admin := s.AdminKey(t), s.Admin(t)
	id := k.Publish(t, model, "Home", kit.Obj{"body": "text"})
	k.Publish(t, foreign, "Foreign", nil)
	at := "/models/" + model + "/entries.xliff"
	invalid := func(name, call, invalid string) kit.Step {
		return kit.Step{Name: name, Call: "GET " + call, Invalid: invalid}
	}
	admin.Run(t,
		invalid("no locale", at, "locale"), invalid("the same locale", at+"?locale=de&source=de", "locale"),
		invalid("no such locale", at+"?locale=xx", "locale"),
		invalid("nothing", at+"?locale=de&ids="+kit.UnknownID, "ids"),
		kit.Step{Name: "a filter", Call: "GET " + at + "?locale=de&filter[none]=1", Code: "BAD_REQUEST"},
		kit.Step{Name: "one language", Call: "GET /models/" + flat + "/entries.xliff?locale=de", Code: "BAD_REQUEST"},
	)
	file := string(admin.Get(t, at+"?locale=de").Raw)
	for name, text := range map[string]string{
		"no XML": "hello", "cut": file[:len(file)/2],
		"XLIFF 1.2":        `<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"><file/></xliff>`,
		"another language": strings.Replace(file, `trgLang="de"`, `trgLang="xx"`, 1),
		"another service":  strings.ReplaceAll(file, id, kit.UnknownID),
		"another model":    string(admin.Get(t, "/models/"+foreign+"/entries.xliff?locale=de").Raw),
		"entities": "<!DOCTYPE x [<!ENTITY a \"aa\"><!ENTITY b \"&a;&a;\">]>" +
			strings.Replace(file, "Home", "&b;", 1),
	} {
		admin.Step(t, kit.Step{Name: name, Call: "POST " + at, Body: kit.FileBody(t, "a.xlf", []byte(text), nil),
			Invalid: "file"})
	}
	admin.Step(t, kit.Step{Name: "no file", Call: "POST " + at, Body: kit.Obj{}, Invalid: "file"})
	takeXLIFF(t, admin, model, strings.Replace(translation(t, file, map[string]string{"title": "T"}),
		`srcLang="en"`, `srcLang="fr"`, 1)).
		Has(t, "another source", kit.Obj{"data.0.result": "failed", "data.0.error.code": "VALIDATION_FAILED"})
	_, writer := s.Role(t, kit.Obj{"actions": kit.List{"read", "write"}, "models": kit.List{model},
		"locales": kit.List{s.DefaultLocale(t)}})
	takeXLIFF(t, writer, model, translation(t, file, map[string]string{"title": "T"})).
		Has(t, "another locale", kit.Obj{"data.0.result": "failed", "data.0.error.code": "FORBIDDEN"})
	_, _, viewer := s.User(t, "viewer")
	viewer.Get(t, at+"?locale=de")
	viewer.Step(t, kit.Step{Call: "POST " + at, Body: kit.FileBody(t, "a.xlf", []byte(file), nil), Code: "FORBIDDEN"})
	k.Get(t, "/"+model+"/"+id+"?translations=true").Has(t, "nothing was saved", kit.Obj{"data.translations.#": 1})
	k.Create(t, model, kit.Obj{"title": "Start", "locale": "de", "translation_of": id})
	takeXLIFF(t, writer, model, translation(t, file, map[string]string{"title": "T"})).
		Has(t, "a translation that is hidden", kit.Obj{"data.0.result": "failed", "data.0.translation": ""})
}
