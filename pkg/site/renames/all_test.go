package renames

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/markdown"
	"headless/pkg/must"
)

// node is a field that keeps its id, whatever its name is.
type node struct {
	id, name string
	kind     cms.FieldType
	inner    []*node
}

// named is a tree of fields that changes at random.
type named struct {
	random  *rand.Rand
	made    int
	renames []Rename
}

// add appends a field with inner ones to a level.
func (n *named) add(level []*node, kind cms.FieldType) []*node {
	n.made++
	f := &node{id: fmt.Sprint("id", n.made), name: n.unused(level), kind: kind}
	switch kind {
	case cms.TypeGroup:
		f.inner = n.add(n.add(nil, cms.TypeText), cms.TypeText)
	case cms.TypeBlocks, cms.TypeRichText:
		f.inner = n.add(n.add(nil, cms.TypeGroup), cms.TypeGroup)
	}
	return append(level, f)
}

// unused returns one of few names that a level does not have.
func (n *named) unused(level []*node) string {
	for {
		name := fmt.Sprint("n", n.random.IntN(len(level)+2))
		if !slices.ContainsFunc(level, func(f *node) bool { return f.name == name }) {
			return name
		}
	}
}

// change renames, removes or adds a field at some depth.
func (n *named) change(level []*node, path string, gen int, types bool) []*node {
	if len(level) == 0 {
		return n.add(level, cms.TypeText)
	}
	i := n.random.IntN(len(level))
	f, step := level[i], level[i].name
	if types {
		step = blockStep(step)
	}
	switch {
	case len(f.inner) > 0 && n.random.IntN(2) == 0:
		f.inner = n.change(f.inner, path+step+".", gen, f.kind != cms.TypeGroup)
	case n.random.IntN(4) == 0:
		n.renames = append(n.renames, Rename{From: path + step, Gen: gen})
		return slices.Delete(slices.Clone(level), i, i+1)
	case n.random.IntN(4) == 0:
		kinds := []cms.FieldType{cms.TypeText, cms.TypeGroup}
		if path == "" {
			kinds = append(kinds, cms.TypeBlocks, cms.TypeRichText)
		}
		if types {
			kinds = kinds[1:]
		}
		return n.add(level, kinds[n.random.IntN(len(kinds))])
	default:
		to := n.unused(level)
		n.renames = append(n.renames, Rename{From: path + step, To: to, Gen: gen})
		f.name = to
	}
	return level
}

func definitions(level []*node) (fields []cms.Field) {
	for _, f := range level {
		fields = append(fields, cms.Field{Name: f.name, Type: f.kind, Fields: definitions(f.inner)})
	}
	return fields
}

// values returns data with the fields that an entry has, under their names.
func values(t *testing.T, level []*node, has map[string]bool) map[string]any {
	data := map[string]any{}
	for _, f := range level {
		if !has[f.id] {
			continue
		}
		switch f.kind {
		case cms.TypeText:
			data[f.name] = f.id
		case cms.TypeGroup:
			data[f.name] = values(t, f.inner, has)
		default:
			items, text := []any{}, ""
			for _, kind := range f.inner {
				if !has[kind.id] {
					continue
				}
				item := values(t, []*node{kind}, has)[kind.name].(map[string]any)
				item["type"] = kind.name
				def := definitions([]*node{kind})[0]
				block, err := markdown.WriteBlock(&def, item)
				must.Do(t, err)
				items, text = append(items, item), text+block
			}
			if data[f.name] = items; f.kind == cms.TypeRichText {
				data[f.name] = text
			}
		}
	}
	return data
}

// parsed returns data with the blocks of its texts in place of the texts.
func parsed(t *testing.T, fields []cms.Field, data map[string]any) string {
	for i, f := range fields {
		if text, ok := data[f.Name].(string); ok && f.Type == cms.TypeRichText {
			parts := []any{}
			for _, b := range markdown.Blocks(&fields[i], text) {
				parts = append(parts, markdown.Part(b))
			}
			data[f.Name] = parts
		}
	}
	raw, err := json.Marshal(data)
	must.Do(t, err)
	return string(raw)
}

func (n *named) ids(level []*node, into map[string]bool) map[string]bool {
	for _, f := range level {
		into[f.id] = true
		n.ids(f.inner, into)
	}
	return into
}

// TestMoveAll changes a model at random, with few names that fields get again, and brings data of each generation to
// the present names.
func TestMoveAll(t *testing.T) {
	for seed := range uint64(300) {
		n := named{random: rand.New(rand.NewPCG(seed, 1))}
		var tree []*node
		for _, kind := range []cms.FieldType{cms.TypeText, cms.TypeText, cms.TypeGroup, cms.TypeBlocks, cms.TypeRichText} {
			tree = n.add(tree, kind)
		}
		type row struct {
			gen  int
			data string
			has  map[string]bool
		}
		var rows []row
		for gen := 1; gen < 12; gen++ {
			has := n.ids(tree, map[string]bool{})
			raw, err := json.Marshal(values(t, tree, has))
			must.Do(t, err)
			rows = append(rows, row{gen, string(raw), has})
			tree = n.change(tree, "", gen+1, false)
		}
		fields := definitions(tree)
		for _, r := range rows {
			var data map[string]any
			must.Do(t, json.Unmarshal([]byte(r.data), &data))
			since := slices.DeleteFunc(slices.Clone(n.renames), func(rename Rename) bool { return rename.Gen <= r.gen })
			Move(fields, data, since, true)
			got, want := parsed(t, fields, data), parsed(t, fields, values(t, tree, r.has))
			if got != want {
				t.Fatalf("seed %d, generation %d, %v:\n%s became\n%s, want\n%s", seed, r.gen, since, r.data,
					strings.ReplaceAll(got, "`", "'"), want)
			}
		}
	}
}

// TestMoveAllTypes renames in blocks of texts where a later field of a former name has another type, and drops the
// blocks of the only type of a text.
func TestMoveAllTypes(t *testing.T) {
	text := func(name string) cms.Field { return cms.Field{Name: name, Type: cms.TypeText} }
	field := func(name string, kind cms.FieldType, inner ...cms.Field) cms.Field {
		return cms.Field{Name: name, Type: kind, Fields: inner}
	}
	quote := func(inner ...cms.Field) cms.Field { return field("quote", cms.TypeGroup, inner...) }
	block := func(content string) string { return "```block quote\n" + content + "\n```\n" }
	for name, row := range map[string]struct {
		fields  []cms.Field
		renames []Rename
		field   string
		want    string
	}{
		"another field has the name": {[]cms.Field{field("c", cms.TypeRichText, quote(text("y"), text("f"))),
			field("a", cms.TypeRichText, quote(field("x", cms.TypeGroup, text("z"))))},
			[]Rename{{From: "a.[quote].x", To: "y"}, {From: "a", To: "c"}}, "c", block("y: v\nf: w")},
		"after a removal": {[]cms.Field{field("a", cms.TypeRichText, quote(text("y"), field("f", cms.TypeGroup, text("z"))))},
			[]Rename{{From: "a.[quote].x", To: "y"}, {From: "a.[quote].f"}}, "a", block("y: v")},
		"of the only type": {[]cms.Field{field("a", cms.TypeRichText)}, []Rename{{From: "a.[quote]"}}, "a", ""},
	} {
		data := map[string]any{"a": block("x: v\nf: w")}
		if Move(row.fields, data, row.renames, true); data[row.field] != row.want || len(data) != 1 {
			t.Errorf("%s: %q", name, data)
		}
	}
}
