package modelpages

import (
	"encoding/json"
	"net/url"
	"reflect"
	"testing"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/rowforms"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/must"
)

func TestPostedRows(t *testing.T) {
	posted := url.Values{
		"fields._rows": {""}, "fields.0.name": {"b"}, "fields.1.name": {"a"}, "fields.1.min": {"x"},
		"fields.1.options": {"one\r\n\r\n two "}, "fields.1.required": {"false", "true"},
		"fields.2.name": {""}, "fields.2.type": {"text"},
	}
	c := &frame.Call{IsForm: true}
	rows, ok := rowforms.PostedRows(c, input.FromForm(posted), "fields")
	if !ok || len(rows) != 2 || rows[0].Text["name"] != "b" || rows[1].Text["name"] != "a" {
		t.Fatalf("rows %v", rows)
	}
	p := cms.Problems{}
	got := fieldShape.Object(rows[1], "fields.1.", p)
	if !reflect.DeepEqual(got["options"], []any{"one", "two"}) || got["required"] != true ||
		got["unique"] != false {
		t.Errorf("field %v", got)
	}
	if len(p["fields.1.min"]) != 1 {
		t.Errorf("problems %v", p)
	}
	posted.Set("fields.0.fields.0.name", "inner")
	posted.Set("fields.0.fields.0.max", "y")
	rows, _ = rowforms.PostedRows(c, input.FromForm(posted), "fields")
	if body := fieldShape.Objects(rows, "fields",
		p); !reflect.DeepEqual(body[0].(map[string]any)["fields"].([]any)[0].(map[string]any)["name"],
		"inner") || len(p["fields.0.fields.0.max"]) != 1 {
		t.Errorf("inner rows %v, problems %v", body, p)
	}
	c.Step = &frame.FormStep{Verb: "add", Name: "fields"}
	if rows, _ := rowforms.PostedRows(c, input.FromForm(posted), "fields"); len(rows) != 3 {
		t.Errorf("a step keeps empty rows: %v", rows)
	}
	if rows, ok := rowforms.PostedRows(c, input.FromForm(url.Values{"fields._rows": {""}}), "fields"); !ok ||
		len(rows) != 0 {
		t.Error("a list without rows is no list")
	}
	if _, ok := rowforms.PostedRows(c, input.FromForm(url.Values{"fields": {"[]"}}), "fields"); ok {
		t.Error("JSON taken for rows")
	}
}

func TestRowsOf(t *testing.T) {
	least := 1.5
	rows, err := rowforms.RowsOf(fieldShape, compactFields([]cms.Field{{
		Name: "a", Type: cms.TypeList, Required: true, Min: &least, Options: []string{"x", "y"},
		Default: "d", Fields: []cms.Field{{Name: "b", Type: cms.TypeText, Unique: true}},
	}}))
	must.Do(t, err)
	p := cms.Problems{}
	back := fieldShape.Object(rows[0], "", p)
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
