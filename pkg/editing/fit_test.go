package editing

import (
	"encoding/json"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/must"
)

// TestFit keeps of stored values what the fields of a model take, at every depth.
func TestFit(t *testing.T) {
	w := newContentWorld(t, `{"slug": "pages", "name": "Pages", "fields": [
		{"name": "lead", "type": "textarea", "max": 5}, {"name": "must", "type": "text", "required": true, "min": 9},
		{"name": "sku", "type": "text", "unique": true}, {"name": "free", "type": "json"},
		{"name": "body", "type": "richtext", "fields": [{"name": "card", "type": "group", "fields": [{"name": "to", "type": "relation", "model": "pages"}]}]},
		{"name": "more", "type": "relation", "model": "pages", "many": true},
		{"name": "parts", "type": "blocks", "fields": [{"name": "call", "type": "group", "fields": [
			{"name": "head", "type": "text"}, {"name": "n", "type": "number"}, {"name": "to", "type": "relation", "model": "pages"}]}]}]}`)
	e, err := w.CreateIncomplete(t.Context(), w.actor, "pages", w.body(`{"title": "A"}`))
	must.Do(t, err)
	const gone = "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"
	site, err := w.Store.Site(t.Context())
	must.Do(t, err)
	for stored, want := range map[string]string{
		`{"lead": "12345", "must": "short", "unknown": 1, "sku": "X", "free": [null, 1]}`: `{"free":[null,1],"lead":"12345","must":"short"}`,
		`{"lead": "123456", "must": 7}`: `{}`,
		`{"more": ["` + gone + `", "` + e.ID + `", "x", "` + gone +
			`"]}`: `{"more":["` + e.ID + `"]}`,
		`{"parts": [{"type": "old", "a": 1}, {"head": "no type"}, 5, {"type": "call", "head": "H", "n": 2.50}]}`: `{"parts":[{"head":"H","n":2.50,"type":"call"}]}`,
		`{"parts": [{"type": "call", "head": 5, "n": "two", "to": "` + gone +
			`", "x": {"y": 1}}]}`: `{"parts":[{"type":"call"}]}`,
		`{"parts": {"not": "a list"}, "free": {"a": "b"}}`: `{"free":{"a":"b"}}`,
		`{"body": "Text\n\n:::card\nto: ` + gone +
			`\n:::\n"}`: `{"body":"Text\n\n:::card\nto: ` + gone + `\n:::\n"}`,
	} {
		got, err := w.Fit(t.Context(), site, site.Models["pages"], w.body(stored))
		must.Do(t, err)
		raw, err := json.Marshal(got)
		if err != nil || string(raw) != want {
			t.Errorf("of %s stays %s (%v), not %s", stored, raw, err, want)
		}
	}
	of := *site.Models["pages"]
	of.Model = cms.Model{Fields: of.Field("parts").Fields[0].Fields}
	got, err := w.Fit(t.Context(), site, &of, w.body(`{"type": "call", "head": "H"}`))
	if err != nil || len(got) != 1 || got["head"] != "H" {
		t.Errorf("of a block stays %v, %v", got, err)
	}
}
