package xliff

import (
	"encoding/xml"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/must"
)

const entryID = "0198c0de-0000-7000-8000-000000000001"

func pageModel() *cms.Model {
	limit := 60.0
	no := false
	return &cms.Model{Slug: "pages", Fields: []cms.Field{
		{Name: "teaser", Label: "Teaser", Type: cms.TypeTextarea, Max: &limit, Help: "Shown in lists."},
		{Name: "sku", Type: cms.TypeText, Unique: true},
		{Name: "brand", Type: cms.TypeText, Translatable: &no},
		{Name: "price", Type: cms.TypeNumber},
		{Name: "body", Type: cms.TypeRichText, Fields: []cms.Field{{Name: "callout", Type: cms.TypeGroup,
			Fields: []cms.Field{{Name: "text", Type: cms.TypeText}}}}},
		{Name: "parts", Label: "Parts", Type: cms.TypeBlocks, Fields: []cms.Field{
			{Name: "hero", Type: cms.TypeGroup, Fields: []cms.Field{{Name: "heading", Type: cms.TypeText},
				{Name: "picture", Type: cms.TypeMedia}}},
			{Name: "faq", Type: cms.TypeGroup, Fields: []cms.Field{{Name: "rows", Type: cms.TypeList,
				Fields: []cms.Field{{Name: "q", Type: cms.TypeText}}}}},
		}},
	}}
}

func hero(heading, picture string) map[string]any {
	return map[string]any{"type": "hero", "heading": heading, "picture": picture}
}

func faq(questions ...string) map[string]any {
	var rows []any
	for _, q := range questions {
		rows = append(rows, map[string]any{"q": q})
	}
	return map[string]any{"type": "faq", "rows": rows}
}

const markdownText = "# Steam\n\nSee [the table](cms://entry/" + entryID + ") & <b>all</b>.\r\n\n\n" +
	"```block callout\ntext: Mind the heat\n```\n\nEnd \x01 ![p](cms://media/" + entryID + ")"

func pageEntry() *cms.Entry {
	return &cms.Entry{ID: entryID, Locale: "en", Title: "Home & <garden>", SEO: cms.SEO{Title: "S"},
		Data: map[string]any{"teaser": "Two\nlines", "sku": "A1", "brand": "Acme", "price": 3, "body": markdownText,
			"parts": []any{hero("Hello", "p1"), faq("Why?", "How?")}}}
}

// fileOf returns a file with the texts of an entry and the translations that say has.
func fileOf(t *testing.T, e *cms.Entry, say func(text) string) []byte {
	t.Helper()
	d := document{Source: "en", Target: "de", Files: []file{{ID: e.ID, Original: "pages/" + e.ID, Space: "preserve"}}}
	for _, text := range textsOf(pageModel(), e) {
		d.Files[0].Units = append(d.Files[0].Units, unitOf(text.path, text.field, text.notes(pageModel()), text.value,
			say(text), stateTranslated))
	}
	raw, err := d.writeFile()
	must.Do(t, err)
	return raw
}

// TestTexts writes the texts of an entry and reads them back, with what XML cannot hold.
func TestTexts(t *testing.T) {
	french := func(t text) string { return strings.NewReplacer("Two", "Dèux", "Steam", "Vapeur").Replace(t.value) }
	raw := fileOf(t, pageEntry(), french)
	d, err := readDocument(strings.NewReader(string(raw)))
	must.Do(t, err)
	var paths []string
	for _, u := range d.Files[0].appendUnits(nil) {
		w, err := u.texts(left())
		if err != nil || w.translated != whole || w.lost {
			t.Errorf("%s: %+v, %v", u.ID, w, err)
		}
		paths = append(paths, u.ID)
		for _, text := range textsOf(pageModel(), pageEntry()) {
			if text.path == u.ID && (w.source != text.value || w.target != french(text)) {
				t.Errorf("%s: %q and %q, want %q", u.ID, w.source, w.target, text.value)
			}
		}
	}
	want := []string{"title", "data.teaser", "data.body", "data.parts.0.heading", "data.parts.1.rows.0.q",
		"data.parts.1.rows.1.q", "seo.title"}
	if !slices.Equal(paths, want) {
		t.Errorf("texts %v, want %v", paths, want)
	}
	for _, part := range []string{`<note category="limit">At most 60 characters.</note>`,
		`<note category="help">Shown in lists.</note>`,
		`<note category="label">Parts › heading</note>`, `<cp hex="1"/>`, "&lt;b&gt;all&lt;/b&gt;", "&#xD;",
		`<data id="d1">cms://entry/` + entryID + `</data>`, `[the table](<ph id="1" dataRef="d1"/>)`,
		`<ph id="2" dataRef="d2"/>`, ` Mind the heat`} {
		if !strings.Contains(string(raw), part) {
			t.Errorf("the file has no %s:\n%s", part, raw)
		}
	}
	if strings.Contains(string(raw), "Acme") || strings.Contains(string(raw), "A1<") {
		t.Errorf("texts that are not translated are in the file:\n%s", raw)
	}
}

// TestSchema checks the rules of the XLIFF 2.0 core for the elements of a file (OASIS, section 4).
func TestSchema(t *testing.T) {
	raw := fileOf(t, pageEntry(), func(t text) string {
		if t.path == "data.body" {
			return "Nur [ein](cms://entry/0198c0de-0000-7000-8000-000000000002) Absatz"
		}
		return ""
	})
	name := regexp.MustCompile(`^[A-Za-z0-9._:-]+$`) // NMTOKEN
	after := map[string]string{"xliff": " file ", "file": " notes unit ", "unit": " notes originalData segment ignorable ",
		"notes": " note ", "originalData": " data ", "segment": " source target ", "ignorable": " source target ",
		"source": " ph cp ", "target": " ph cp "}
	decoder := xml.NewDecoder(strings.NewReader(string(raw)))
	var path []string
	ids := map[string]map[string]bool{}
	for {
		token, err := decoder.Token()
		if err != nil {
			break
		}
		switch token := token.(type) {
		case xml.StartElement:
			is := token.Name.Local
			if token.Name.Space != namespace {
				t.Errorf("%s is in the namespace %q", is, token.Name.Space)
			}
			if len(path) > 0 && !strings.Contains(after[path[len(path)-1]], " "+is+" ") {
				t.Errorf("%s in %v", is, path)
			}
			if path = append(path, is); is == "unit" || is == "source" || is == "target" {
				ids[is] = map[string]bool{}
			}
			id := attribute(token, "id")
			if slices.Contains([]string{"file", "unit", "data", "ph"}, is) && !name.MatchString(id) {
				t.Errorf("%v has the id %q", path, id)
			}
			if within := path[max(0, len(path)-2)]; is == "ph" {
				if ids[within][id] {
					t.Errorf("the code %s is twice in a %s", id, within)
				}
				ids[within][id] = true
			}
			if is == "xliff" && (attribute(token, "version") != "2.0" || attribute(token, "srcLang") != "en" ||
				attribute(token, "trgLang") != "de") {
				t.Errorf("root %v", token.Attr)
			}
		case xml.EndElement:
			path = path[:len(path)-1]
		}
	}
	if len(ids) != 3 {
		t.Fatalf("only %v were read of\n%s", slices.Collect(maps.Keys(ids)), raw)
	}
}

// TestRead refuses what is no XLIFF 2 with the reason.
func TestRead(t *testing.T) {
	const start = `<xliff xmlns="` + namespace + `" version="2.1">`
	const translated = `<xliff xmlns="` + namespace + `" version="2.1" srcLang="en" trgLang="de">`
	for text, want := range map[string]string{
		"": "no XLIFF", "no": "no XLIFF", "<a": "line 1", "<html/>": "no XLIFF",
		"<!DOCTYPE x [<!ENTITY a \"aaaa\">]><xliff>&a;</xliff>":                              "entity",
		`<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"><file/></xliff>`: "XLIFF 1.2",
		`<xliff xmlns="urn:oasis:names:tc:xliff:document:2.2" version="2.2"><file/></xliff>`: "export it as XLIFF 2.0",
		`<xliff xmlns="` + namespace + `" version="2.1"></xliff>`:                            "no texts",
		"<xliff>\xe9</xliff>": "not in UTF-8", "\xff\xfe<\x00x\x00/\x00>\x00": "not in UTF-8",
		start + `<file id="a"/></xliff>`:                                                               "srcLang",
		translated + `<file id="a1"/><file id="b"/><file id="A1"/></xliff>`:                            "entry a1 twice",
		start + `<file>` + strings.Repeat("<unit/>", maxTags) + `</file></xliff>`:                      "300000 tags",
		start + strings.Repeat("<file/>", MaxEntries+1) + `</xliff>`:                                   "more than 500",
		`<?xml version="1.0" encoding="UTF-16"?><xliff/>`:                                              "UTF-8",
		`<xliff xmlns="` + namespace + `" version="2.0">` + strings.Repeat(" ", MaxBytes) + `</xliff>`: "4 MB",
	} {
		_, err := readDocument(strings.NewReader(text))
		if e, ok := errors.AsType[*cms.Error](err); !ok || len(e.Details["file"]) != 1 ||
			!strings.Contains(strings.Replace(e.Details["file"][0], "is not an", "no", 1), want) {
			t.Errorf("%.60q: %v, want %s", text, err, want)
		}
	}
}

// TestToolChanges reads what tools make of a unit: other segments, markers around words, codes in
// another order, and groups.
func TestToolChanges(t *testing.T) {
	const units = `<originalData><data id="d1">one</data><data id="d2">two</data></originalData>`
	for name, c := range map[string]struct {
		parts, want string
		translated  coverage
		lost, wrong bool
	}{
		"joined": {`<segment><source>a <ph id="1" dataRef="d1"/></source><target>x <mrk id="m1" type="term">y</mrk><pc id="9">z</pc></target></segment>`, "x yz", whole, true, false},
		"order":  {`<segment><source><ph id="1" dataRef="d1"/><ph id="2" dataRef="d2"/></source><target><ph id="2"/>-<ph id="1"/></target></segment>`, "two-one", whole, false, false},
		"part": {`<segment><source>a</source><target>x</target></segment><ignorable><source>

</source></ignorable><segment><source>b</source></segment>`, "x\n\nb", partly, false, false},
		"sentences": {`<segment><source>a</source><target order="3">x</target></segment><ignorable><source> </source>` +
			`</ignorable><segment><source>b</source><target order="1">y</target></segment>`, "y x", whole, false, false},
		"none":   {`<segment><source>a</source><target/></segment>`, "a", nothing, false, false},
		"copied": {`<segment state="initial"><source>a</source><target>a</target></segment>`, "a", nothing, false, false},
		"same":   {`<segment state="reviewed"><source>a</source><target>a</target></segment>`, "a", whole, false, false},
		"moved": {`<segment><source>a <ph id="1" dataRef="d1"/></source><target>x</target></segment>` +
			`<segment><source>b</source><target>-<ph id="1"/></target></segment>`, "x-one", whole, false, false},
		"unknown": {`<segment><source>a</source><target>x<ph id="7"/></target></segment>`, "", nothing, false, true},
	} {
		d, err := readDocument(strings.NewReader(`<xliff xmlns="` + namespace + `" version="2.1" srcLang="en" trgLang="de">` +
			`<file id="f"><group id="g"><unit id="title">` +
			units + c.parts + `</unit></group></file></xliff>`))
		must.Do(t, err)
		all := d.Files[0].appendUnits(nil)
		w, err := all[0].texts(left())
		if dropped := map[string]string{"joined": "pc"}[name]; w.dropped != dropped {
			t.Errorf("%s: the tag %q was left out, not %q", name, w.dropped, dropped)
		}
		if w.target != c.want && err == nil || w.translated != c.translated || w.lost != c.lost || (err != nil) != c.wrong {
			t.Errorf("%s: %+v, %v", name, w, err)
		}
	}
}

// TestTargets finds the texts of a file in an entry that changed after the export.
func TestTargets(t *testing.T) {
	raw := fileOf(t, pageEntry(), func(text text) string { return "de " + text.value })
	d, err := readDocument(strings.NewReader(string(raw)))
	must.Do(t, err)
	now := pageEntry()
	now.Data["teaser"] = "Other"
	now.SEO.Title = ""
	now.Data["parts"] = []any{faq("New?", "Why?", "How, then?"), hero("Hello", "p1")}
	in := incoming{Taken: &Taken{Warnings: cms.Problems{}}, texts: textsOf(pageModel(), now)}
	in.readTranslations(&d.Files[0])
	want := map[string]string{"title": "de Home & <garden>", "data.teaser": "de Two\nlines", "data.body": "de " +
		markdownText,
		"data.parts.1.heading": "de Hello", "data.parts.0.rows.1.q": "de Why?"}
	if !maps.Equal(in.translations, want) {
		t.Errorf("translations %q, want %q", in.translations, want)
	}
	warned := slices.Sorted(maps.Keys(in.Warnings))
	if !slices.Equal(warned, []string{"data.parts.1.rows.1.q", "data.teaser", "seo.title"}) {
		t.Errorf("warnings %v", in.Warnings)
	}
}

// TestTranslated puts texts into the present translation, or into the rows of the source if those are
// others.
func TestTranslated(t *testing.T) {
	parts := pageModel().Field("parts")
	source := []any{hero("Hello", "p1"), faq("Why?")}
	texts := map[string]string{"data.parts.0.heading": "Hallo"}
	for name, c := range map[string]struct {
		have, want any
		left       []string
	}{
		"new":        {nil, []any{hero("Hallo", "p1"), faq("Why?")}, []string{"data.parts.1.rows.0.q"}},
		"same rows":  {[]any{hero("Servus", "p2"), faq("Warum?")}, []any{hero("Hallo", "p2"), faq("Warum?")}, nil},
		"other rows": {[]any{faq("Warum?")}, []any{hero("Hallo", "p1"), faq("Why?")}, []string{"data.parts.1.rows.0.q"}},
		"an empty text": {[]any{map[string]any{"type": "hero", "picture": "p2"}, faq("Warum?")},
			[]any{hero("Hallo", "p2"), faq("Warum?")}, nil},
	} {
		var left []string
		got := translateValue("data.parts", parts, source, c.have, texts, &left)
		if !reflect.DeepEqual(got, c.want) || !slices.Equal(left, c.left) {
			t.Errorf("%s: %v, left %v, want %v", name, got, left, c.want)
		}
	}
}

// left is what a file may repeat.
func left() *int {
	n := MaxBytes
	return &n
}

// TestHostileFiles reads files that are small and whose texts are not, in time and memory that grow with the file.
func TestHostileFiles(t *testing.T) {
	const code = `<ph id="%d" dataRef="d"/>`
	var codes strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&codes, code, i)
	}
	unit := func(data, source, target string) string {
		return `<unit id="title"><originalData><data id="d">` + data + `</data></originalData><segment><source>` + source +
			`</source><target>` + target + `</target></segment></unit>`
	}
	const segment, row = `<segment><source>some words that are</source></segment>`,
		`<unit id="x"><segment><source>same</source></segment></unit>`
	for name, c := range map[string]struct{ units, warning string }{
		"a code that is repeated": {unit(strings.Repeat("a", 500_000), "x", codes.String()), "must be at most 4 MB"},
		"many codes":              {unit("x", codes.String(), codes.String()), ""},
		"many segments":           {`<unit id="title">` + strings.Repeat(segment, 60_000) + `</unit>`, ""},
		"deep groups": {strings.Repeat("<group>", 2000) + strings.Repeat(`<unit id="a"/>`, 100_000) +
			strings.Repeat("</group>", 2000), ""},
		"the same text in many rows": {strings.Repeat(row, 45_000), ""},
	} {
		d, err := readDocument(strings.NewReader(`<xliff xmlns="` + namespace + `" version="2.0" srcLang="en" trgLang="de">` +
			`<file id="f">` + c.units + `</file></xliff>`))
		if err != nil {
			t.Fatal(name, err)
		}
		in := incoming{Taken: &Taken{Warnings: cms.Problems{}}}
		for i := range 5000 {
			in.texts = append(in.texts, text{path: fmt.Sprintf("data.parts.%d.heading", i), value: "same"})
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		in.readTranslations(&d.Files[0])
		runtime.ReadMemStats(&after)
		if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 250 {
			t.Errorf("%s: %d MB were made of %d bytes", name, made, len(c.units))
		}
		if c.warning != "" && !slices.Contains(in.Warnings["title"], c.warning) {
			t.Errorf("%s: warnings %v", name, in.Warnings)
		}
	}
}
