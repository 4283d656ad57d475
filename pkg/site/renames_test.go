package site

import (
	"encoding/json"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/must"
)

// TestMoveRenamed moves values of fields in groups, lists and blocks, and back.
func TestMoveRenamed(t *testing.T) {
	text := func(name string) cms.Field { return cms.Field{Name: name, Type: cms.TypeText} }
	group := func(name string, fields ...cms.Field) cms.Field {
		return cms.Field{Name: name, Type: cms.TypeGroup, Fields: fields}
	}
	m := &Model{Model: cms.Model{Fields: []cms.Field{
		group("place", text("city")),
		{Name: "steps", Type: cms.TypeList, Fields: []cms.Field{text("label")}},
		{Name: "parts", Type: cms.TypeBlocks, Fields: []cms.Field{group("banner", text("head")),
			group("quote", text("said"))}},
	}}}
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
		moved := m.MoveRenamed(data, row.renames)
		if got := encoded(); got != row.now || moved != (row.was != row.now) {
			t.Errorf("%s became %s, %t; want %s", row.was, got, moved, row.now)
		}
		if m.MoveRenamed(data, row.renames) {
			t.Errorf("%s moves twice", row.was)
		}
		if renameBack(data, row.renames); !row.oneWay && encoded() != row.was {
			t.Errorf("%s came back as %s", row.was, encoded())
		}
	}
}

// TestRenameBlock renames in a block that is stored outside its entry, and on the path to it.
func TestRenameBlock(t *testing.T) {
	head := cms.Field{Name: "head", Type: cms.TypeText}
	m := &Model{Model: cms.Model{Fields: []cms.Field{{Name: "parts", Type: cms.TypeBlocks, Fields: []cms.Field{
		{Name: "banner", Type: cms.TypeGroup, Fields: []cms.Field{head}}}}}},
		Renames: []Rename{{From: "old.[hero].title", To: "head"}, {From: "old.[hero].gone"},
			{From: "old.[hero]", To: "banner"},
			{From: "old.[video]"}, {From: "old", To: "parts"}}}
	for was, want := range map[string]string{"old.hero": "parts.banner", "parts.banner": "parts.banner",
		"old.heroes": "parts.heroes", "old.video": "parts.video", "older.hero": "older.hero"} {
		values := map[string]any{"title": "T", "gone": 1}
		path := m.RenameBlock(was, values)
		moved := values["head"] == "T" && len(values) == 1
		if path != want || moved != (was == "old.hero") {
			t.Errorf("%s became %s with %v, want %s", was, path, values, want)
		}
	}
}
