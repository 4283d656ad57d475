package renames

import (
	"encoding/json"
	"slices"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/must"
)

// TestMove moves values of fields in groups, lists and blocks, and back.
func TestMove(t *testing.T) {
	text := func(name string) cms.Field { return cms.Field{Name: name, Type: cms.TypeText} }
	group := func(name string, fields ...cms.Field) cms.Field {
		return cms.Field{Name: name, Type: cms.TypeGroup, Fields: fields}
	}
	fields := []cms.Field{
		group("place", text("city")),
		{Name: "steps", Type: cms.TypeList, Fields: []cms.Field{text("label")}},
		{Name: "parts", Type: cms.TypeBlocks, Fields: []cms.Field{group("banner", text("head")),
			group("quote", text("said"))}},
	}
	renames := []Rename{
		{From: "address.town", To: "city"}, {From: "address", To: "place"}, {From: "steps.name", To: "label"},
		{From: "parts.[hero].title", To: "head"}, {From: "parts.[hero]", To: "banner"},
	}
	removed := []Rename{{From: "gone"}, {From: "place.zip"}, {From: "parts.[video]"},
		{From: "parts.[quote].by"}, {From: "steps.label"}}
	for _, row := range []struct {
		renames  []Rename
		was, now string
		oneWay   bool
	}{
		{renames,
			`{"address":{"town":"A"},"parts":[{"title":"T","type":"hero"},{"said":"S","type":"quote"}],"steps":[{"name":"1"},{}]}`,
			`{"parts":[{"head":"T","type":"banner"},{"said":"S","type":"quote"}],"place":{"city":"A"},"steps":[{"label":"1"},{}]}`,
			false},
		{renames, `{"address":null,"parts":null,"steps":"x"}`,
			`{"parts":null,"place":null,"steps":"x"}`, false},
		{renames, `{}`, `{}`, false},
		{removed,
			`{"gone":1,"parts":[{"type":"video"},{"by":"B","said":"S","type":"quote"}],"place":{"city":"A","zip":1},"steps":[{"label":"1"}]}`,
			`{"parts":[{"said":"S","type":"quote"}],"place":{"city":"A"},"steps":[{"label":"1"}]}`, true},
	} {
		var data map[string]any
		must.Do(t, json.Unmarshal([]byte(row.was), &data))
		encoded := func() string {
			raw, err := json.Marshal(data)
			must.Do(t, err)
			return string(raw)
		}
		moved := Move(fields, data, row.renames, false)
		if got := encoded(); got != row.now || moved != (row.was != row.now) {
			t.Errorf("%s became %s, %t; want %s", row.was, got, moved, row.now)
		}
		if Move(fields, data, row.renames, false) {
			t.Errorf("%s moves twice", row.was)
		}
		if MoveBack(fields, data, row.renames); !row.oneWay && encoded() != row.was {
			t.Errorf("%s came back as %s", row.was, encoded())
		}
	}
}

// TestMoveThere moves values of fields that got a name and later their former one again. A later field of a former name
// keeps its values.
func TestMoveThere(t *testing.T) {
	by := cms.Field{Name: "by", Type: cms.TypeRelation, Models: []string{"people", "posts"}}
	text := cms.Field{Name: "text", Type: cms.TypeText}
	fields := []cms.Field{{Name: "parts", Type: cms.TypeBlocks, Fields: []cms.Field{
		{Name: "quote", Type: cms.TypeGroup, Fields: []cms.Field{by, text}}}}, by}
	fields = append(fields, cms.Field{Name: "body", Type: cms.TypeRichText, Fields: fields[0].Fields})
	slugs := func(from, to string) map[string]string { return map[string]string{from: to} }
	there := []Rename{{From: "parts.[quote].by", To: "by", Models: slugs("people", "users")}, {From: "parts", To: "rows"}}
	back := []Rename{{From: "rows.[quote].said", To: "text"}, {From: "rows.[quote].gone"},
		{From: "rows.[quote].by", To: "by", Models: slugs("users", "people")}, {From: "rows", To: "parts"}}
	quote := func(values string) string { return `{"parts":[{` + values + `,"type":"quote"}]}` }
	person := `"by":{"id":"1","model":"people"}`
	for _, row := range []struct {
		renames  []Rename
		was, now string
	}{
		{slices.Concat(there, back), quote(person + `,"said":"S"`), quote(person + `,"text":"S"`)},
		{slices.Concat(there, back), quote(person + `,"text":"S"`), quote(person + `,"text":"S"`)},
		{slices.Concat(there, back), quote(`"gone":1,"text":"S"`), quote(`"text":"S"`)},
		{append(slices.Clone(there), Rename{From: "rows.[quote].text"}, Rename{From: "rows", To: "parts"}),
			quote(`"text":"later"`), quote(`"text":"later"`)},
		{[]Rename{{From: "body.[quote].text", To: "said"}, {From: "body.[quote]", To: "says"}, {From: "body", To: "long"},
			{From: "long.[says].said", To: "text"}, {From: "long.[says]", To: "quote"}, {From: "long", To: "body"}},
			`{"body":"` + "```block quote\\ntext: a\\n```\\n" + `"}`, `{"body":"` + "```block quote\\ntext: a\\n```\\n" + `"}`},
		{[]Rename{{From: "by", To: "for", Models: slugs("people", "users")}, {From: "for"}}, `{` + person + `}`,
			`{` + person + `}`},
		{[]Rename{{From: "by", To: "for", Models: slugs("people", "users")},
			{From: "for", To: "by", Models: slugs("users", "people")}}, `{` + person + `}`, `{` + person + `}`},
	} {
		var data map[string]any
		must.Do(t, json.Unmarshal([]byte(row.was), &data))
		Move(fields, data, row.renames, false)
		if got, err := json.Marshal(data); err != nil || string(got) != row.now {
			t.Errorf("%s became %s (%v), want %s", row.was, got, err, row.now)
		}
	}
}

// TestMoveBlock renames in a block that is stored outside its entry, and on the path to it.
func TestMoveBlock(t *testing.T) {
	fields := []cms.Field{{Name: "parts", Type: cms.TypeBlocks, Fields: []cms.Field{
		{Name: "banner", Type: cms.TypeGroup, Fields: []cms.Field{{Name: "head", Type: cms.TypeText}}}}}}
	renames := []Rename{{From: "old.[hero].title", To: "head"}, {From: "old.[hero].gone"},
		{From: "old.[hero]", To: "banner"}, {From: "old.[video]"}, {From: "old", To: "parts"}}
	for was, want := range map[string]string{"old.hero": "parts.banner", "parts.banner": "parts.banner",
		"old.heroes": "parts.heroes", "old.video": "parts.video", "older.hero": "older.hero"} {
		values := map[string]any{"title": "T", "gone": 1}
		path := MoveBlock(fields, was, values, renames, false)
		moved := values["head"] == "T" && len(values) == 1
		if path != want || moved != (was == "old.hero") {
			t.Errorf("%s became %s with %v, want %s", was, path, values, want)
		}
	}
}

// TestMoveInText renames a type of block and its fields by two changes, and leaves unreadable blocks as they are.
func TestMoveInText(t *testing.T) {
	fields := []cms.Field{{Name: "body", Type: cms.TypeRichText, Fields: []cms.Field{{Name: "picture", Type: cms.TypeGroup,
		Fields: []cms.Field{{Name: "legend", Type: cms.TypeText}, {Name: "size", Type: cms.TypeNumber}}}}}}
	renames := []Rename{{From: "text.[figure].caption", To: "title"}, {From: "text.[figure]", To: "picture"},
		{From: "text.[picture].title", To: "legend"}, {From: "text.[video]"}, {From: "text.[old]", To: "older"},
		{From: "text.[older]"}, {From: "text", To: "body"}}
	block := func(kind, content string) string { return "```block " + kind + "\n" + content + "\n```\n" }
	for was, want := range map[string]string{
		block("figure", "caption: a\nsize: 3"):                 block("picture", "legend: a\nsize: 3"),
		block("figure", "caption: \"1\""):                      block("picture", "legend: 1"),
		"A\n" + block("video", "url: x") + "B\n":               "A\nB\n",
		block("old", "x: 1") + "B":                             "B",
		block("figure", "caption: [unclosed"):                  block("figure", "caption: [unclosed"),
		"````\n" + block("figure", "caption: a") + "````\n":    "````\n" + block("figure", "caption: a") + "````\n",
		"figure caption video":                                 "figure caption video",
		block("figure", "caption: a") + block("other", "b: 1"): block("picture", "legend: a") + block("other", "b: 1"),
	} {
		data := map[string]any{"text": was}
		if Move(fields, data, renames, false); data["body"] != want {
			t.Errorf("%q became %q, want %q", was, data["body"], want)
		}
	}
	data := map[string]any{"text": block("figure", "caption: a\nsize: 3")}
	Move(fields, data, renames, false)
	if MoveBack(fields, data, renames); data["text"] != block("figure", "size: 3\ncaption: a") {
		t.Errorf("back: %q", data["text"])
	}
}
