package admin_test

import (
	"regexp"
	"strings"
	"testing"
)

// TestModelsInMenu puts models into groups of the menu, in their order.
func TestModelsInMenu(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	for slug, menu := range map[string]map[string]any{
		"zebras": nil, "products": {"group": "Shop", "order": 2, "icon": "cart"},
		"brands": {"group": "Shop", "order": 1, "icon": "tag"},
	} {
		c.must(t, 201, "POST", "/models", map[string]any{"slug": slug, "name": slug, "menu": menu})
	}
	page := b.get(t, "/").Body.String()
	nav := page[strings.Index(page, `<nav id="menu"`):]
	nav = nav[:strings.Index(nav, "</nav>")]
	got := strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(nav, " ")), " ")
	want := "Content zebras Media Forms Planned Health Menus Redirects Trash Shop brands products Set-up"
	if !strings.Contains(got, want) {
		t.Errorf("the menu is %q; it should hold %q", got, want)
	}
	// A title without an icon of its own gets the empty tray, as many titles would then.
	if strings.Contains(nav, "M4 13h5l1 2h4l1-2h5") {
		t.Error("a line of the menu has no icon in ui/templates/icons.txt")
	}
	c.must(t, 422, "PUT", "/models/brands",
		map[string]any{"menu": map[string]any{"icon": "dragon", "order": 100000}})
}

// TestSiteName shows the name of the site in the frame and in the titles of pages, to strangers too. A private one
// stays unknown.
func TestSiteName(t *testing.T) {
	s := newSite(t)
	c, b, stranger := s.as(t, adminEmail), s.browse(t), browser{s, nil}
	for _, step := range []struct{ settings, want string }{
		{`[]`, "Headless"},
		{`[{"group":"site","key":"name","value":"Lumen & Oak","is_public":true}]`, "Lumen &amp; Oak"},
		{`[{"group":"site","key":"name","value":"Secret","is_public":false}]`, "Headless"},
	} {
		c.must(t, 200, "PUT", "/settings", step.settings)
		for path, page := range map[string]string{"/": b.get(t, "/").Body.String(),
			"/login": stranger.get(t, "/login").Body.String()} {
			if head, body, _ := strings.Cut(page, "</title>"); !strings.HasSuffix(head, " · "+step.want) ||
				!strings.Contains(body, step.want) {
				t.Errorf("%s does not show %q", path, step.want)
			}
		}
	}
}

// TestPlannedOfModel leaves out the plans of other models.
func TestPlannedOfModel(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	for _, slug := range []string{"posts", "news"} {
		c.must(t, 201, "POST", "/models", map[string]any{"slug": slug, "name": strings.ToUpper(slug)})
		id := c.must(t, 201, "POST", "/models/"+slug+"/entries",
			map[string]any{"title": "Later " + slug}).Data.(map[string]any)["id"].(string)
		at := s.now().AddDate(0, 0, 2).UTC().Format("2006-01-02T15:04:05Z")
		c.must(t, 200, "PUT", "/models/"+slug+"/entries/"+id+"/schedule", map[string]any{"publish_at": at})
	}
	if page := b.get(t, "/models/posts/entries").Body.String(); !strings.Contains(page,
		`href="/admin/planned?model=posts"`) {
		t.Error("the list does not lead to what is planned")
	}
	page := b.get(t, "/planned?model=posts").Body.String()
	if !strings.Contains(page, "Planned: POSTS") || !strings.Contains(page, "Later posts") ||
		strings.Contains(page, "Later news") {
		t.Error("the page does not show what is planned for posts alone")
	}
	next := s.now().AddDate(0, 0, 2).UTC()
	past := b.get(t, "/planned?model=posts&from=2020-01-01").Body.String()
	if !strings.Contains(past, "Next change: "+next.Format("Monday, 2 January 2006")) ||
		!strings.Contains(past, `from=`+next.Format("2006-01-02")) {
		t.Errorf("an empty span does not lead to the next change: %s", past)
	}
}
