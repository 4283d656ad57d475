package admin

import (
	"encoding/json"
	"net/url"
	"reflect"
	"testing"

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
			got := formReader{problems: p}.data(&c.field, input.FromForm(c.form)[c.field.Name], "data")
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
	got := formReader{problems: p}.data(&f, posted, "data.steps")
	if len(p["data.steps.0.extra"]) != 1 {
		t.Errorf("problems %v", p)
	}
	if text, err := fieldText(f.Fields[0], got.([]any)[0].(map[string]any)["extra"]); text != "{" ||
		err != nil {
		t.Errorf("shown again as %q", text)
	}
}

func TestPostedRows(t *testing.T) {
	posted := url.Values{
		"fields._rows": {""}, "fields.0.name": {"b"}, "fields.1.name": {"a"}, "fields.1.min": {"x"},
		"fields.1.options": {"one\r\n\r\n two "}, "fields.1.required": {"false", "true"},
		"fields.2.name": {""}, "fields.2.type": {"text"},
	}
	c := &Call{isForm: true}
	rows, ok := c.postedRows(input.FromForm(posted), "fields")
	if !ok || len(rows) != 2 || rows[0].text["name"] != "b" || rows[1].text["name"] != "a" {
		t.Fatalf("rows %v", rows)
	}
	p := cms.Problems{}
	got := fieldShape.object(rows[1], "fields.1.", p)
	if !reflect.DeepEqual(got["options"], []any{"one", "two"}) || got["required"] != true ||
		got["unique"] != false {
		t.Errorf("field %v", got)
	}
	if len(p["fields.1.min"]) != 1 {
		t.Errorf("problems %v", p)
	}
	posted.Set("fields.0.fields.0.name", "inner")
	posted.Set("fields.0.fields.0.max", "y")
	rows, _ = c.postedRows(input.FromForm(posted), "fields")
	if body := fieldShape.objects(rows, "fields", p); !reflect.DeepEqual(body[0].(map[string]any)["fields"].([]any)[0].(map[string]any)["name"],
		"inner") || len(p["fields.0.fields.0.max"]) != 1 {
		t.Errorf("inner rows %v, problems %v", body, p)
	}
	c.step = &formStep{verb: "add", name: "fields"}
	if rows, _ := c.postedRows(input.FromForm(posted), "fields"); len(rows) != 3 {
		t.Errorf("a step keeps empty rows: %v", rows)
	}
	if rows, ok := c.postedRows(input.FromForm(url.Values{"fields._rows": {""}}), "fields"); !ok ||
		len(rows) != 0 {
		t.Error("a list without rows is no list")
	}
	if _, ok := c.postedRows(input.FromForm(url.Values{"fields": {"[]"}}), "fields"); ok {
		t.Error("JSON taken for rows")
	}
}

func TestRowsOf(t *testing.T) {
	least := 1.5
	rows, err := rowsOf(fieldShape, compactFields([]cms.Field{{
		Name: "a", Type: cms.TypeList, Required: true, Min: &least, Options: []string{"x", "y"},
		Default: "d", Fields: []cms.Field{{Name: "b", Type: cms.TypeText, Unique: true}},
	}}))
	if err != nil {
		t.Fatal(err)
	}
	p := cms.Problems{}
	back := fieldShape.object(rows[0], "", p)
	want := map[string]any{
		"name": "a", "type": "list", "required": true, "unique": false, "searchable": false,
		"many": false, "min": json.Number("1.5"), "options": []any{"x", "y"}, "default": "d",
		"fields": []any{map[string]any{"name": "b", "type": "text", "required": false,
			"unique": true, "searchable": false, "many": false}},
	}
	if !reflect.DeepEqual(back, want) || len(p) > 0 {
		t.Errorf("%v, problems %v", back, p)
	}
}

func TestSteps(t *testing.T) {
	for do, want := range map[string]string{
		"up l.1":      "l.0.a=two&l.0.b.0.c=x&l.1.a=one&l.10.a=ten&v=&v=p&v=q",
		"down l.0":    "l.0.a=two&l.0.b.0.c=x&l.1.a=one&l.10.a=ten&v=&v=p&v=q",
		"remove l.1":  "l.0.a=one&l.10.a=ten&v=&v=p&v=q",
		"add l":       "l.0.a=one&l.1.a=two&l.1.b.0.c=x&l.10.a=ten&l.11._new=true&v=&v=p&v=q",
		"add l quote": "l.0.a=one&l.1.a=two&l.1.b.0.c=x&l.10.a=ten&l.11._new=true&l.11.type=quote&v=&v=p&v=q",
		"add l.1.b":   "l.0.a=one&l.1.a=two&l.1.b.0.c=x&l.1.b.1._new=true&l.10.a=ten&v=&v=p&v=q",
		"up v q":      "l.0.a=one&l.1.a=two&l.1.b.0.c=x&l.10.a=ten&v=&v=q&v=p",
		"up v p":      "l.0.a=one&l.1.a=two&l.1.b.0.c=x&l.10.a=ten&v=&v=p&v=q",
		"down v none": "l.0.a=one&l.1.a=two&l.1.b.0.c=x&l.10.a=ten&v=&v=p&v=q",
		"up":          "l.0.a=one&l.1.a=two&l.1.b.0.c=x&l.10.a=ten&v=&v=p&v=q",
		"up l.0":      "l.0.a=one&l.1.a=two&l.1.b.0.c=x&l.10.a=ten&v=&v=p&v=q",
	} {
		form := url.Values{"l.0.a": {"one"}, "l.1.a": {"two"}, "l.1.b.0.c": {"x"},
			"l.10.a": {"ten"}, "v": {"", "p", "q"}}
		readStep(url.Values{stepKey: {do}}).rearrange(form)
		if got := form.Encode(); got != want {
			t.Errorf("%s:\n%s, want\n%s", do, got, want)
		}
	}
}

func TestFormHeaders(t *testing.T) {
	for text, want := range map[string]any{
		"X-Team: web\r\nX-Time: 12:30\r\n": map[string]any{"X-Team": "web", "X-Time": "12:30"},
		"":                                 map[string]any{},
	} {
		body := input.FromForm(url.Values{"headers": {text}})
		if err := formHeaders(&Call{isForm: true}, body); err != nil ||
			!reflect.DeepEqual(body["headers"], want) {
			t.Errorf("%q: %v, %v", text, body["headers"], err)
		}
	}
	if formHeaders(&Call{isForm: true}, input.FromForm(url.Values{"headers": {"no colon"}})) == nil {
		t.Error("a line without a colon was taken")
	}
}
