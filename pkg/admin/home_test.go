package admin_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestHomeOfManyModels opens Home of a site with more models than it counts: three queries for each
// of hundreds would take too long.
func TestHomeOfManyModels(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	for i := range 30 {
		c.must(t, 201, "POST", "/models", map[string]any{"slug": fmt.Sprintf("m%02d", i),
			"name": fmt.Sprintf("Model %02d", i)})
	}
	page := b.get(t, "/").Body.String()
	if n := strings.Count(page, "/entries\"><span>Model "); n != 24 {
		t.Errorf("Home counts the entries of %d models, want 24", n)
	}
	if !strings.Contains(page, "<span>More models</span><strong>6</strong>") {
		t.Error("Home does not say that there are 6 more models")
	}
}

// TestHomeOfRoles asks for the counts of Home: a role that does not see webhooks gets no counts of them.
func TestHomeOfRoles(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/roles", map[string]any{"slug": "author", "name": "Author", "rules": []any{}})
	for role, want := range map[string]bool{"admin": true, "viewer": true, "author": false} {
		email := role + "-of-home@example.com"
		c.must(t, 201, "POST", "/users", user(email, role))
		data := s.as(t, email).must(t, 200, "GET", "/", nil).Data.(map[string]any)
		if _, shown := data["webhooks"]; shown != want {
			t.Errorf("%s sees what waits for webhooks: %v", role, shown)
		}
	}
}

// TestHomeOfTranslator counts what waits only in the languages that a role may write.
func TestHomeOfTranslator(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","localized":true}`)
	for _, locale := range []string{"en", "en", "de"} {
		c.must(t, 201, "POST", "/models/posts/entries", `{"title":"Draft","locale":"`+locale+`"}`)
		live := c.must(t, 201, "POST", "/models/posts/entries",
			`{"title":"Live","status":"published","locale":"`+locale+`"}`).text(t, "id")
		c.must(t, 200, "PUT", "/models/posts/entries/"+live+"/draft", `{"title":"Changed"}`)
	}
	home := func(rules string) string {
		t.Helper()
		c.must(t, 201, "POST", "/roles", `{"slug":"role`+fmt.Sprint(len(rules))+`","name":"R","rules":[`+rules+`]}`)
		email := s.newUser(t, "role"+fmt.Sprint(len(rules))).must(t, 200, "GET", "/me", nil).text(t, "email")
		return s.browseAs(t, email).get(t, "/").Body.String()
	}
	german := home(`{"models":["posts"],"actions":["read"]},{"models":["posts"],"actions":["write"],"locales":["de"]}`)
	for _, want := range []string{"Posts: 1 draft<", "Posts: 1 change not published<",
		"<small>published, 3 drafts</small>",
		`href="/admin/models/posts/entries?filter%5Blocale%5D=de&amp;filter%5Bstatus%5D=draft"`} {
		if !strings.Contains(german, want) {
			t.Errorf("the page of a translator lacks %s:\n%s", want, german)
		}
	}
	if all := home(`{"models":["posts"],"actions":["read","write"]}`); !strings.Contains(all, "Posts: 3 drafts<") ||
		!strings.Contains(all, "Posts: 3 changes not published<") {
		t.Errorf("the page of a writer of all languages: %s", all)
	}
	if reader := home(`{"models":["posts"],"actions":["read"]}`); strings.Contains(reader, "not published") ||
		strings.Contains(reader, "Posts: ") {
		t.Errorf("work waits for a reader: %s", reader)
	}
}
