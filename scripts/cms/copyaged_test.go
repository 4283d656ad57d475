package main

import (
	"reflect"
	"testing"

	"headless/pkg/must"
)

// TestCopyAged copies a site whose models and locales were changed after entries were made.
func TestCopyAged(t *testing.T) {
	first, second := serve(t), serve(t)
	c := use(t, first)
	type object = map[string]any
	send := func(method, path string, body object) (id string) {
		t.Helper()
		var made struct{ ID string }
		must.Do(t, c.JSON(method, "/admin"+path, body, &made))
		return made.ID
	}
	text := func(name string) object { return object{"name": name, "type": "text"} }
	group := func(fields ...object) object { return object{"name": "group", "type": "group", "fields": fields} }
	send("POST", "/locales", object{"code": "de", "name": "Deutsch"})
	send("POST", "/models", object{"slug": "posts", "name": "Posts", "localized": true,
		"fields": []object{text("kept"), text("removed"), group(text("kept"), text("removed"))}})
	send("POST", "/models", object{"slug": "notes", "name": "Notes"})
	send("POST", "/models", object{"slug": "codes", "name": "Codes",
		"fields": []object{{"name": "code", "type": "text", "min": 3}}})
	values := object{"kept": "1", "removed": "2", "group": object{"kept": "3", "removed": "4"}}
	post := send("POST", "/models/posts/entries", object{"title": "Post", "status": "published", "data": values})
	send("PUT", "/models/posts/entries/"+post+"/draft", object{"data": object{"kept": "5", "removed": "6"}})
	german := send("POST", "/models/posts/entries", object{"title": "Eintrag", "locale": "de", "translation_of": post})
	note := send("POST", "/models/notes/entries", object{"title": "Note", "status": "published"})
	code := send("POST", "/models/codes/entries?draft=true", object{"title": "Code", "data": object{"code": "x"}})
	send("PUT", "/models/posts", object{"fields": []object{text("kept"), group(text("kept"))}})
	send("PUT", "/models/notes", object{"is_active": false})
	send("PUT", "/locales/de", object{"is_active": false})
	dir := t.TempDir()
	expect(t, 0, "export", dir)
	expect(t, 0, "import", dir, "--on-conflict", "fail") // nothing differs

	c = use(t, second)
	send("POST", "/locales", object{"code": "de", "name": "Deutsch", "is_default": true})
	expect(t, 0, "import", dir)
	expect(t, 0, "import", dir, "--on-conflict", "fail")
	for at, want := range map[string]shown{
		"posts/entries/" + post: {Status: "published", Locale: "en",
			Data: object{"kept": "1", "group": object{"kept": "3"}}},
		"posts/entries/" + post + "/draft": {Status: "published", Locale: "en",
			Data: object{"kept": "5", "group": object{"kept": "3"}}},
		"posts/entries/" + german: {Status: "draft", Locale: "de", Data: object{}},
		"notes/entries/" + note:   {Status: "published", Locale: "de", Data: object{}},
		"codes/entries/" + code:   {Status: "draft", Locale: "de", Data: object{"code": "x"}},
	} {
		var got shown
		if err := c.JSON("GET", "/admin/models/"+at, nil, &got); err != nil || got.Status != want.Status ||
			got.Locale != want.Locale || !reflect.DeepEqual(got.Data, want.Data) {
			t.Errorf("%s is %+v, want %+v, %v", at, got, want, err)
		}
	}
}
