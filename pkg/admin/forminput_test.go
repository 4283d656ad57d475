package admin

import (
	"encoding/json"
	"net/url"
	"reflect"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/service"
)

func TestFormTree(t *testing.T) {
	text := []cms.Field{{Name: "what", Type: cms.TypeText}, {Name: "done", Type: cms.TypeBoolean}, {Name: "n", Type: cms.TypeNumber}}
	list := cms.Field{Name: "steps", Type: cms.TypeList, Fields: text}
	blocks := cms.Field{Name: "parts", Type: cms.TypeBlocks, Fields: []cms.Field{{Name: "quote", Type: cms.TypeGroup, Fields: text}, {Name: "rule", Type: cms.TypeGroup}}}
	group := cms.Field{Name: "place", Type: cms.TypeGroup, Fields: []cms.Field{{Name: "inner", Type: cms.TypeList, Fields: text}}}
	for name, c := range map[string]struct {
		field cms.Field
		form  url.Values
		want  any
	}{
		"an empty row is left out": {list, url.Values{"steps.0.what": {"a"}, "steps.0.done": {"false", "true"}, "steps.1.what": {""}, "steps.1.done": {"false"}},
			[]any{map[string]any{"what": "a", "done": true}}},
		"rows in the order of their numbers": {list, url.Values{"steps.10.what": {"b"}, "steps.9.what": {"a"}, "steps.x.what": {"c"}},
			[]any{map[string]any{"what": "a"}, map[string]any{"what": "b"}}},
		"a removed row":     {list, url.Values{"steps.0.what": {"a"}, "steps.0._remove": {"false", "true"}, "steps.1.n": {" 4 "}}, []any{map[string]any{"n": json.Number("4")}}},
		"no rows are null":  {list, url.Values{"steps.0.what": {""}}, nil},
		"blocks":            {blocks, url.Values{"parts.0.type": {"quote"}, "parts.0.what": {"a"}, "parts.1.type": {"rule"}, "parts.2.type": {""}}, []any{map[string]any{"type": "quote", "what": "a"}, map[string]any{"type": "rule"}}},
		"a list in a group": {group, url.Values{"place.inner.0.what": {"a"}}, map[string]any{"inner": []any{map[string]any{"what": "a"}}}},
		"json":              {list, url.Values{"steps": {`[{"what": "a"}]`}}, []any{map[string]any{"what": "a"}}},
	} {
		t.Run(name, func(t *testing.T) {
			p := cms.Problems{}
			got := formData(&c.field, service.FromForm(c.form)[c.field.Name], "data", p)
			if !reflect.DeepEqual(got, c.want) || len(p) > 0 {
				t.Errorf("got %#v, problems %v", got, p)
			}
		})
	}
}

func TestFormTreeBrokenJSON(t *testing.T) {
	f := cms.Field{Name: "steps", Type: cms.TypeList, Fields: []cms.Field{{Name: "extra", Type: cms.TypeJSON}}}
	p := cms.Problems{}
	posted := service.FromForm(url.Values{"steps.3.extra": {"{"}})["steps"]
	got := formData(&f, posted, "data.steps", p)
	if len(p["data.steps.0.extra"]) != 1 {
		t.Errorf("problems %v", p)
	}
	if text, err := fieldText(f.Fields[0], got.([]any)[0].(map[string]any)["extra"]); text != "{" || err != nil {
		t.Errorf("shown again as %q", text)
	}
}

func TestPostedRows(t *testing.T) {
	body := service.FromForm(url.Values{
		"fields.0.name": {"b"}, "fields.0.position": {"2"}, "fields.1.name": {"a"}, "fields.1.position": {"1.5"}, "fields.2.name": {"gone"}, "fields.2.remove": {"false", "true"},
		"fields.3.name": {""}, "fields.3.type": {"text"}, "fields.4.name": {"c"}, "fields.4.min": {"x"}, "fields.4.options": {"one\r\n\r\n two "}, "fields.4.required": {"false", "true"},
	})
	rows, ok := postedRows(body)
	if !ok || len(rows) != 3 || rows[0]["name"] != "a" || rows[1]["name"] != "b" || rows[2]["name"] != "c" {
		t.Fatalf("rows %v", rows)
	}
	p := cms.Problems{}
	got := rows[2].definition("fields.2.", p)
	if !reflect.DeepEqual(got["options"], []any{"one", "two"}) || got["required"] != true || got["unique"] != false {
		t.Errorf("field %v", got)
	}
	if len(p["fields.2.min"]) != 1 {
		t.Errorf("problems %v", p)
	}
	if _, ok := postedRows(service.FromForm(url.Values{"fields": {"[]"}})); ok {
		t.Error("JSON taken for rows")
	}
}

func TestFormHeaders(t *testing.T) {
	for text, want := range map[string]any{
		"X-Team: web\r\nX-Time: 12:30\r\n": map[string]any{"X-Team": "web", "X-Time": "12:30"},
		"":                                 map[string]any{},
	} {
		body := service.FromForm(url.Values{"headers": {text}})
		if err := formHeaders(&Call{isForm: true}, body); err != nil || !reflect.DeepEqual(body["headers"], want) {
			t.Errorf("%q: %v, %v", text, body["headers"], err)
		}
	}
	if formHeaders(&Call{isForm: true}, service.FromForm(url.Values{"headers": {"no colon"}})) == nil {
		t.Error("a line without a colon was taken")
	}
}
