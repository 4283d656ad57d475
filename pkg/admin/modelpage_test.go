package admin_test

import (
	"net/url"
	"strings"
	"testing"
)

// TestModelPage: the page of a model names its addresses and approvals, which the form sets.
func TestModelPage(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"notes","name":"Notes","url":"/notes/{slug}","home":"first",
		"preview_url":"https://example.com/?preview={token}","review":2}`)
	c.must(t, 201, "POST", "/models", `{"slug":"plain","name":"Plain"}`)
	page, plain := b.get(t, "/models/notes"), b.get(t, "/models/plain")
	for label, value := range map[string]string{"Address on the site": "/notes/{slug}", "Slug of the home page": "first",
		"Preview address": "https://example.com/?preview={token}", "Approvals before publishing": "2"} {
		shown := strings.ReplaceAll(page.Body.String(), "<wbr>", "") // where a long value may break
		if !strings.Contains(shown, label) || !strings.Contains(shown, ">"+value+"<") {
			t.Errorf("no %s in %s", label, shown)
		}
		if contains(plain, label) {
			t.Errorf("%s of a model without: %s", label, plain.Body)
		}
	}
}

// TestOptionsRemoved: the report before a save counts the entries that have a removed option, by a renamed field too.
// The form of such an entry keeps the option, so that a save of something else does not remove the value unseen.
func TestOptionsRemoved(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","fields":[
		{"name":"topic","type":"select","options":["a","b, a"]},{"name":"tags","type":"multiselect","options":["x","y"]}]}`)
	id := c.must(t, 201, "POST", "/models/posts/entries",
		`{"title":"One","data":{"topic":"b, a","tags":["x","y"]}}`).text(t, "id")
	c.must(t, 201, "POST", "/models/posts/entries", `{"title":"Two","data":{"topic":"a","tags":["x"]}}`)
	form := b.get(t, "/models/posts/edit")
	values := url.Values{"_csrf": {form.csrf(t)}, "_method": {"PUT"}, "name": {"Posts"}, "slug": {"posts"},
		"kind": {"collection"}, "is_active": {"true"}, "fields._rows": {""},
		"fields.0.name": {"subject"}, "fields.0.was": {"topic"}, "fields.0.type": {"select"},
		"fields.0.options": {"a"}, "fields.0.required": {"true"},
		"fields.1.name": {"tags"}, "fields.1.was": {"tags"}, "fields.1.type": {"multiselect"}, "fields.1.options": {"y"}}
	page := b.post(t, "/models/posts", values)
	for _, want := range []string{"1 entry has an option that is removed", "2 entries have an option that is removed"} {
		if !contains(page, want) {
			t.Errorf("the report lacks %q: %s", want, page.Body)
		}
	}
	if contains(page, "entries lack this required field") {
		t.Error("a renamed field, which all entries have, is reported as lacking")
	}
	c.must(t, 200, "PUT", "/models/posts", `{"fields":[{"name":"topic","type":"select","options":["a"]},
		{"name":"tags","type":"multiselect","options":["y"]}]}`)
	page = b.get(t, "/models/posts/entries/"+id)
	for _, want := range []string{`<option value="b, a" selected>b, a (no longer an option)</option>`,
		`value="x" checked> <bdi>x (no longer an option)`} {
		if !contains(page, want) {
			t.Errorf("the form lacks %s", want)
		}
	}
}
