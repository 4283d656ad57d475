package admin_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestOvertakenFormsNameWho: a form that was overtaken names who changed the item, as the activity log knows it, and
// tells the user of an own change in another window.
func TestOvertakenFormsNameWho(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/users", map[string]any{"email": "ada@example.com", "name": "Ada", "role": "admin",
		"password": password})
	ada := s.as(t, "ada@example.com")
	c.must(t, 201, "POST", "/models", `{"name":"Pages","slug":"pages","fields":[{"name":"code","type":"text"}]}`)
	page := "/models/pages/entries/" + c.must(t, 201, "POST", "/models/pages/entries", `{"title":"Lamp"}`).text(t, "id")
	made := func(path, body string) string {
		t.Helper()
		return path + "/" + c.must(t, 201, "POST", path, body).text(t, "id")
	}
	c.must(t, 201, "POST", "/forms", `{"name":"Contact","slug":"contact","fields":[{"name":"a","type":"text"}]}`)
	c.must(t, 201, "POST", "/menus", `{"name":"Main","slug":"main"}`)
	c.must(t, 201, "POST", "/roles", `{"slug":"writer","name":"Writer","rules":[{"models":["pages"]}]}`)
	c.must(t, 200, "PUT", "/settings", `[{"group":"site","key":"tagline","value":"Old","is_public":true}]`)
	of := func(name string) string { return `{"name":"` + name + `"}` }
	type row struct {
		body func(name string) string
		form string // "" is the path with /edit
	}
	kinds := map[string]row{
		made("/webhooks", `{"name":"Search","url":"http://127.0.0.1:9/a","events":["*"]}`): {body: of},
		made("/releases", `{"name":"Spring"}`):                                             {body: of},
		made("/keys", `{"name":"Web","scopes":["read"]}`):                                  {body: of},
		made("/users", `{"email":"bo@example.com","name":"Bo","password":"`+password+`"}`): {body: of},
		made("/targets", `{"name":"Site","provider":"vercel","build_url":"https://api.vercel.com/v1/integrations/deploy/x/y"}`): {
			body: of},
		made("/media/folders", `{"name":"Blog"}`): {body: of},
		made("/models/pages/presets", `{"name":"Plain","entry":"`+strings.TrimPrefix(page, "/models/pages/entries/")+`"}`): {
			body: of},
		made("/redirects", `{"from":"/a","to":"/b"}`): {body: func(name string) string { return `{"to":"/` + name + `"}` }},
		"/media/" + c.upload(t, 201, "a.txt", []byte("x"), nil).text(t, "id"): {body: func(name string) string {
			return `{"alt":"` + name + `"}`
		}},
		"/forms/contact": {body: of},
		"/menus/main":    {body: of},
		"/models/pages":  {body: of},
		"/roles/writer":  {body: of},
		"/locales/en":    {body: of},
		"/settings": {form: "/settings", body: func(name string) string {
			return `[{"group":"site","key":"tagline","value":"` + name + `"}]`
		}},
		page + "/schedule": {form: page + "/schedule", body: func(name string) string {
			return `{"publish_at":"` + map[string]string{"First": "2031", "Second": "2032", "Third": "2033"}[name] +
				`-01-02T03:04:05Z"}`
		}},
	}
	const you, she, somebody = "You have changed this in another window since you opened the form.",
		"Ada has changed this since you opened the form.", "Somebody has changed this since you opened the form."
	for _, at := range slices.Sorted(maps.Keys(kinds)) {
		t.Run(at, func(t *testing.T) {
			k := kinds[at]
			overtaken := func(by client, name, want string, spoil bool) {
				t.Helper()
				path := k.form
				if path == "" {
					path = at + "/edit"
				}
				form, action := formOn(t, b.get(t, path))
				by.must(t, 200, "PUT", at, k.body(name))
				if spoil {
					form.Set("_version", form.Get("_version")[:24])
				}
				if a := b.post(t, action, form); a.Code != 412 || !contains(a, want) {
					t.Errorf("%d, no %q in %s", a.Code, want, a.Body)
				}
			}
			overtaken(ada, "First", she, false)
			overtaken(c, "Second", you, false)
			overtaken(ada, "Third", somebody, true)
		})
	}
}

// TestOvertakenFormsHideWho: who may not read a change in the activity log is not told who made it, but is told of an
// own one. A change from before the form was opened names nobody.
func TestOvertakenFormsHideWho(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"name":"Pages","slug":"pages"}`)
	c.must(t, 201, "POST", "/roles", `{"slug":"writer","name":"Writer","rules":[{"models":["pages"]}]}`)
	c.must(t, 201, "POST", "/users", map[string]any{"email": "bo@example.com", "name": "Bo", "role": "writer",
		"password": password})
	release := "/releases/" + c.must(t, 201, "POST", "/releases", `{"name":"Spring"}`).text(t, "id")
	bo, b := s.as(t, "bo@example.com"), s.browseAs(t, "bo@example.com")
	for _, row := range []struct {
		by   client
		want string
	}{{c, "Somebody has changed this"}, {bo, "You have changed this in another window"}} {
		form, action := formOn(t, b.get(t, release+"/edit"))
		row.by.must(t, 200, "PUT", release, `{"name":"`+row.want+`"}`)
		a := b.post(t, action, form)
		if a.Code != 412 || !contains(a, row.want+" since you opened the form.") {
			t.Errorf("%d, no %q in %s", a.Code, row.want, a.Body)
		}
		form, _ = formOn(t, a) // the version is new, and so is its time
		form.Set("_version", "other")
		if a := b.post(t, action, form); a.Code != 412 || !contains(a, "Somebody has changed this") {
			t.Errorf("an older change: %d %s", a.Code, a.Body)
		}
	}
}
