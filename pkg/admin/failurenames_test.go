package admin_test

import (
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
)

// TestNamesOfFailures: jobs, releases and the activity log name entries, models and fields as people know them.
func TestNamesOfFailures(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Our posts","kind":"collection","fields":[
		{"name":"body_text","label":"Main text","type":"text","required":true}]}`)
	id := c.must(t, 201, "POST", "/models/posts/entries?draft=true", `{"title":"A fine post"}`).text(t, "id")
	release := c.must(t, 201, "POST", "/releases", `{"name":"Spring","items":[{"model":"posts","id":"`+id+
		`","action":"publish"}]}`).text(t, "id")
	job := c.must(t, 202, "POST", "/jobs", `{"action":"publish","model":"posts","ids":["`+id+`"]}`).text(t, "id")
	if _, err := s.on.Jobs.Work(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	form := b.get(t, "/releases/"+release)
	for name, page := range map[string]string{
		"the job": b.get(t, "/jobs/"+job).Body.String(),
		"the check": b.post(t, "/releases/"+release+"/check",
			map[string][]string{"_csrf": {form.csrf(t)}}).Body.String(),
	} {
		for _, want := range []string{"A fine post", "Main text: is required"} {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
		for _, raw := range []string{">" + id, "data.body_text", string(cms.CodeValidationFailed)} {
			if strings.Contains(page, raw) {
				t.Errorf("%s shows %q", name, raw)
			}
		}
	}
	if page := form.Body.String(); !strings.Contains(page, "Our posts") || strings.Contains(page, ">posts<") {
		t.Error("the release shows no name of the model")
	}
	at := cms.At(time.Now().Add(time.Hour)).String()
	c.must(t, 200, "PUT", "/models/posts/entries/"+id+"/schedule", `{"publish_at":"`+at+`"}`)
	if page := b.get(t, "/activity").Body.String(); !strings.Contains(page, ">Admin area<") ||
		strings.Contains(page, ">admin<") {
		t.Error("the activity log shows a raw source")
	}
}

// TestNamesOfLinks: lists of preview links and of plans show the titles of entries and the names of models.
func TestNamesOfLinks(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Our posts"}`)
	id := c.must(t, 201, "POST", "/models/posts/entries", `{"title":"A fine post"}`).text(t, "id")
	release := c.must(t, 201, "POST", "/releases", `{"name":"Spring","items":[{"model":"posts","id":"`+id+
		`","action":"publish"}]}`).text(t, "id")
	csrf := b.get(t, "/releases/"+release).csrf(t)
	of := b.post(t, "/releases/"+release+"/preview", map[string][]string{"_csrf": {csrf}})
	at := cms.At(time.Now().Add(time.Hour)).String()
	c.must(t, 200, "PUT", "/models/posts/entries/"+id+"/schedule", `{"publish_at":"`+at+`"}`)
	for name, page := range map[string]string{"links of the release": of.Body.String(),
		"preview links": b.get(t, "/previews").Body.String(), "planned": b.get(t, "/planned").Body.String()} {
		for _, want := range []string{"A fine post", "<span>Our posts</span>"} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %q in %s", name, want, page)
			}
		}
		for _, raw := range []string{">" + id, ">posts<"} {
			if strings.Contains(page, raw) {
				t.Errorf("%s: shows %q", name, raw)
			}
		}
	}
}

// TestNamesOfDeletedEntries: lists tell entries in the trash by their titles, with a link to the trash, and those
// that were deleted for good by words, without a link. Neither has a bare id.
func TestNamesOfDeletedEntries(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Our posts"}`)
	var ids []string
	items := []any{}
	for _, title := range []string{"Oil & steam", "Purged"} {
		id := c.must(t, 201, "POST", "/models/posts/entries", map[string]any{"title": title}).text(t, "id")
		items = append(items, map[string]any{"model": "posts", "id": id, "action": "publish"})
		ids = append(ids, id)
	}
	release := c.must(t, 201, "POST", "/releases", map[string]any{"name": "Spring", "items": items}).text(t, "id")
	all := map[string]any{"action": "publish", "model": "posts", "ids": ids}
	job := c.must(t, 202, "POST", "/jobs", all).text(t, "id")
	if _, err := s.on.Jobs.Work(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		c.must(t, 204, "DELETE", "/models/posts/entries/"+id, nil)
	}
	c.must(t, 204, "DELETE", "/trash/"+ids[1], nil)
	for _, at := range []string{"/releases/" + release, "/jobs/" + job,
		"/health/links?entry=" + ids[0] + "&entry=" + ids[1]} {
		page := b.get(t, at).Body.String()
		wanted := []string{
			`href="/admin/trash?q=Oil&#43;%26&#43;steam"`, ">Oil &amp; steam (in the trash)<", ">Deleted entry<"}
		if strings.HasPrefix(at, "/health") {
			wanted = []string{">Oil &amp; steam (in the trash)<", ">" + ids[1] + " (deleted)<"}
		}
		for _, want := range wanted {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %s", at, want)
			}
		}
		for _, id := range ids {
			if strings.Contains(page, ">"+id+"<") || strings.Contains(page, "/entries/"+id+`"`) {
				t.Errorf("%s shows the bare id or links to %s", at, id)
			}
		}
	}
	for _, part := range []string{"", "/edit"} {
		page := b.get(t, "/models/posts/entries/"+ids[0]+part)
		const link = `href="/admin/trash?q=Oil&#43;%26&#43;steam">Oil &amp; steam (in the trash)<`
		if page.Code != 404 || !contains(page, link) {
			t.Errorf("the page of an entry in the trash: %d %s", page.Code, page.Body)
		}
		if page := b.get(t, "/models/posts/entries/"+ids[1]+part); page.Code != 404 || contains(page, "/admin/trash?q") {
			t.Errorf("the page of a deleted entry: %d %s", page.Code, page.Body)
		}
	}
}
