package markdown

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/pkg/must"
)

var body = cms.Field{Name: "body", Type: cms.TypeRichText, Fields: []cms.Field{
	{Name: "hero", Type: cms.TypeGroup, Fields: []cms.Field{
		{Name: "title", Type: cms.TypeText}, {Name: "size", Type: cms.TypeNumber},
		{Name: "wide", Type: cms.TypeBoolean}, {Name: "any", Type: cms.TypeJSON},
		{Name: "day", Type: cms.TypeDate}, {Name: "tags", Type: cms.TypeMultiSelect},
		{Name: "items", Type: cms.TypeList, Fields: []cms.Field{{Name: "n", Type: cms.TypeNumber}}},
	}},
	{Name: "note", Type: cms.TypeGroup, Fields: []cms.Field{{Name: "title", Type: cms.TypeText}}},
}}

// TestBlocks shows texts with their blocks in braces.
func TestBlocks(t *testing.T) {
	for _, want := range []string{
		"a\n{```block note\ntitle: x\n```\n}b\n",
		"{~~~~ block note\n~~~\n~~~~~\n}{```block hero\n```}",
		"  {```block note\n  title: x\n  ```\n}",
		"{```block unknown\n}",
		"> ```block note\n> ```\n",
		"- a\n\n  ```block note\n  ```\n",
		"````\n```block note\n```\n````\n",
		"<!--\n```block note\n```\n-->\n",
		"```blocks note\n```\n```block\n```\n    ```block note\n",
		"`` ```block note `` a\n{```block note\r\ntitle: x\r\n```\r\n}b",
		"[a]: /x\n'ti\n```block note\n```\ntle'\n",
	} {
		text := strings.NewReplacer("{", "", "}", "").Replace(want)
		if strings.HasPrefix(want, "  {") { // the fence may be indented: the block has the whole line
			want = "{" + strings.Replace(want, "{", "", 1)
		}
		got, at := "", 0
		for _, b := range Blocks(&body, text) {
			got += text[at:b.Start] + "{" + text[b.Start:b.End] + "}"
			at = b.End
		}
		got += text[at:]
		if strings.HasPrefix(text, "[a]: /x\n'ti") { // a fence ends the definition
			want = "[a]: /x\n'ti\n{```block note\n```\n}tle'\n"
		}
		if got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	if found := Blocks(&cms.Field{Type: cms.TypeRichText}, "```block note\n```\n"); found != nil {
		t.Error("a field without types has blocks:", found)
	}
}

func TestValues(t *testing.T) {
	for content, want := range map[string]string{
		"":                                  `{}`,
		"# only a comment":                  `{}`,
		"title: 12":                         `{"title":"12"}`,
		"title: true\nwide: true":           `{"title":"true","wide":true}`,
		"title: \"5\"\nsize: 5":             `{"size":5,"title":"5"}`,
		"size: '5'":                         `{"size":"5"}`,
		"size: 0x10":                        `{"size":"0x10"}`,
		"title:\nsize: ~\nwide: null\nx: a": `{"x":"a"}`,
		"day: 2026-01-31":                   `{"day":"2026-01-31"}`,
		"tags: [a, 1, no]":                  `{"tags":["a","1","no"]}`,
		"any: {a: [1, x, true, null, 1_0]}": `{"any":{"a":[1,"x",true,null,"1_0"]}}`,
		"items:\n- n: 1\n- n: 2.50":         `{"items":[{"n":1},{"n":2.50}]}`,
		`{"title": "a", "size": 1e3}`:       `{"size":1e3,"title":"a"}`,
		"title: |\n  two\n  lines":          `{"title":"two\nlines\n"}`,
		"other: 5":                          `{"other":"5"}`,
		"title: &a x":                       "must not hold anchors",
		"title: *a":                         "cannot be read as YAML",
		"title: &a x\nday: *a":              "must not hold anchors",
		"title: !!str x":                    "must not hold anchors",
		"title: !x y":                       "must not hold anchors",
		"<<: {title: x}":                    "must not hold anchors",
		"title: a\ntitle: b":                `has the key "title" twice`,
		"[1]: a":                            "must hold texts as keys",
		"- a":                               "must hold the names of fields",
		"title: a\n---\ntitle: b":           "more than one document",
		"title: [a":                         "cannot be read as YAML",
		"any: " + strings.Repeat("[", 60):   "cannot be read as YAML",
		"any: " + strings.Repeat("[", 60) + strings.Repeat("]", 60): "is nested too deeply",
	} {
		found := Blocks(&body, "```block hero\n"+content+"\n```\n")
		if len(found) != 1 {
			t.Fatalf("%q: %v", content, found)
		}
		if strings.HasPrefix(want, "{") {
			got, err := json.Marshal(found[0].Values)
			if err != nil || found[0].Problem != "" || string(got) != want {
				t.Errorf("%q: %s %s %v, want %s", content, got, found[0].Problem, err, want)
			}
		} else if found[0].Values != nil || !strings.Contains(found[0].Problem, want) {
			t.Errorf("%q: %q, want %q", content, found[0].Problem, want)
		}
	}
}

func TestParts(t *testing.T) {
	for text, want := range map[string]string{
		"":      `[]`,
		" \n\n": `[]`,
		"a":     `[{"text":"a","type":"text"}]`,
		"a [x] b\n\n```block note\ntitle: t\n```\n\n[X]: /x 'y'\n": `[{"text":"a [x] b\n\n[X]: /x 'y'\n","type":"text"},` +
			`{"title":"t","type":"note"}]`,
		"[x]: /x\n\n[x]\n~~~block note\n~~~\n[x] [y][x]\n> [z]: /z\n\n[z]\n": `[{"text":"[x]: /x\n\n[x]\n","type":"text"},` +
			`{"type":"note"},{"text":"[x] [y][x]\n\u003e [z]: /z\n\n[z]\n\n[x]: /x\n","type":"text"}]`,
		"***\n":      `[{"text":"***\n","type":"text"}]`,
		"<b>\n":      `[{"text":"\u003cb\u003e\n","type":"text"}]`,
		"    code\n": `[{"text":"    code\n","type":"text"}]`,
		"#\n":        `[{"text":"#\n","type":"text"}]`,
		"```\n```\n": "[{\"text\":\"```\\n```\\n\",\"type\":\"text\"}]",
		"-\n":        `[{"text":"-\n","type":"text"}]`,
		">\n":        `[{"text":"\u003e\n","type":"text"}]`,
		"<!-- a -->": `[{"text":"\u003c!-- a --\u003e","type":"text"}]`,
		"[z]\n```block note\n```\n> [z]: /z\n> 'a\n> b'\n> c\n": `[{"text":"[z]\n\n[z]: /z\n'a\nb'\n","type":"text"},` +
			`{"type":"note"},{"text":"\u003e [z]: /z\n\u003e 'a\n\u003e b'\n\u003e c\n","type":"text"}]`,
		"```block gone\na: b\n```\n": "[{\"text\":\"```block gone\\na: b\\n```\\n\",\"type\":\"text\"}]",
	} {
		got, err := json.Marshal(Parts(&body, text))
		if err != nil || string(got) != want {
			t.Errorf("%q:\ngot  %s\nwant %s", text, got, want)
		}
	}
}

func TestBlock(t *testing.T) {
	got, err := BlockHTML(map[string]any{"type": "hero", "title": `a "b" <c>`})
	want := "<div data-block=\"hero\" data-value=\"{&#34;title&#34;:&#34;a \\&#34;b\\&#34; &lt;c&gt;&#34;}\"></div>\n"
	if got != want || err != nil {
		t.Error(got, err)
	}
}

func FuzzBlocks(f *testing.F) {
	f.Add("a\n```block note\ntitle: x\n```\n[x]: /y\n")
	f.Add("~~~block hero\n{\"any\": [1]}\n")
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, b := range Blocks(&body, text) {
			if b.Start < end || b.End <= b.Start || b.End > len(text) {
				t.Fatalf("%q has the block %v after %d", text, b, end)
			}
			end = b.End
		}
		Parts(&body, text)
	})
}

// TestWriteBlock writes blocks: as plain as they read back, and readable in any case.
func TestWriteBlock(t *testing.T) {
	hero := cms.FieldNamed(body.Fields, "hero")
	for want, values := range map[string]map[string]any{
		"```block hero\n```\n": {"title": nil},
		"```block hero\ntitle: Two words\nsize: 5\nwide: false\nday: 2026-01-31\ntags: [\"a\",\"1\"]\n```\n": {
			"title": "Two words", "size": json.Number("5"), "wide": false, "day": "2026-01-31", "tags": []any{"a", "1"}},
		"```block hero\ntitle: 5\nitems: [{\"n\":1},{}]\n```\n": {"title": "5", "items": []any{
			map[string]any{"n": json.Number("1")}, map[string]any{"n": nil}}},
		"```block hero\ntitle: |-\n  One: two\n\n  # three\n```\n": {"title": "One: two\n\n# three"},
		"````block hero\ntitle: |-\n  a\n  ```\n  b\n````\n":       {"title": "a\n```\nb"},
		"```block hero\ntitle: |-\n  null\n```\n":                  {"title": "null"},
		"```block hero\ntitle: |-\n  &a: [b\n```\n":                {"title": "&a: [b"},
		"```block hero\ntitle: \" a\\n\\u0001\\\"\"\n```\n":        {"title": " a\n\x01\""},
		"```block hero\nany: {\"a\":[1,null,\"x\"],\"b\":{}}\n```\n": {
			"any": map[string]any{"a": []any{json.Number("1"), nil, "x"}, "b": map[string]any{}}},
		"```block hero\ntitle: \"ends with a line\\n\"\nsize: 1\n```\n": {
			"title": "ends with a line\n", "size": json.Number("1")},
	} {
		got, err := WriteBlock(hero, values)
		if got != want || err != nil {
			t.Errorf("got  %q %v\nwant %q", got, err, want)
		}
		if found := Blocks(&body, "a\n\n"+got+"b"); len(found) != 1 || found[0].Problem != "" {
			t.Errorf("%q reads as %v", got, found)
		}
	}
}

func FuzzWriteBlock(f *testing.F) {
	f.Add("a: b\n```\n# c")
	hero := cms.FieldNamed(body.Fields, "hero")
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			t.Skip()
		}
		written, err := WriteBlock(hero, map[string]any{"title": text})
		must.Do(t, err)
		if found := Blocks(&body, written); len(found) != 1 || found[0].Values["title"] != text {
			t.Errorf("%q is written as %q", text, written)
		}
	})
}
