package refs

import (
	"fmt"
	"strings"
	"testing"

	"headless/pkg/cms"
)

func TestMentions(t *testing.T) {
	id := func(n int) string { return fmt.Sprintf("018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e%02d", n) }
	m := &cms.Model{Fields: []cms.Field{
		{Name: "cover", Type: cms.TypeMedia}, {Name: "body", Type: cms.TypeTextarea},
		{Name: "box", Type: cms.TypeJSON},
		{Name: "steps", Type: cms.TypeList, Fields: []cms.Field{{Name: "photo", Type: cms.TypeMedia},
			{Name: "others", Type: cms.TypeRelation, Model: "x", Many: true}}},
	}}
	e := &cms.Entry{ID: id(9), Title: "see /media/" + id(1), Data: map[string]any{
		"cover": strings.ToUpper(id(2)), "body": "![](https://x/media/" + id(3) +
			"?w=400) /media/" + id(3) + " /media/nothing " + id(4),
		"box": map[string]any{"deep": []any{"/media/" + id(5) + "/name.png"}}, "gone": "/media/" + id(6),
		"steps": []any{map[string]any{"photo": id(2), "others": []any{id(7)}}},
	}, SEO: cms.SEO{Description: "/media/" + id(8)}}
	var got []string
	for _, p := range Of(m, e) {
		got = append(got, p.Path+"="+p.ID[34:])
	}
	want := "data.cover=02 data.steps.0.photo=02 data.steps.0.others.0=07 title=01 data.body=03 data.box.deep.0=05 " +
		"seo.description=08"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	if targets := TargetsOf(e); len(targets) != 7 || !targets[id(2)] || !targets[id(6)] {
		t.Error(targets)
	}
	v := cms.Setting{Group: "site", Key: "logo", Value: id(1),
		Translations: map[string]string{"de": "http://x/media/" + id(2)}}
	if p := OfSetting(v); len(p) != 2 || p[0] != (Mention{"site.logo", id(1)}) ||
		p[1] != (Mention{"site.logo.translations.de", id(2)}) {
		t.Error(p)
	}
}

func TestMentionsInTexts(t *testing.T) {
	const entry, file = "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f", "018f3f6e-3f0c-7b5a-9c3e-000000000001"
	text := "[a](cms://entry/" + entry + "#x) [b](cms://entry/" + entry + ") ![](cms://media/" + file + ")"
	m := &cms.Model{Fields: []cms.Field{
		{Name: "body", Type: cms.TypeRichText}, {Name: "plain", Type: cms.TypeText},
		{Name: "steps", Type: cms.TypeList, Fields: []cms.Field{{Name: "body", Type: cms.TypeRichText}}},
	}}
	e := &cms.Entry{Data: map[string]any{"body": text + " `[a](cms://entry/" + file + ")`", "plain": text,
		"steps": []any{map[string]any{}, map[string]any{"body": text}}}}
	var got []string
	for _, p := range Of(m, e) {
		got = append(got, p.Path+"="+p.ID[34:])
	}
	want := "data.body=3f data.body=01 data.steps.1.body=3f data.steps.1.body=01"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	if targets := TargetsOf(e); !targets[entry] || !targets[file] {
		t.Error(targets)
	}
	if paths := RequiredPathsTo(m, e, file); len(paths) > 0 {
		t.Error(paths)
	}
	const to = "018f3f6e-3f0c-7b5a-9c3e-000000000002"
	replaced, changed := Replace(m, e, file, to, "")
	if want := strings.Replace(text, file, to, 1); !changed || replaced.Data["plain"] != text ||
		replaced.Data["steps"].([]any)[1].(map[string]any)["body"] != want ||
		replaced.Data["body"] != want+" `[a](cms://entry/"+file+")`" {
		t.Error(replaced.Data)
	}
	if e.Data["body"] == replaced.Data["body"] {
		t.Error("the entry itself was changed")
	}
}
