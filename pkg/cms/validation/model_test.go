package validation

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
)

// paths lists the paths of problems, sorted.
func paths(p cms.Problems) string {
	keys := make([]string, 0, len(p))
	for k := range p {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return strings.Join(keys, " ")
}

func TestFullModelIsValid(t *testing.T) {
	m := cmstest.Model(t, cmstest.FullModel)
	if p := Model(m); len(p) > 0 {
		t.Fatalf("problems: %v", p)
	}
	if m.Kind != cms.KindCollection || m.MaxPerPage != 100 {
		t.Errorf("defaults: kind %q, max_per_page %d", m.Kind, m.MaxPerPage)
	}
	if m.Fields[0].Options == nil || m.Fields[0].Fields == nil ||
		m.Fields[18].Fields[0].Fields[0].Mimes == nil {
		t.Error("a list of a field is null")
	}
	if m.Field("price").Default != json.Number("9.5") {
		t.Errorf("default %#v is no json.Number", m.Field("price").Default)
	}
}

func TestModelProblems(t *testing.T) {
	for _, c := range []struct{ definition, want string }{
		{`{"slug": "", "name": ""}`, "name slug"},
		{`{"slug": "Ab"}`, "slug"},
		{`{"slug": "upload"}`, "slug"},
		{`{"slug": "preview"}`, "slug"},
		{`{"slug": "uploads"}`, ""},
		{`{"kind": "tree", "max_per_page": -1}`, "kind max_per_page"},
		{`{"max_per_page": 1001}`, "max_per_page"},
		{`{"name": "` + strings.Repeat("é", 255) + `"}`, ""},
		{`{"name": "` + strings.Repeat("é", 256) + `"}`, "name"},
		{`{"visible_fields": ["a", "b", "a"], "fields": [{"name": "a", "type": "text"}]}`,
			"visible_fields.1 visible_fields.2"},
		{`{"default_sort": "title,-data.a", "fields": [{"name": "a", "type": "date"}]}`, ""},
		{`{"default_sort": "-nothing"}`, "default_sort"},
		{`{"default_sort": "title,,slug"}`, "default_sort"},
		{`{"default_sort": "data.a", "fields": [{"name": "a", "type": "json"}]}`, "default_sort"},
		{`{"default_sort": "data.a.b"}`, "default_sort"},
		{`{"default_sort": "title,title,title,title,title,title,title,title,title"}`, "default_sort"},
		{`{"indexes": [["a"], ["a", "b", "a"], ["a", "c"], ["a", "b"], ["a", "b"]], "fields": [
			{"name": "a", "type": "text"}, {"name": "b", "type": "number"}, {"name": "c", "type": "multiselect", "options": ["x"]}]}`,
			"indexes.0 indexes.1.2 indexes.2.1 indexes.4"},
		{`{"indexes": [[], [], [], [], [], []]}`, "indexes"},
	} {
		if got := paths(Model(cmstest.Model(t, c.definition))); got != c.want {
			t.Errorf("%s\n got  %s\n want %s", c.definition, got, c.want)
		}
	}
}

func TestFieldProblems(t *testing.T) {
	for _, c := range []struct{ fields, want string }{
		{`{"name": "", "type": ""}`, "fields.0.name fields.0.type"},
		{`{"name": "1a", "type": "string"}`, "fields.0.name fields.0.type"},
		{`{"name": "a", "type": "text"}, {"name": "a", "type": "text"}`, "fields.1.name"},
		{`{"name": "a", "type": "text", "label": "` + strings.Repeat("x", 256) + `"}`, "fields.0.label"},
		{`{"name": "a", "type": "select"}`, "fields.0.options"},
		{`{"name": "a", "type": "multiselect", "options": ["x", "", "x"]}`,
			"fields.0.options.1 fields.0.options.2"},
		{`{"name": "a", "type": "text", "options": ["x"]}`, "fields.0.options"},
		{`{"name": "a", "type": "text", "min": 3, "max": 2}`, "fields.0.min"},
		{`{"name": "a", "type": "text", "min": -1, "max": 2.5}`, "fields.0.max fields.0.min"},
		{`{"name": "a", "type": "number", "min": -1, "max": 2.5}`, ""},
		{`{"name": "a", "type": "boolean", "min": 1}, {"name": "b", "type": "date", "max": 1}, {"name": "c", "type": "media", "max": 1}`,
			"fields.0.min fields.1.max fields.2.max"},
		{`{"name": "a", "type": "media", "many": true, "max": 1}`, ""},
		{`{"name": "a", "type": "text", "pattern": "(?=x)"}`, "fields.0.pattern"},
		{`{"name": "a", "type": "number", "pattern": "x"}`, "fields.0.pattern"},
		{`{"name": "a", "type": "url", "pattern": "^https://"}`, ""},
		{`{"name": "a", "type": "relation"}`, "fields.0.model"},
		{`{"name": "a", "type": "relation", "model": "No Slug"}`, "fields.0.model"},
		{`{"name": "a", "type": "text", "model": "x", "many": true, "mimes": ["image/*"]}`,
			"fields.0.many fields.0.mimes fields.0.model"},
		{`{"name": "a", "type": "media", "mimes": ["image/*", "png"]}`, "fields.0.mimes.1"},
		{`{"name": "a", "type": "group"}`, "fields.0.fields"},
		{`{"name": "a", "type": "text", "fields": [{"name": "b", "type": "text"}]}`, "fields.0.fields"},
		{`{"name": "a", "type": "list", "fields": [{"name": "b", "type": "text", "unique": true}]}`,
			"fields.0.fields.0.unique"},
		{`{"name": "a", "type": "json", "unique": true, "searchable": true}`,
			"fields.0.searchable fields.0.unique"},
		{`{"name": "a", "type": "media", "many": true, "unique": true}`, "fields.0.unique"},
		{`{"name": "a", "type": "relation", "model": "b", "unique": true}`, ""},
		{`{"name": "a", "type": "blocks", "fields": [{"name": "b", "type": "text"}]}`,
			"fields.0.fields.0.type"},
		{`{"name": "a", "type": "blocks", "fields": [{"name": "b", "type": "group"}]}`,
			"fields.0.fields.0.fields"},
		{`{"name": "a", "type": "blocks", "fields": [{"name": "b", "type": "group", "required": true, "fields": [{"name": "type", "type": "text"}]}]}`,
			"fields.0.fields.0 fields.0.fields.0.fields"},
		{`{"name": "a", "type": "number", "default": "5"}`, "fields.0.default"},
		{`{"name": "a", "type": "number", "max": 1, "default": 2}`, "fields.0.default"},
		{`{"name": "a", "type": "select", "options": ["x"], "default": "y"}`, "fields.0.default"},
		{`{"name": "a", "type": "group", "fields": [{"name": "b", "type": "number"}], "default": {"b": 1, "c": 2}}`,
			"fields.0.default.c"},
		{`{"name": "a", "type": "multiselect", "options": ["x"], "default": ["x", "x"]}`,
			"fields.0.default.1"},
	} {
		if got := paths(Model(cmstest.Model(t, `{"fields": [`+c.fields+`]}`))); got != c.want {
			t.Errorf("%s\n got  %s\n want %s", c.fields, got, c.want)
		}
	}
}

func TestFieldLimits(t *testing.T) {
	nest := func(depth int) string {
		s := `{"name": "leaf", "type": "text"}`
		for range depth - 1 {
			s = `{"name": "g", "type": "group", "fields": [` + s + `]}`
		}
		return `{"fields": [` + s + `]}`
	}
	many := func(n int) string {
		fields := make([]string, n)
		for i := range fields {
			fields[i] = fmt.Sprintf(`{"name": "f%d", "type": "text"}`, i)
		}
		return `{"fields": [` + strings.Join(fields, ",") + `]}`
	}
	for _, c := range []struct{ definition, want string }{
		{nest(6), ""},
		{nest(7), "fields" + strings.Repeat(".0.fields", 6)},
		{nest(100), "fields" + strings.Repeat(".0.fields", 6)},
		{many(200), ""},
		{many(201), "fields"},
	} {
		if got := paths(Model(cmstest.Model(t, c.definition))); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
