package refs

import (
	"reflect"
	"testing"

	"headless/pkg/cms"
)

func TestReplaceTarget(t *testing.T) {
	const from, to, other = "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f",
		"018f3f6e-3f0c-7b5a-9c3e-000000000001", "018f3f6e-3f0c-7b5a-9c3e-000000000002"
	m := &cms.Model{Fields: []cms.Field{
		{Name: "photo", Type: cms.TypeMedia}, {Name: "photos", Type: cms.TypeMedia, Many: true},
		{Name: "body", Type: cms.TypeRichText},
		{Name: "steps", Type: cms.TypeList, Fields: []cms.Field{{Name: "photo", Type: cms.TypeMedia}}},
		{Name: "plain", Type: cms.TypeText},
	}}
	e := &cms.Entry{Title: "See /media/" + from + "/x.jpg", Data: map[string]any{
		"photo": "018F3F6E-3f0c-7b5a-9c3e-0a4b6c1d2e3f", "photos": []any{other, from}, "plain": from,
		"body":  "<img src=/media/" + from + "?w=1> /media/" + other + " /media/" + from,
		"steps": []any{map[string]any{"photo": other}, map[string]any{"photo": from}},
	}}
	got, changed := Replace(m, e, from, to, "")
	want := map[string]any{
		"photo": to, "photos": []any{other, to}, "plain": from, "body": "<img src=/media/" + to +
			"?w=1> /media/" + other + " /media/" + to,
		"steps": []any{map[string]any{"photo": other}, map[string]any{"photo": to}},
	}
	if !changed || got.Title != "See /media/"+to+"/x.jpg" || !reflect.DeepEqual(got.Data, want) {
		t.Errorf("changed %t, %q, %v", changed, got.Title, got.Data)
	}
	for _, p := range Of(m, got) {
		if p.ID == from {
			t.Errorf("%s still leads to it", p.Path)
		}
	}
	if e.Data["photos"].([]any)[1] != from {
		t.Error("the entry itself was changed")
	}
	if _, changed := Replace(m, got, from, to, ""); changed {
		t.Error("changed twice")
	}
	title := "/media/" + from
	patch := cms.EntryPatch{Title: &title, Data: map[string]any{"photo": from}}
	p, changed := Retarget(from, to, "").Patch(m, patch)
	if !changed || *p.Title != "/media/"+to || p.SEOTitle != nil || p.Data["photo"] != to ||
		title != "/media/"+from {
		t.Errorf("the draft is %v", p)
	}
	v, changed := ReplaceInSetting(cms.Setting{Value: from,
		Translations: map[string]string{"de": "a /media/" +
			from}}, from, to)
	if !changed || v.Value != to || v.Translations["de"] != "a /media/"+to {
		t.Errorf("the setting is %v", v)
	}
}

// TestReplaceEntry replaces an entry in relations to one and to several models, and in links of texts.
func TestReplaceEntry(t *testing.T) {
	const from, to = "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f", "018f3f6e-3f0c-7b5a-9c3e-000000000001"
	m := &cms.Model{Fields: []cms.Field{
		{Name: "one", Type: cms.TypeRelation, Model: "pages"},
		{Name: "several", Type: cms.TypeRelation, Models: []string{"pages", "posts"}, Many: true},
		{Name: "body", Type: cms.TypeRichText},
	}}
	e := &cms.Entry{Data: map[string]any{"one": from, "several": []any{map[string]any{"model": "pages", "id": from}},
		"body": "See [it](cms://entry/" + from + "#oil), not " + from + "."}}
	got, changed := Replace(m, e, from, to, "posts")
	want := map[string]any{"one": to, "several": []any{map[string]any{"model": "posts", "id": to}},
		"body": "See [it](cms://entry/" + to + "#oil), not " + from + "."}
	if !changed || !reflect.DeepEqual(got.Data, want) {
		t.Errorf("changed %t, %v", changed, got.Data)
	}
}

// TestReplaceListed replaces a target in lists that have the new one already: no list may have one twice.
func TestReplaceListed(t *testing.T) {
	const from, to, other = "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f",
		"018f3f6e-3f0c-7b5a-9c3e-000000000001", "018f3f6e-3f0c-7b5a-9c3e-000000000002"
	m := &cms.Model{Fields: []cms.Field{
		{Name: "pages", Type: cms.TypeRelation, Models: []string{"pages", "posts"}, Many: true},
		{Name: "steps", Type: cms.TypeList, Fields: []cms.Field{
			{Name: "photos", Type: cms.TypeMedia, Many: true}}},
	}}
	page := func(id string) any { return map[string]any{"model": "pages", "id": id} }
	photos := func(ids ...any) any { return map[string]any{"photos": ids} }
	e := &cms.Entry{Data: map[string]any{"pages": []any{page(to), page(from)},
		"steps": []any{photos(from, other, to), photos(other, from), photos(from)}}}
	got, changed := Replace(m, e, from, to, "pages")
	want := map[string]any{"pages": []any{page(to)},
		"steps": []any{photos(other, to), photos(other, to), photos(to)}}
	if !changed || !reflect.DeepEqual(got.Data, want) {
		t.Errorf("changed %t, %v", changed, got.Data)
	}
	if e.Data["pages"].([]any)[1] == nil {
		t.Error("the entry itself was changed")
	}
}
