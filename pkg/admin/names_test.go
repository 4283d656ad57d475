package admin_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"headless/pkg/must"
)

// TestNamesForKeys: pages call fields, models and events by their names, not by their keys.
func TestNamesForKeys(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models",
		`{"name":"Our posts","slug":"posts","fields":[{"name":"featured","label":"Featured","type":"boolean"},{"name":"parts","label":"Parts","type":"blocks","fields":[{"name":"hero","type":"group","fields":[{"name":"next","label":"Next post","type":"relation","model":"posts","many":true}]}]}]}`)
	target := c.must(t, 201, "POST", "/models/posts/entries", `{"title":"Target","data":{"featured":false}}`).text(t, "id")
	c.must(t, 201, "POST", "/models/posts/entries",
		`{"title":"User","data":{"parts":[{"type":"hero","next":["`+target+`"]}]}}`)
	item := "/models/posts/entries/" + target
	has := func(path, want string) {
		t.Helper()
		if page := b.get(t, path); !contains(page, want) {
			t.Errorf("no %q at %s: %s", want, path, page.Body)
		}
	}
	has(item, "User (Our posts: Parts 1 › Next post 1)")
	has(item+"/usage", "<span>Parts 1 › Next post 1</span>")
	has("/activity", `filter%5Bevent%5D=entry.created">Entry created</a>`)
	has(item+"?beside="+target, "<span>No</span>")
	has(item+"/schedule", ">Target</a>")
	release := c.must(t, 201, "POST", "/releases", `{"name":"Spring"}`).text(t, "id")
	check := b.post(t, "/releases/"+release+"/check", url.Values{"_csrf": {b.get(t, item).csrf(t)}})
	if !contains(check, ">Spring</a>") {
		t.Errorf("the page of a check does not name its release: %s", check.Body)
	}
	times := url.Values{"_csrf": {b.get(t, item).csrf(t)}, "_method": {"PUT"},
		"publish_at": {"2030-01-02T00:00"}, "unpublish_at": {"2030-01-01T00:00"}}
	if a := b.post(t, item+"/schedule", times); a.Code != 422 || !contains(a, "must be after Publish at") {
		t.Errorf("a plan that ends first: %d %s", a.Code, a.Body)
	}
}

// TestNamesOfSettingsAndMenus: uses in settings and menus, and changes of settings, are called as on their own pages.
func TestNamesOfSettingsAndMenus(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"name":"Our pages","slug":"pages"}`)
	c.must(t, 200, "GET", "/models/pages/entries.csv", nil)
	id := c.must(t, 201, "POST", "/models/pages/entries", `{"title":"About us"}`).text(t, "id")
	c.must(t, 201, "POST", "/menus", `{"slug":"main","name":"Main menu","items":{"en":[{"label":"We",`+
		`"entry":{"model":"pages","id":"`+id+`"}}]}}`)
	settings := []map[string]any{}
	for i, key := range []string{"favicon", "hours", "name", "one", "two", "three"} {
		v := map[string]any{"group": "shop", "key": key, "value": strconv.Itoa(i), "is_public": true}
		if key == "favicon" {
			v["group"], v["value"] = "site", id
		}
		settings = append(settings, v)
	}
	c.must(t, 200, "PUT", "/settings", settings)
	for path, wants := range map[string][]string{
		"/models/pages/entries/" + id:            {"Main menu (Menus: Items in English)", "Favicon (Settings: Site)"},
		"/models/pages/entries/" + id + "/usage": {"<span>Items in English</span>", ">Favicon<", "<span>Site</span>"},
		"/menus/main":                            {">We<", `/entries/` + id + `">About us</a>`},
		"/settings":                              {">Default language<"},
		"/activity": {"<span>Settings Favicon, Hours, ", ", 1 more</span>",
			"<span>entries of Our pages</span>"},
	} {
		page := b.get(t, path)
		for _, want := range wants {
			if !contains(page, want) {
				t.Errorf("no %q at %s: %s", want, path, page.Body)
			}
		}
		for _, key := range []string{"items.en", "site.favicon", "shop.hours"} {
			if path != "/settings" && contains(page, key) { // whose inputs have keys
				t.Errorf("%s at %s: %s", key, path, page.Body)
			}
		}
	}
}

// TestDefaultLanguageByName: who may only read the settings sees the name of the default language.
func TestDefaultLanguageByName(t *testing.T) {
	s := newSite(t)
	s.as(t, adminEmail).must(t, 201, "POST", "/users", user("ed@example.com", "editor"))
	page := s.browseAs(t, "ed@example.com").get(t, "/settings")
	if !contains(page, "<dt>Default language</dt><dd><span>English</span>") {
		t.Errorf("%s", page.Body)
	}
}

// TestHistoryNamesFields: each version says which fields it changed, compared with the one of its kind before it.
func TestHistoryNamesFields(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models",
		`{"name":"Posts","slug":"posts","fields":[{"name":"intro","label":"Teaser","type":"text"},{"name":"body","label":"Body","type":"text"}]}`)
	item := "/models/posts/entries/" + c.must(t, 201, "POST", "/models/posts/entries", `{"title":"A"}`).text(t, "id")
	c.must(t, 200, "PUT", item, `{"title":"B","data":{"intro":"One"}}`)
	c.must(t, 200, "PUT", item+"/draft", `{"data":{"body":"First"}}`)
	c.must(t, 200, "PUT", item, `{"seo":{"title":"Found"}}`)
	c.must(t, 200, "PUT", item+"/draft", `{"data":{"intro":"Two"}}`)
	page := b.get(t, item+"/revisions")
	for _, want := range []string{"<small>Title, Teaser</small>", "<small>Title for search engines</small>",
		"<small>Teaser</small>"} {
		if !contains(page, want) {
			t.Errorf("no %q in %s", want, page.Body)
		}
	}
}

// TestNamesOfPeople: pages call users by their names while their accounts exist; the address is a hint.
func TestNamesOfPeople(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	id := c.must(t, 201, "POST", "/users", user("ada@example.com", "editor")).text(t, "id")
	c.must(t, 201, "POST", "/models", `{"name":"Posts","slug":"posts"}`)
	ada := s.as(t, "ada@example.com")
	at := "/models/posts/entries/" + ada.must(t, 201, "POST", "/models/posts/entries",
		`{"title":"Lamps","status":"published"}`).text(t, "id")
	ada.must(t, 200, "PUT", at+"/draft", `{"title":"Oil lamps"}`)
	const named = `title="ada@example.com">Somebody</`
	pages := []string{"/activity", at, at + "/revisions"}
	for _, path := range pages {
		if page := b.get(t, path); !contains(page, named) {
			t.Errorf("%s does not name Ada: %s", path, page.Body)
		}
	}
	if page := b.get(t, "/"); !contains(page, "by Somebody") {
		t.Errorf("the first page does not name Ada: %s", page.Body)
	}
	c.must(t, 204, "DELETE", "/users/"+id, nil)
	for _, path := range pages {
		if page := b.get(t, path); contains(page, named) || !contains(page, "ada@example.com</") {
			t.Errorf("%s without the account: %s", path, page.Body)
		}
	}
}

// TestNamesOfFormerUsers: where only the id of a user is known, and the account is deleted, pages say so. An erased
// address is marked in the same way.
func TestNamesOfFormerUsers(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	me := c.must(t, 200, "GET", "/me", nil).text(t, "id")
	id := c.must(t, 201, "POST", "/users", user("ada@example.com", "editor")).text(t, "id")
	c.must(t, 201, "POST", "/models", `{"name":"Posts","slug":"posts"}`)
	ada := s.as(t, "ada@example.com")
	at := "/models/posts/entries/" + ada.must(t, 201, "POST", "/models/posts/entries", `{"title":"Lamps"}`).text(t, "id")
	ada.must(t, 201, "POST", at+"/review", `{"reviewers":["`+me+`"],"note":"Please look"}`)
	ada.must(t, 201, "POST", at+"/comments", `{"text":"Mine, @`+me+`","assignee":"`+id+`"}`)
	c.must(t, 201, "POST", at+"/comments", `{"text":"Thanks, @`+id+`!"}`)
	c.must(t, 204, "DELETE", "/users/"+id, nil)
	for path, times := range map[string]int{at + "/review": 5, "/tasks": 2, "/": 2} {
		page := b.get(t, path)
		if n := strings.Count(page.Body.String(), "Former user"); n != times || strings.Contains(page.Body.String(), "@"+id) {
			t.Errorf("%s names the former user %d times: %s", path, n, page.Body)
		}
	}
	if a := b.get(t, at+"/comments"); !contains(a, "Assigned to Former user") || !contains(a, "Thanks, @Former user!") {
		t.Errorf("the comments: %s", a.Body)
	}
	c.must(t, 200, "PUT", "/profile", `{"language":"de"}`)
	if a := b.get(t, at+"/comments"); !contains(a, "Thanks, @Ehemaliger Benutzer!") {
		t.Errorf("the comments in German: %s", a.Body)
	}
	c.must(t, 204, "DELETE", "/people?email=ada@example.com", nil)
	c.must(t, 200, "PUT", "/profile", `{"language":"en"}`)
	if a := b.get(t, at+"/revisions"); !contains(a, "Former user (erased-") {
		t.Errorf("the history: %s", a.Body)
	}
}

// TestRolesByName: lists and pages of users and invitations call a role by its name, not by its slug.
func TestRolesByName(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/roles", `{"slug":"german","name":"Translators of German","rules":[{"actions":["read"]}]}`)
	id := c.must(t, 201, "POST", "/users", user("tom@example.com", "german")).text(t, "id")
	invited := c.must(t, 201, "POST", "/invitations", `{"email":"eva@example.com","role":"german"}`).text(t, "id")
	for _, path := range []string{"/users", "/users/" + id, "/invitations", "/invitations/" + invited} {
		page := b.get(t, path)
		if !contains(page, `<span class="badge">Translators of German</span>`) || contains(page, ">german<") {
			t.Errorf("%s: %s", path, page.Body)
		}
	}
	if page := b.get(t, "/users"); !contains(page, `<span class="badge">Admin</span>`) ||
		!contains(page, "</span> · Admin</p>") {
		t.Errorf("a role that is built in: %s", page.Body)
	}
	tom := s.browseAs(t, "tom@example.com")
	if page := tom.get(t, "/profile"); !contains(page, "</span> · Translators of German</p>") {
		t.Errorf("the menu of the user: %s", page.Body)
	}
	if page := tom.get(t, "/targets"); page.Code != 403 || contains(page, "german") {
		t.Errorf("a refusal: %s", page.Body)
	}
}

// TestNumbersAreGrouped: no page shows a number as a program writes it.
func TestNumbersAreGrouped(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	id := c.must(t, 201, "POST", "/keys", `{"name":"Site","kind":"publishable"}`).text(t, "id")
	for _, path := range []string{"/keys", "/keys/" + id} {
		if page := s.browse(t).get(t, path); !contains(page, ">60,000<") {
			t.Errorf("%s: %s", path, page.Body)
		}
	}
	files, err := filepath.Glob("*/*.go")
	must.Do(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		must.Do(t, err)
		if strings.Contains(string(text), "ui.Text(strconv.Itoa(") {
			t.Errorf("%s shows a number without the separators of a language: use say.Number", file)
		}
	}
}
