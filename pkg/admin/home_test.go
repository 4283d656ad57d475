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
