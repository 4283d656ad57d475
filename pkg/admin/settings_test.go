package admin_test

import (
	"net/url"
	"strings"
	"testing"
)

// setting finds one in the list.
func (c client) setting(t *testing.T, group, key string) map[string]any {
	t.Helper()
	for _, v := range c.must(t, 200, "GET", "/settings", nil).Data.([]any) {
		if v := v.(map[string]any); v["group"] == group && v["key"] == key {
			return v
		}
	}
	return nil
}

func TestRemoveSetting(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 200, "PUT", "/settings",
		`[{"group":"site","key":"name","value":"ACME","is_public":false},{"group":"mail","key":"token","value":"x"}]`)
	c.must(t, 204, "DELETE", "/settings/mail/token", nil)
	c.must(t, 204, "DELETE", "/settings/site/name", nil)
	c.must(t, 204, "DELETE", "/settings/site/name", nil) // unset already
	c.must(t, 404, "DELETE", "/settings/mail/token", nil)
	if v := c.setting(t, "site", "name"); v["value"] != "" || v["is_public"] != true ||
		c.setting(t, "mail", "token") != nil {
		t.Errorf("removed %v", v)
	}
	if a := c.must(t, 200, "GET", "/activity?filter%5Bevent%5D=settings.updated", nil); a.Meta["total"] != 3.0 ||
		a.text(t, 0, "subject") != "settings site.name" {
		t.Errorf("activity %s", a.Body)
	}
}

// TestSettingsPage: labels, pictures from the library, secrets that are not shown, and what a
// setting is beside its value.
func TestSettingsPage(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/locales", `{"code":"fr","name":"French"}`)
	c.must(t, 200, "PUT", "/settings",
		`[{"group":"mail","key":"api_token","value":"topsecret"},{"group":"site","key":"favicon","value":"https://cdn.example/icon.png"},{"group":"mail","key":"sender_name","value":"Old"}]`)
	file := c.upload(t, 201, "logo.svg", []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), nil)
	page := b.get(t, "/settings")
	for _, want := range []string{">Name</label>", ">Name in French</label>",
		">Default language</label>", "<legend>Logo", "<legend>Social networks",
		">Sender name</label>", `type="password"`, "https://cdn.example/icon.png", "not in the library"} {
		if !contains(page, want) {
			t.Errorf("no %s on the page", want)
		}
	}
	if contains(page, "topsecret") {
		t.Error("the page shows a secret")
	}
	edit := func(fields url.Values) answer {
		fields.Set("_csrf", page.csrf(t))
		fields.Set("_method", "PUT")
		return b.post(t, "/settings", fields)
	}
	if a := edit(url.Values{"site.logo": {"", "made-up"}, "_do": {"pick site.logo"}}); a.Code != 200 ||
		!contains(a, "logo.svg") {
		t.Errorf("panel: %d", a.Code)
	}
	if a := edit(url.Values{"site.logo": {"", "0191d7a0-0000-7000-8000-000000000000"}}); a.Code != 422 ||
		!contains(a, "is not a file of the library") {
		t.Errorf("a file that is not there: %d", a.Code)
	}
	a := edit(url.Values{
		"site.logo": {"", file.text(t, "id")}, "site.favicon": {"", "https://cdn.example/icon.png"},
		"mail.api_token": {""}, "mail.api_token.is_public": {"false"},
		"mail.sender_name": {"New"}, "mail.sender_name.is_public": {"false", "true"},
		"mail.sender_name.is_translatable": {"false", "true"}, "site.tagline._remove": {"false"},
	})
	if a.Code != 303 {
		t.Fatalf("saved: %d %s", a.Code, a.Body)
	}
	if v := c.setting(t, "mail", "sender_name"); v["value"] != "New" || v["is_public"] != true ||
		v["is_translatable"] != true {
		t.Errorf("changed %v", v)
	}
	if logo, token, icon := c.setting(t, "site", "logo"), c.setting(t, "mail", "api_token"),
		c.setting(t, "site", "favicon"); logo["value"] != file.text(t,
		"url") ||
		token["value"] != "topsecret" || icon["value"] != "https://cdn.example/icon.png" {
		t.Errorf("%v %v %v", logo, token, icon)
	}
	if page := b.get(t, "/settings"); !strings.Contains(page.Body.String(),
		`<span class="what">logo.svg</span>`) || !contains(page, "Sender name in French") {
		t.Error("the page does not show what was chosen")
	}
	if a := edit(url.Values{"mail.api_token": {"newsecret"}, "mail.sender_name": {"Lost"},
		"mail.sender_name._remove": {"false", "true"}, "site.logo": {""}}); a.Code != 303 {
		t.Fatalf("removed: %d %s", a.Code, a.Body)
	}
	if c.setting(t, "mail", "sender_name") != nil ||
		c.setting(t, "mail", "api_token")["value"] != "newsecret" ||
		c.setting(t, "site", "logo")["value"] != "" {
		t.Error("not as the form said")
	}
}

// TestViewsPage has views counted by the page of settings. Lists then have a column of views.
func TestViewsPage(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"name":"Pages","slug":"pages"}`)
	c.must(t, 201, "POST", "/models/pages/entries", `{"title":"A"}`)
	const list, saved = "/models/pages/entries", `{"name":"Most seen","query":{"columns":":views","sort":"-views"}}`
	c.must(t, 422, "POST", "/models/pages/views", saved)
	if contains(b.get(t, list+"?columns=:views"), "Views") {
		t.Error("views are shown while they are not counted")
	}
	page := b.get(t, "/settings")
	if !contains(page, ">Count views</label>") || c.setting(t, "views", "enabled") != nil {
		t.Error("the page does not offer to count views")
	}
	on := url.Values{"_csrf": {page.csrf(t)}, "_method": {"PUT"}, "views.enabled": {"true"}}
	if a := b.post(t, "/settings", on); a.Code != 303 {
		t.Fatalf("saved: %d %s", a.Code, a.Body)
	}
	c.must(t, 201, "POST", "/models/pages/views", saved)
	if page := b.get(t, list+"?columns=:views&sort=-views"); !contains(page, ">Views") || !contains(page, "sort=views") ||
		!contains(page, ">0<") {
		t.Errorf("no column of views: %s", page.Body)
	}
	c.must(t, 200, "PUT", "/settings", `[{"group":"views","key":"enabled","value":"false"}]`)
	shown := c.must(t, 200, "GET", "/models/pages/views", "").Body.String()
	if !strings.Contains(shown, `"query":{}`) {
		t.Errorf("a view of what is not counted any more: %s", shown)
	}
}

// TestSettingsFolded: the language is chosen from the active ones, several translations are folded,
// and the boxes of all settings of a group stand in one place.
func TestSettingsFolded(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/locales", `{"code":"fr","name":"French"}`)
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German","is_active":false}`)
	page := b.get(t, "/settings")
	for _, want := range []string{"<summary>Name in 2 other languages</summary>", `<select id="f-site.default_locale"`,
		`<option value="fr">French</option>`} {
		if !contains(page, want) {
			t.Errorf("no %s on the page", want)
		}
	}
	for _, no := range []string{`<option value="de">`, "site.name._remove", "site.default_locale.is_translatable"} {
		if contains(page, no) {
			t.Errorf("%s is on the page", no)
		}
	}
	if n := strings.Count(page.Body.String(), "<summary>Visibility"); n != 4 { // site, seo, social, views
		t.Errorf("the boxes stand in %d places", n)
	}
	french := url.Values{"_csrf": {page.csrf(t)}, "_method": {"PUT"}, "site.default_locale": {"fr"}}
	if a := b.post(t, "/settings", french); a.Code != 303 || c.setting(t, "site", "default_locale")["value"] != "fr" {
		t.Errorf("another default: %d %s", a.Code, a.Body)
	}
}
