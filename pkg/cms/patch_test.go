package cms

import (
	"reflect"
	"testing"
)

func TestUpdate(t *testing.T) {
	m := modelOf(t, fullModel)
	stored := Entry{
		ID: anID, Slug: "old", Title: "Old", Status: StatusPublished, Locale: "en",
		SEO: SEO{Title: "S", Description: "D"}, Version: 3,
		Data: object(t, `{"body": "long enough", "price": 5, "place": {"city": "x", "size": 2}, "gone": 1}`),
	}
	for _, c := range []struct {
		body, problems string
		change         func(e *Entry)
	}{
		{`{}`, "", func(*Entry) {}},
		{`{"id": 1, "published_at": 2, "created_at": null, "updated_at": {}, "version": "x"}`, "",
			func(*Entry) {}},
		{`{"title": "New", "slug": null, "seo": {"title": null}}`, "",
			func(e *Entry) { e.Title, e.Slug, e.SEO.Title = "New", "", "" }},
		{`{"slug": ""}`, "", func(e *Entry) { e.Slug = "" }},
		{`{"seo": null}`, "", func(e *Entry) { e.SEO = SEO{} }},
		{`{"data": {"price": null, "code": "AB"}}`, "",
			func(e *Entry) { delete(e.Data, "price"); e.Data["code"] = "AB" }},
		{`{"data": {"place": {"city": "y"}}}`, "",
			func(e *Entry) { e.Data["place"] = map[string]any{"city": "y"} }},
		{`{"data": {"gone": null}}`, "", func(e *Entry) { delete(e.Data, "gone") }},
		{`{"data": {"typo": null}}`, "data.typo", func(*Entry) {}},
		{`{"data": null}`, "data.body", func(e *Entry) { e.Data = map[string]any{} }},
		{`{"data": null, "status": "draft"}`, "",
			func(e *Entry) { e.Data, e.Status = map[string]any{}, StatusDraft }},
		{`{"title": null, "status": null, "locale": null}`, "locale status title",
			func(e *Entry) { e.Title, e.Status, e.Locale = "", "", "" }},
		{`{"status": "", "locale": ""}`, "locale status", func(*Entry) {}},
		{`{"title": 1, "slug": [], "status": {}, "locale": true, "data": "x", "seo": 5}`,
			"data locale seo slug status title", func(*Entry) {}},
		{`{"seo": {"title": 1, "image": "x"}, "headline": null}`, "headline seo.image seo.title",
			func(*Entry) {}},
	} {
		after := stored
		want := stored
		want.Data = object(t,
			`{"body": "long enough", "price": 5, "place": {"city": "x", "size": 2}, "gone": 1}`)
		c.change(&want)
		p := DecodeEntryPatch(object(t, c.body))
		p.Apply(&after)
		if !reflect.DeepEqual(after, want) {
			t.Errorf("%s\n got  %+v\n want %+v", c.body, after, want)
		}
		if got := paths(p.Check(m, &after, &stored)); got != c.problems {
			t.Errorf("%s\n got  problems %s\n want problems %s", c.body, got, c.problems)
		}
	}
	if len(stored.Data) != 4 {
		t.Errorf("the stored data was changed: %v", stored.Data)
	}
}

func TestCreate(t *testing.T) {
	m := modelOf(t, fullModel)
	for _, c := range []struct{ body, problems string }{
		{`{"title": "T", "data": {"body": "long enough"}}`, ""},
		{`{"title": "T", "slug": null, "status": null, "locale": null, "seo": null, "data": {"body": "long enough", "code": null}}`,
			""},
		{`{}`, "data.body title"},
		{`{"title": null, "data": null, "status": "draft"}`, "data.body title"},
		{`{"title": 5, "status": "live", "data": {"price": "x", "oops": 1, "typo": null}, "x": 1}`,
			"data.body data.oops data.price data.typo status title x"},
	} {
		p := DecodeEntryPatch(object(t, c.body))
		e := p.NewEntry(m, "de")
		problems := p.Check(m, e, nil)
		if got := paths(problems); got != c.problems {
			t.Errorf("%s\n got  %s\n want %s", c.body, got, c.problems)
		}
		for path, messages := range problems {
			if len(messages) != 1 {
				t.Errorf("%s: %s has %q", c.body, path, messages)
			}
		}
		if c.problems == "" && (e.Status != StatusDraft || e.Locale != "de" ||
			e.Data["color"] != "red" || e.Slug != "") {
			t.Errorf("%s: made %+v", c.body, e)
		}
	}
}
