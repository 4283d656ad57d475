package validation

import (
	"reflect"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
)

func TestValidateData(t *testing.T) {
	m := cmstest.Model(t, cmstest.FullModel)
	for _, c := range []struct{ data, want string }{
		{`{}`, ""},
		{`{"body": null, "price": null, "steps": null}`, ""},
		{`{"nope": 1, "Body": "x"}`, "data.Body data.nope"},
		{`{"body": 1, "price": "1", "featured": "true", "day": 1, "color": true, "cover": 1, "meta": 1}`,
			"data.body data.color data.cover data.day data.featured data.price"},
		{`{"body": "äöü"}`, ""},
		{`{"body": "äö"}`, "data.body"},
		{`{"body": "` + strings.Repeat("é", 20) + `"}`, ""},
		{`{"body": "` + strings.Repeat("é", 21) + `"}`, "data.body"},
		{`{"code": "AB"}`, ""},
		{`{"code": "ABC"}`, "data.code"},
		{`{"price": -1.5}`, ""},
		{`{"price": -1.50000000000000000000000000001}`, "data.price"},
		{`{"price": 1e2}`, ""},
		{`{"price": 1e400}`, "data.price"},
		{`{"price": 1e-999999999}`, "data.price"},
		{`{"price": 0.` + strings.Repeat("1", 400) + `}`, "data.price"},
		{`{"day": "2024-02-30", "moment": "2024-01-01", "mail": "x", "link": "/x"}`,
			"data.day data.link data.mail data.moment"},
		{`{"day": "2024-02-29", "moment": "2024-01-01T10:00:00.25+01:00", "mail": "a@b.co", "link": "https://a.b/c"}`,
			""},
		{`{"color": "blue"}`, "data.color"},
		{`{"tags": ["a", "b"]}`, ""},
		{`{"tags": "a"}`, "data.tags"},
		{`{"tags": ["a", "a", "z", 1]}`, "data.tags data.tags.1 data.tags.2 data.tags.3"},
		{`{"cover": "` + cmstest.ID + `", "gallery": ["` + cmstest.ID + `"]}`, ""},
		{`{"cover": ["` + cmstest.ID + `"], "gallery": "` + cmstest.ID + `"}`, "data.cover data.gallery"},
		{`{"related": []}`, "data.related"},
		{`{"related": ["x", "` + cmstest.ID + `", "` + strings.ToUpper(cmstest.ID) + `", null]}`,
			"data.related.0 data.related.2 data.related.3"},
		{`{"place": "x"}`, "data.place"},
		{`{"place": {"city": 1, "zip": "1"}}`, "data.place.city data.place.zip"},
		{`{"steps": [{"label": "x"}, 1, {"label": 2, "x": 3}, {}]}`,
			"data.steps data.steps.1 data.steps.2.label data.steps.2.x"},
		{`{"steps": {"label": "x"}}`, "data.steps"},
		{`{"blocks": [{"type": "hero", "heading": "12345678901"}, {"type": "stat", "heading": "x", "value": 1}, {"type": "x"}, {}, "hero"]}`,
			"data.blocks.0.heading data.blocks.1.heading data.blocks.2.type data.blocks.3.type data.blocks.4"},
		{`{"meta": {"a": [1, null, {"b": "c"}]}}`, ""},
	} {
		data := cmstest.Object(t, c.data)
		if got := paths((Checks{}).validateData(m, data, nil, rules{required: false})); got != c.want {
			t.Errorf("%s\n got  %s\n want %s", c.data, got, c.want)
		}
		if !reflect.DeepEqual(data, cmstest.Object(t, c.data)) {
			t.Errorf("%s was changed", c.data)
		}
	}
}

func TestRequired(t *testing.T) {
	m := cmstest.Model(t, cmstest.FullModel)
	m.Field("tags").Required = true
	m.Field("featured").Required = true
	m.Field("meta").Required = true
	for _, c := range []struct{ data, want string }{
		{`{}`, "data.body data.featured data.meta data.tags"},
		{`{"body": null, "featured": null, "meta": null, "tags": null}`,
			"data.body data.featured data.meta data.tags"},
		{`{"body": "", "featured": false, "meta": 0, "tags": []}`, "data.body data.tags"},
		{`{"body": "   ", "featured": false, "meta": "", "tags": ["a"]}`, ""},
		{`{"body": "abc", "featured": false, "meta": [], "tags": ["a"], "place": {}, "steps": [{"label": "x"}, {"label": ""}], "blocks": [{"type": "hero"}]}`,
			"data.blocks.0.heading data.place.city data.steps.1.label"},
	} {
		if got := paths((Checks{}).validateData(m, cmstest.Object(t, c.data), nil, rules{required: true})); got != c.want {
			t.Errorf("%s\n got  %s\n want %s", c.data, got, c.want)
		}
	}
	if p := (Checks{}).validateData(m, cmstest.Object(t, `{"body": ""}`), nil,
		rules{required: true}); !reflect.DeepEqual(p["data.body"],
		[]string{"is required"}) {
		t.Errorf("an empty text: %v", p)
	}
}

func TestFieldsThatTheModelDropped(t *testing.T) {
	m := cmstest.Model(t, cmstest.FullModel)
	before := cmstest.Object(t,
		`{"gone": {"a": 1}, "place": {"city": "x", "gone": 1}, "price": "was a text"}`)
	for _, c := range []struct{ data, want string }{
		{`{"gone": {"a": 1}, "place": {"city": "x", "gone": 1}}`, ""},
		{`{"gone": {"a": 2}, "place": {"city": "y", "gone": 1}}`, "data.gone data.place.gone"},
		{`{"price": "was a text"}`, "data.price"},
	} {
		if got := paths((Checks{}).validateData(m, cmstest.Object(t, c.data), before,
			rules{required: false})); got != c.want {
			t.Errorf("%s\n got  %s\n want %s", c.data, got, c.want)
		}
	}
}

func TestProblemsAreBounded(t *testing.T) {
	m := cmstest.Model(t, cmstest.FullModel)
	data := map[string]any{"steps": make([]any, 300_000), "tags": make([]any, 300_000)}
	for _, key := range []string{"steps", "tags"} {
		for i := range data[key].([]any) {
			data[key].([]any)[i] = map[string]any{"x": "y"}
		}
	}
	if p := (Checks{}).validateData(m, data, nil, rules{required: true}); len(p) > cms.MaxProblems {
		t.Errorf("%d problems", len(p))
	}
}

func TestEntry(t *testing.T) {
	m := cmstest.Model(t, `{}`)
	valid := cms.Entry{Title: "T", Status: cms.StatusDraft, Locale: "en"}
	for _, c := range []struct {
		change func(e *cms.Entry)
		want   string
	}{
		{func(*cms.Entry) {}, ""},
		{func(e *cms.Entry) { *e = cms.Entry{} }, "locale status title"},
		{func(e *cms.Entry) { e.Title = strings.Repeat("日", 255) }, ""},
		{func(e *cms.Entry) { e.Title = strings.Repeat("日", 256) }, "title"},
		{func(e *cms.Entry) { e.Title = "\xff" }, "title"},
		{func(e *cms.Entry) { e.Slug = "a--b" }, "slug"},
		{func(e *cms.Entry) { e.Slug = cmstest.ID }, "slug"},
		{func(e *cms.Entry) { e.Slug = "single" }, "slug"},
		{func(e *cms.Entry) { e.Status = "live" }, "status"},
		{func(e *cms.Entry) {
			e.SEO = cms.SEO{Title: strings.Repeat("x", 256), Description: strings.Repeat("x", 1001)}
		}, "seo.description seo.title"},
		{func(e *cms.Entry) { e.Data = map[string]any{"x": true} }, "data.x"},
	} {
		e := valid
		c.change(&e)
		if got := paths((Checks{}).Entry(m, &e, nil, true)); got != c.want {
			t.Errorf("%+v\n got  %s\n want %s", e, got, c.want)
		}
	}
}
