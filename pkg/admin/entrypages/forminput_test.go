package entrypages

import (
	"encoding/json"
	"net/url"
	"reflect"
	"testing"

	"headless/pkg/admin/entryforms"
	"headless/pkg/cms"
	"headless/pkg/input"
)

func TestFormTree(t *testing.T) {
	text := []cms.Field{{Name: "what", Type: cms.TypeText}, {Name: "done", Type: cms.TypeBoolean},
		{Name: "n", Type: cms.TypeNumber}}
	list := cms.Field{Name: "steps", Type: cms.TypeList, Fields: text}
	blocks := cms.Field{Name: "parts", Type: cms.TypeBlocks,
		Fields: []cms.Field{{Name: "quote", Type: cms.TypeGroup, Fields: text},
			{Name: "rule", Type: cms.TypeGroup}}}
	group := cms.Field{Name: "place", Type: cms.TypeGroup,
		Fields: []cms.Field{{Name: "inner", Type: cms.TypeList, Fields: text}}}
	for name, c := range map[string]struct {
		field cms.Field
		form  url.Values
		want  any
	}{
		"an empty row is left out": {list,
			url.Values{"steps.0.what": {"a"}, "steps.0.done": {"false", "true"},
				"steps.1.what": {""}, "steps.1.done": {"false"}},
			[]any{map[string]any{"what": "a", "done": true}}},
		"rows in the order of their numbers": {list,
			url.Values{"steps.10.what": {"b"}, "steps.9.what": {"a"}, "steps.x.what": {"c"}},
			[]any{map[string]any{"what": "a"}, map[string]any{"what": "b"}}},
		"no rows are left": {list, url.Values{"steps._rows": {""}}, nil},
		"a number": {list, url.Values{"steps._rows": {""}, "steps.1.n": {" 4 "}},
			[]any{map[string]any{"n": json.Number("4")}}},
		"no rows are null": {list, url.Values{"steps.0.what": {""}}, nil},
		"blocks": {blocks, url.Values{"parts.0.type": {"quote"}, "parts.0.what": {"a"},
			"parts.1.type": {"rule"}, "parts.2.type": {""}},
			[]any{map[string]any{"type": "quote", "what": "a"}, map[string]any{"type": "rule"}}},
		"a list in a group": {group, url.Values{"place.inner.0.what": {"a"}},
			map[string]any{"inner": []any{map[string]any{"what": "a"}}}},
		"json": {list, url.Values{"steps": {`[{"what": "a"}]`}},
			[]any{map[string]any{"what": "a"}}},
	} {
		t.Run(name, func(t *testing.T) {
			p := cms.Problems{}
			got := entryforms.FormReader{Problems: p}.Data(&c.field,
				input.FromForm(c.form)[c.field.Name], "data")
			if !reflect.DeepEqual(got, c.want) || len(p) > 0 {
				t.Errorf("got %#v, problems %v", got, p)
			}
		})
	}
}

func TestFormTreeBrokenJSON(t *testing.T) {
	f := cms.Field{Name: "steps", Type: cms.TypeList,
		Fields: []cms.Field{{Name: "extra", Type: cms.TypeJSON}}}
	p := cms.Problems{}
	posted := input.FromForm(url.Values{"steps.3.extra": {"{"}})["steps"]
	got := entryforms.FormReader{Problems: p}.Data(&f, posted, "data.steps")
	if len(p["data.steps.0.extra"]) != 1 {
		t.Errorf("problems %v", p)
	}
	if text, err := entryforms.FieldText(f.Fields[0], got.([]any)[0].(map[string]any)["extra"]); text != "{" ||
		err != nil {
		t.Errorf("shown again as %q", text)
	}
}
