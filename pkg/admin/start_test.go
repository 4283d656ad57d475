package admin_test

import (
	"net/url"
	"strings"
	"testing"

	"headless/pkg/assets/inspect"
)

// TestStart fills a service with a template from Home, as a browser without scripts does. A second press changes
// nothing.
func TestStart(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/users", map[string]any{"email": "eva@example.com", "role": "editor", "password": password})
	if contains(s.browseAs(t, "eva@example.com").get(t, "/"), "Start with") {
		t.Error("an editor may start with a template")
	}
	home := b.get(t, "/")
	if !contains(home, `<h2 id="start">Start with</h2>`) {
		t.Fatalf("Home of an empty service has no templates: %s", home.Body)
	}
	press := url.Values{"template": {"blog"}, "_csrf": {home.csrf(t)}}
	a := b.post(t, "/start", press)
	if a.Code != 303 || a.Header().Get("Location") != "/admin/?ok=started" {
		t.Fatalf("%d %v %s", a.Code, a.Header(), a.Body)
	}
	home = b.get(t, "/?ok=started")
	for _, text := range []string{"The models and their first entries are there.",
		`href="/admin/models/posts/entries"><span>Posts</span><strong>2<`,
		`href="/admin/models/pages/entries"><span>Pages</span><strong>2<`, "Drafts and dates"} {
		if !contains(home, text) {
			t.Errorf("Home has no %s", text)
		}
	}
	if contains(home, "Start with") {
		t.Error("Home of a service with models has templates")
	}
	version := c.must(t, 200, "GET", "/models/posts", nil).at(t, "version")
	if a := b.post(t, "/start", press); a.Code != 409 || !contains(a, "There are models already.") {
		t.Errorf("a second press: %d %s", a.Code, a.Body)
	}
	if again := c.must(t, 200, "GET", "/models/posts", nil).at(t, "version"); again != version {
		t.Errorf("a second press changed a model: %v, %v", version, again)
	}
	log := c.must(t, 200, "GET", "/activity?per_page=100", nil).Body.String()
	for _, event := range []string{`"schema.applied"`, `"entry.published"`, `"media.uploaded"`} {
		if !strings.Contains(log, event) {
			t.Errorf("the activity log has no %s", event)
		}
	}
}

// TestStartByPrograms refuses templates that do not fit, and makes one of two requests at once.
func TestStartByPrograms(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 422, "POST", "/start", `{}`)
	c.must(t, 422, "POST", "/start", `{"template":"shop"}`)
	c.must(t, 200, "PUT", "/settings", `[{"group":"schema","key":"locked","value":"true"}]`)
	if contains(s.browse(t).get(t, "/"), "Start with") {
		t.Error("Home has templates while models are locked")
	}
	if a := c.must(t, 409, "POST", "/start", `{"template":"blog"}`); !strings.Contains(a.Error.Message, "schema.locked") {
		t.Error(a.Error)
	}
	c.must(t, 200, "PUT", "/settings", `[{"group":"schema","key":"locked","value":""}]`)
	var answers [2]answer
	parallel(2, func(i int) { answers[i] = c.do(t, "POST", "/start", `{"template":"marketing"}`) })
	made, refused := answers[0], answers[1]
	if refused.Code == 200 {
		made, refused = refused, made
	}
	if made.Code != 200 || !contains(made, `{"template":"marketing","models":["pages"],"files":1,"entries":3}`) {
		t.Errorf("%d %s", made.Code, made.Body)
	}
	if refused.Code != 409 || !strings.HasPrefix(refused.Error.Message, "There are models already.") {
		t.Errorf("%d %s", refused.Code, refused.Body)
	}
}

// TestStartStops names what is there and what is missing when the content is not taken whole.
func TestStartStops(t *testing.T) {
	s := newSite(t)
	s.on.Media.Inspector = inspect.New(inspect.Policy{Allowed: []string{"text/plain"}})
	c := s.as(t, adminEmail)
	const want = "The models are there (pages, posts), and entries and files: 4 of 5. Missing: hut.png ("
	if a := c.must(t, 415, "POST", "/start", `{"template":"blog"}`); !strings.HasPrefix(a.Error.Message, want) ||
		!strings.HasSuffix(a.Error.Message, "). To start again, delete the models.") {
		t.Error(a.Error)
	}
	c.must(t, 200, "GET", "/models/posts/entries/3f6c1c52-8a0e-4b7e-9d52-5a1f0c9b2001", nil)
}

// TestStartStopsInGerman gives the reasons in the language of the page too.
func TestStartStopsInGerman(t *testing.T) {
	s := newSite(t)
	s.on.Media.Inspector = inspect.New(inspect.Policy{Allowed: []string{"text/plain"}})
	b := s.browse(t)
	s.as(t, adminEmail).must(t, 200, "PUT", "/profile", `{"language":"de"}`)
	press := url.Values{"template": {"blog"}, "_csrf": {b.get(t, "/").csrf(t)}}
	if a := b.post(t, "/start", press); a.Code != 415 || !contains(a, "Es fehlt: hut.png (Dateien") {
		t.Errorf("the page is not all German: %d %s", a.Code, a.Body)
	}
}
