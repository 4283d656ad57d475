package validation

import (
	"reflect"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
)

func TestUpdate(t *testing.T) {
	m := cmstest.Model(t, cmstest.FullModel)
	stored := cms.Entry{
		ID: cmstest.ID, Slug: "old", Title: "Old", Status: cms.StatusPublished, Locale: "en",
		SEO: cms.SEO{Title: "S", Description: "D"}, Version: 3,
		Data: cmstest.Object(t,
			`{"body": "long enough", "price": 5, "place": {"city": "x", "size": 2}, "gone": 1}`),
	}
	for _, c := range []struct {
		body, problems string
		change         func(e *cms.Entry)
	}{
		{`{}`, "", func(*cms.Entry) {}},
		{`{"id": 1, "published_at": 2, "created_at": null, "updated_at": {}, "version": "x"}`, "",
			func(*cms.Entry) {}},
		{`{"title": "New", "slug": null, "seo": {"title": null}}`, "",
			func(e *cms.Entry) { e.Title, e.Slug, e.SEO.Title = "New", "", "" }},
		{`{"slug": ""}`, "", func(e *cms.Entry) { e.Slug = "" }},
		{`{"seo": null}`, "", func(e *cms.Entry) { e.SEO = cms.SEO{} }},
		{`{"data": {"price": null, "code": "AB"}}`, "",
			func(e *cms.Entry) { delete(e.Data, "price"); e.Data["code"] = "AB" }},
		{`{"data": {"place": {"city": "y"}}}`, "",
			func(e *cms.Entry) { e.Data["place"] = map[string]any{"city": "y"} }},
		{`{"data": {"gone": null}}`, "", func(e *cms.Entry) { delete(e.Data, "gone") }},
		{`{"data": {"typo": null}}`, "data.typo", func(*cms.Entry) {}},
		{`{"data": null}`, "data.body", func(e *cms.Entry) { e.Data = map[string]any{} }},
		{`{"data": null, "status": "draft"}`, "",
			func(e *cms.Entry) { e.Data, e.Status = map[string]any{}, cms.StatusDraft }},
		{`{"title": null, "status": null, "locale": null}`, "locale status title",
			func(e *cms.Entry) { e.Title, e.Status, e.Locale = "", "", "" }},
		{`{"status": "", "locale": ""}`, "locale status", func(*cms.Entry) {}},
		{`{"title": 1, "slug": [], "status": {}, "locale": true, "data": "x", "seo": 5}`,
			"data locale seo slug status title", func(*cms.Entry) {}},
		{`{"seo": {"title": 1, "image": "x"}, "headline": null}`, "headline seo.image seo.title",
			func(*cms.Entry) {}},
	} {
		after := stored
		want := stored
		want.Data = cmstest.Object(t,
			`{"body": "long enough", "price": 5, "place": {"city": "x", "size": 2}, "gone": 1}`)
		c.change(&want)
		p := cms.DecodeEntryPatch(cmstest.Object(t, c.body))
		p.Apply(&after)
		if !reflect.DeepEqual(after, want) {
			t.Errorf("%s\n got  %+v\n want %+v", c.body, after, want)
		}
		if got := paths((Checks{}).Patch(m, p, &after, &stored)); got != c.problems {
			t.Errorf("%s\n got  problems %s\n want problems %s", c.body, got, c.problems)
		}
	}
	if len(stored.Data) != 4 {
		t.Errorf("the stored data was changed: %v", stored.Data)
	}
}

func TestCreate(t *testing.T) {
	m := cmstest.Model(t, cmstest.FullModel)
	for _, c := range []struct{ body, problems string }{
		{`{"title": "T", "data": {"body": "long enough"}}`, ""},
		{`{"title": "T", "slug": null, "status": null, "locale": null, "seo": null, "data": {"body": "long enough", "code": null}}`,
			""},
		{`{}`, "data.body title"},
		{`{"title": null, "data": null, "status": "draft"}`, "data.body title"},
		{`{"title": 5, "status": "live", "data": {"price": "x", "oops": 1, "typo": null}, "x": 1}`,
			"data.body data.oops data.price data.typo status title x"},
	} {
		p := cms.DecodeEntryPatch(cmstest.Object(t, c.body))
		e := p.NewEntry(m, "de")
		problems := (Checks{}).Patch(m, p, e, nil)
		if got := paths(problems); got != c.problems {
			t.Errorf("%s\n got  %s\n want %s", c.body, got, c.problems)
		}
		for path, messages := range problems {
			if len(messages) != 1 {
				t.Errorf("%s: %s has %q", c.body, path, messages)
			}
		}
		if c.problems == "" && (e.Status != cms.StatusDraft || e.Locale != "de" ||
			e.Data["color"] != "red" || e.Slug != "") {
			t.Errorf("%s: made %+v", c.body, e)
		}
	}
}
