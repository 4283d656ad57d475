package refs

import (
	"reflect"
	"testing"

	"headless/pkg/cms"
)

// TestWording replaces a name in all that people write, and nowhere else.
func TestWording(t *testing.T) {
	callout := cms.Field{Name: "callout", Fields: []cms.Field{{Name: "text", Type: cms.TypeText},
		{Name: "kind", Type: cms.TypeSelect, Options: []string{"Acme", "Other"}}}}
	m := &cms.Model{Fields: []cms.Field{
		{Name: "line", Type: cms.TypeText}, {Name: "long", Type: cms.TypeTextarea},
		{Name: "body", Type: cms.TypeRichText, Fields: []cms.Field{callout}},
		{Name: "site", Type: cms.TypeURL}, {Name: "kind", Type: cms.TypeSelect, Options: []string{"Acme"}},
		{Name: "steps", Type: cms.TypeList, Fields: []cms.Field{{Name: "text", Type: cms.TypeText}}},
	}}
	const note = "```block callout\ntext: By Acme\nkind: Other\n```\n"
	const fixed = "```block callout\ntext: By Acme\nkind: Acme\n```\n"
	e := &cms.Entry{Title: "Acme", Slug: "Acme", SEO: cms.SEO{Title: "Acme!"}, Data: map[string]any{
		"line": "acme AcmeAcme", "long": "Acme: https://x.example/Acme, Acme", "site": "https://x.example/Acme",
		"kind": "Acme", "steps": []any{map[string]any{"text": "an Acme"}, map[string]any{"text": "none"}},
		"body": "# Acme\n\n[Acme](/Acme) <https://x.example/Acme>\n\n" + note + "\n" + fixed + "\nAcme",
	}}
	count := 0
	w := Wording{Find: "Acme", Replace: "Beta", Changed: func(string, string) { count++ }}
	got, differs := w.Edit(m, e)
	want := map[string]any{
		"line": "acme BetaBeta", "long": "Beta: https://x.example/Acme, Beta", "site": "https://x.example/Acme",
		"kind": "Acme", "steps": []any{map[string]any{"text": "an Beta"}, map[string]any{"text": "none"}},
		"body": "# Beta\n\n[Beta](/Acme) <https://x.example/Acme>\n\n```block callout\ntext: By Beta\nkind: Other\n```\n" +
			"\n" + fixed + "\nBeta",
	}
	if !differs || got.Title != "Beta" || got.Slug != "Acme" || got.SEO.Title != "Beta!" || count != 6 {
		t.Errorf("differs %t, %d texts, title %q, slug %q, seo %q", differs, count, got.Title, got.Slug, got.SEO.Title)
	}
	for name, v := range want {
		if !reflect.DeepEqual(got.Data[name], v) {
			t.Errorf("%s: %q", name, got.Data[name])
		}
	}
	if e.Data["line"] != "acme AcmeAcme" || e.Title != "Acme" {
		t.Error("the entry itself was changed")
	}
	if _, differs := (Wording{Find: "nowhere", Replace: "x"}).Edit(m, e); differs {
		t.Error("it differs without the text")
	}
	title := "Acme"
	p, differs := Edit(w.Edit).Patch(m, cms.EntryPatch{Title: &title})
	if !differs || *p.Title != "Beta" || title != "Acme" || p.Data != nil {
		t.Errorf("the draft is %v", p)
	}
}
