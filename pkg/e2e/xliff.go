package e2e

import (
	"encoding/xml"
	"strings"
	"testing"
)

var xliffScenarios = []scenario{{name: "xliff/translator", run: translatorFiles}, {name: "xliff/refused", run: refusedFiles}}

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
func (c *client) takeXLIFF(t *testing.T, status int, model, file string) answer {
	t.Helper()
	return c.ok(t, status, "POST /models/"+model+"/entries.xliff", form(t, "de.xlf", []byte(file), nil))
}

// translatorFiles sends texts to a translator and takes them back (extensions §3).
func translatorFiles(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	s.useLocale(t, "fr", "Français")
	model := s.model(t, obj{"localized": true, "fields": list{
		field("teaser", "textarea", obj{"max": 40, "label": "Teaser"}), field("body", "richtext", nil), field("n", "number", nil),
		field("parts", "blocks", obj{"fields": list{field("hero", "group", obj{"fields": list{field("heading", "text", nil), field("n", "number", nil)}})}}),
	}})
	k, admin := s.adminKey(t), s.admin(t)
	other := k.publish(t, model, "Other", nil)
	data := obj{"teaser": "Two & <two>", "body": "See [it](cms://entry/" + other + ").\n\nEnd.", "n": 1,
		"parts": list{obj{"type": "hero", "heading": "One", "n": 1}, obj{"type": "hero", "heading": "Two", "n": 2}}}
	id := k.publish(t, model, "Home", data)
	file := "GET /models/" + model + "/entries.xliff?locale=de"
	a := admin.ok(t, 200, file+"&ids="+id, nil)
	text := string(a.Raw)
	var any struct{}
	if err := xml.Unmarshal(a.Raw, &any); err != nil || a.Header.Get("Content-Type") != "application/xliff+xml; charset=utf-8" ||
		strings.Count(text, "<file ") != 1 || !strings.Contains(text, `<file id="`+id+`"`) ||
		!strings.Contains(text, `[it](<ph id="1" dataRef="d1"/>).`) {
		t.Fatalf("%v %q\n%s", err, a.Header.Get("Content-Type"), text)
	}

	// A new translation is a draft with what is no text copied.
	words := map[string]string{"title": "Start", "data.teaser": "Zwei &amp; <mrk id=\"m1\">zwei</mrk>",
		"data.body": `Siehe [es](<ph id="1" dataRef="d1"/>).`, "data.parts.1.heading": "Zwei"}
	a = admin.takeXLIFF(t, 200, model, translation(t, text, words))
	a.has(t, "created", obj{"meta.created": 1, "meta.locale": "de", "data.0.result": "created", "data.0.id": id, "data.0.texts": 4,
		"data.0.warnings": obj{"data.body": list{"some paragraphs are not translated; the text of the source stands there"},
			"data.parts.0.heading": list{"is not translated; the text of the source stands there"}}})
	de := a.str(t, "data.0.translation")
	k.ok(t, 200, "GET /"+model+"/"+de, nil).has(t, "created", obj{"data.status": "draft", "data.locale": "de", "data.title": "Start",
		"data.data.teaser": "Zwei & zwei", "data.data.n": 1,
		"data.data.parts": list{obj{"type": "hero", "heading": "One", "n": 1}, obj{"type": "hero", "heading": "Zwei", "n": 2}}})
	if body := k.ok(t, 200, "GET /"+model+"/"+de, nil).str(t, "data.data.body"); !strings.HasPrefix(body, "Siehe [es](") ||
		!strings.HasSuffix(body, "\n\nEnd.") || strings.Contains(body, "cms:") {
		t.Errorf("body %q", body)
	}

	// The same file again changes nothing; a published translation gets a draft.
	k.ok(t, 200, "PUT /"+model+"/"+de, obj{"status": "published"})
	admin.takeXLIFF(t, 200, model, translation(t, text, words)).has(t, "again", obj{"data.0.result": "unchanged"})
	admin.takeXLIFF(t, 200, model, translation(t, text, map[string]string{"data.teaser": "Neu"})).has(t, "draft",
		obj{"data.0.result": "updated", "data.0.translation": de})
	k.ok(t, 200, "GET /"+model+"/"+de, nil).has(t, "live", obj{"data.data.teaser": "Zwei & zwei"})
	k.ok(t, 200, "GET /"+model+"/"+de+"/draft", nil).has(t, "draft", obj{"data.data.teaser": "Neu", "data.title": "Start"})

	// The next file has the present translation, drafts included.
	now := string(admin.ok(t, 200, file+"&ids="+de, nil).Raw)
	if !strings.Contains(now, "<target>Neu</target>") || !strings.Contains(now, `state="translated"`) {
		t.Errorf("the file lacks the translation:\n%s", now)
	}

	// A text that changed since the export is taken with a warning, rows that moved by their text.
	parts := list{obj{"type": "hero", "heading": "Zero"}, obj{"type": "hero", "heading": "One", "n": 1}, obj{"type": "hero", "heading": "Two", "n": 2}}
	k.ok(t, 200, "PUT /"+model+"/"+id, obj{"data": obj{"teaser": "Changed", "parts": parts}})
	admin.takeXLIFF(t, 200, model, translation(t, text, map[string]string{"data.teaser": "Alt", "data.parts.0.heading": "Eins"})).
		has(t, "changed", obj{"data.0.result": "updated", "data.0.warnings": obj{"data.teaser": list{"the source changed after the export"},
			"data.parts.0.heading": list{"is not translated; the text of the source stands there"},
			"data.parts.2.heading": list{"is not translated; the text of the source stands there"}}})
	k.ok(t, 200, "GET /"+model+"/"+de+"/draft", nil).has(t, "changed", obj{"data.data.teaser": "Alt",
		"data.data.parts": list{obj{"type": "hero", "heading": "Zero"}, obj{"type": "hero", "heading": "Eins", "n": 1}, obj{"type": "hero", "heading": "Two", "n": 2}}})

	// What a translator makes too long is refused for this entry alone.
	both := string(admin.ok(t, 200, "GET /models/"+model+"/entries.xliff?locale=fr&ids="+other+","+id, nil).Raw)
	if strings.Count(both, "<file ") != 2 {
		t.Fatalf("two ids: %s", both)
	}
	both = string(admin.ok(t, 200, "GET /models/"+model+"/entries.xliff?locale=fr&due=true", nil).Raw)
	if strings.Count(both, "<file ") != 2 {
		t.Fatalf("missing in fr: %s", both)
	}
	a = admin.takeXLIFF(t, 200, model, translation(t, both, map[string]string{"title": "Le titre", "data.teaser": strings.Repeat("long ", 10)}))
	a.has(t, "too long", obj{"meta.created": 1, "meta.failed": 1})
	for i := range 2 {
		at := "data." + string(rune('0'+i)) + "."
		if a.str(t, at+"id") == id {
			a.has(t, "too long", obj{at + "result": "failed", at + "translation": "", at + "error.code": "VALIDATION_FAILED"})
		}
	}
	k.ok(t, 200, "GET /"+model+"/"+id+"?translations=true", nil).has(t, "nothing half written", obj{"data.translations.#": 2})
	due := string(admin.ok(t, 200, file+"&due=true", nil).Raw)
	if strings.Count(due, "<file ") != 2 { // one is missing, one outdated
		t.Errorf("due in de: %s", due)
	}
}

// refusedFiles sends what cannot be translated or taken (extensions §3).
func refusedFiles(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	fields := list{field("body", "textarea", nil)}
	model, flat := s.model(t, obj{"localized": true, "fields": fields}), s.model(t, nil)
	foreign := s.model(t, obj{"localized": true, "fields": fields})
	k, admin := s.adminKey(t), s.admin(t)
	id := k.publish(t, model, "Home", obj{"body": "text"})
	k.publish(t, foreign, "Foreign", nil)
	at := "/models/" + model + "/entries.xliff"
	invalid := func(name, call string, paths ...string) step {
		return step{name: name, call: "GET " + call, status: 422, code: "VALIDATION_FAILED", details: paths}
	}
	admin.run(t,
		invalid("no locale", at, "locale"), invalid("the same locale", at+"?locale=de&source=de", "locale"),
		invalid("no such locale", at+"?locale=xx&due=maybe", "due", "locale"), invalid("nothing", at+"?locale=de&ids="+noID, "ids"),
		step{name: "a filter", call: "GET " + at + "?locale=de&filter[none]=1", status: 400, code: "BAD_REQUEST"},
		step{name: "one language", call: "GET /models/" + flat + "/entries.xliff?locale=de", status: 400, code: "BAD_REQUEST"},
	)
	file := string(admin.ok(t, 200, "GET "+at+"?locale=de", nil).Raw)
	for name, text := range map[string]string{
		"no XML": "hello", "cut": file[:len(file)/2], "XLIFF 1.2": `<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"><file/></xliff>`,
		"another language": strings.Replace(file, `trgLang="de"`, `trgLang="xx"`, 1),
		"another service":  strings.ReplaceAll(file, id, noID),
		"another model":    string(admin.ok(t, 200, "GET /models/"+foreign+"/entries.xliff?locale=de", nil).Raw),
		"entities":         "<!DOCTYPE x [<!ENTITY a \"aa\"><!ENTITY b \"&a;&a;\">]>" + strings.Replace(file, "Home", "&b;", 1),
	} {
		admin.step(t, step{name: name, call: "POST " + at, body: form(t, "a.xlf", []byte(text), nil), status: 422,
			code: "VALIDATION_FAILED", details: []string{"file"}})
	}
	admin.step(t, step{name: "no file", call: "POST " + at, body: obj{}, status: 422, code: "VALIDATION_FAILED", details: []string{"file"}})
	admin.takeXLIFF(t, 200, model, strings.Replace(translation(t, file, map[string]string{"title": "T"}), `srcLang="en"`, `srcLang="fr"`, 1)).
		has(t, "another source", obj{"data.0.result": "failed", "data.0.error.code": "VALIDATION_FAILED"})
	_, writer := s.role(t, obj{"actions": list{"read", "write"}, "models": list{model}, "locales": list{s.defaultLocale(t)}})
	writer.takeXLIFF(t, 200, model, translation(t, file, map[string]string{"title": "T"})).
		has(t, "another locale", obj{"data.0.result": "failed", "data.0.error.code": "FORBIDDEN"})
	_, _, viewer := s.user(t, "viewer")
	viewer.ok(t, 200, "GET "+at+"?locale=de", nil)
	viewer.step(t, step{call: "POST " + at, body: form(t, "a.xlf", []byte(file), nil), status: 403, code: "FORBIDDEN"})
	k.ok(t, 200, "GET /"+model+"/"+id+"?translations=true", nil).has(t, "nothing was saved", obj{"data.translations.#": 1})
}
