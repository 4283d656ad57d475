package locales

import (
	"slices"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// translatedAlts sends the alternative texts of the files that entries show to a translator and takes them back.
func translatedAlts(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	k, admin := s.AdminKey(t), s.Admin(t)
	model := s.Model(t, kit.Obj{"localized": true,
		"fields": kit.List{kit.Field("cover", "media", nil), kit.Field("body", "richtext", nil)}})
	upload := func(name, alt string) string {
		return k.Upload(t, name, kit.PNG(2, 2), map[string]string{"alt": alt}).Str(t, "data.id")
	}
	door, lamp, named, bare := upload("door.png", "A door"), upload("lamp.png", "A lamp"), upload("named.png", "Named"),
		upload("bare.png", "")
	k.Publish(t, model, "Doors", kit.Obj{"cover": door, "body": "![](cms://media/" + lamp +
		")\n\n![own](cms://media/" + named + ") ![](cms://media/" + bare + ")"})
	k.Publish(t, model, "More doors", kit.Obj{"cover": door})
	at := "GET /models/" + model + "/entries.xliff?locale=de"
	text := string(admin.OK(t, 200, at, nil).Raw)
	for id, n := range map[string]int{door: 1, lamp: 1, named: 0, bare: 0} {
		kit.Same(t, "units for the file "+id, strings.Count(text, `<unit id="media-`+id+`"`), n)
	}
	if !strings.Contains(text, `<note category="label">Alternative text of lamp.png</note>`) {
		t.Errorf("no file is named:\n%s", text)
	}

	// Nothing else of the entries is translated, so no translation is made.
	words := map[string]string{"media-" + door: "Eine Tür", "media-" + lamp: "Eine Lampe"}
	a := takeXLIFF(t, admin, model, translation(t, text, words))
	a.Has(t, "taken", kit.Obj{"meta.created": 0, "meta.failed": 0, "data.0.translation": "", "data.1.translation": ""})
	file := func(id string, want kit.Obj) {
		t.Helper()
		k.Get(t, "/upload/files/"+id).Has(t, "the file", want)
	}
	file(door, kit.Obj{"data.alt": "A door", "data.alts": kit.Obj{"de": "Eine Tür"}})
	file(lamp, kit.Obj{"data.alts": kit.Obj{"de": "Eine Lampe"}})
	takeXLIFF(t, admin, model, translation(t, text, words)).Has(t, "again", kit.Obj{"meta.unchanged": 2})
	if text := string(admin.OK(t, 200, at, nil).Raw); !strings.Contains(text, "<target>Eine Lampe</target>") ||
		!strings.Contains(text, `state="translated"`) {
		t.Errorf("the next file lacks the present text:\n%s", text)
	}

	// A text that changed since is taken with a warning. That of a file which an entry no longer shows is not.
	admin.Put(t, "/media/"+door, kit.Obj{"alt": "A red door"})
	warned := func(what string, a kit.Answer, path, warning string) {
		t.Helper()
		for _, line := range a.Get("data").(kit.List) {
			warnings, _ := line.(kit.Obj)["warnings"].(kit.Obj)
			list, _ := warnings[path].(kit.List)
			if slices.ContainsFunc(list, func(w any) bool { return strings.Contains(kit.Str(w), warning) }) {
				return
			}
		}
		t.Errorf("%s: no warning %q at %s: %s", what, warning, path, a.Raw)
	}
	a = takeXLIFF(t, admin, model, translation(t, strings.ReplaceAll(text, "media-"+lamp, "media-"+named),
		map[string]string{"media-" + door: "Eine rote Tür", "media-" + named: "Fremd"}))
	warned("changed", a, "media-"+door, "the source changed after the export")
	warned("not shown", a, "media-"+named, "the translation was left out")
	file(door, kit.Obj{"data.alts": kit.Obj{"de": "Eine rote Tür"}})
	file(named, kit.Obj{"data.alts": nil})

	// Those who may not edit files translate the entries alone.
	_, reader := s.Role(t, kit.Obj{"actions": kit.List{"read", "write"}, "models": kit.List{model}},
		kit.Obj{"actions": kit.List{"read"}, "models": kit.List{"media"}})
	a = takeXLIFF(t, reader, model, translation(t, text, map[string]string{"title": "Türen", "media-" + lamp: "Licht"}))
	a.Has(t, "entries alone", kit.Obj{"meta.created": 2})
	warned("a reader of files", a, "media-"+lamp, "was left out for lamp.png")
	file(lamp, kit.Obj{"data.alts": kit.Obj{"de": "Eine Lampe"}})
	if text := string(reader.OK(t, 200, at, nil).Raw); !strings.Contains(text, "media-"+lamp) {
		t.Errorf("who may read files gets no text of them:\n%s", text)
	}
	_, blind := s.Role(t, kit.Obj{"actions": kit.List{"read", "write"}, "models": kit.List{model}})
	if text := string(blind.OK(t, 200, at, nil).Raw); strings.Contains(text, "media-"+lamp) {
		t.Errorf("who may not read files gets a text of one:\n%s", text)
	}
}
