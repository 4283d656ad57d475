package admin_test

import (
	"maps"
	"reflect"
	"testing"
)

// TestJSONOfForms: at the address of a form JSON has the item, or the defaults of a new one, which
// are what a create gives.
func TestJSONOfForms(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/users", user("viewer@example.com", "viewer"))
	viewer := s.as(t, "viewer@example.com")
	c.must(t, 201, "POST", "/models",
		`{"name":"Pages","slug":"pages","fields":[{"name":"n","type":"number","default":7}]}`)
	for path, row := range map[string]struct {
		key  string         // of an item's address
		must map[string]any // what a create needs
		own  []string       // keys that a create fills in beside id and times
	}{
		"/models":               {"slug", map[string]any{"name": "Posts", "slug": "posts"}, nil},
		"/models/pages/entries": {"id", map[string]any{"title": "One", "slug": "one"}, nil},
		"/media/folders":        {"id", map[string]any{"name": "Blog"}, nil},
		"/locales": {"code", map[string]any{"name": "German", "code": "de"},
			[]string{"native_name", "direction"}},
		"/forms":    {"slug", map[string]any{"name": "Contact", "slug": "contact"}, nil},
		"/keys":     {"id", map[string]any{"name": "Site"}, []string{"public_key"}},
		"/webhooks": {"id", map[string]any{"url": "http://127.0.0.1:9/a"}, nil},
		"/users": {"id", map[string]any{"email": "ada@example.com",
			"password": password}, nil},
	} {
		t.Run(path, func(t *testing.T) {
			fresh := c.must(t, 200, "GET", path+"/create", nil).Data.(map[string]any)
			viewer.must(t, 403, "GET", path+"/create", nil)
			body := maps.Clone(fresh) // what was read can be sent back
			maps.Copy(body, row.must)
			created := c.must(t, 201, "POST", path, body)
			c.must(t, 204, "DELETE", path+"/"+created.text(t, row.key), nil)
			plain := c.must(t, 201, "POST", path, row.must)
			given := map[string]bool{"id": true, "created_at": true, "updated_at": true, "version": true}
			for _, key := range row.own {
				given[key] = true
			}
			for key, v := range fresh {
				if row.must[key] == nil && !given[key] &&
					(!reflect.DeepEqual(v, created.at(t, key)) || !reflect.DeepEqual(v, plain.at(t, key))) {
					t.Errorf("%s is %v, a create makes it %v, and %v of what was read", key, v,
						plain.at(t, key), created.at(t, key))
				}
			}
			at := path + "/" + plain.text(t, row.key)
			if edit, item := c.must(t, 200, "GET", at+"/edit", nil),
				c.must(t, 200, "GET", at, nil); !reflect.DeepEqual(edit.Data,
				item.Data) || item.Data == nil {
				t.Errorf("edit %s, item %s", edit.Body, item.Body)
			}
			viewer.must(t, 403, "GET", at+"/edit", nil)
			c.must(t, 404, "GET", path+"/nothing-here/edit", nil)
		})
	}
	if a := c.must(t, 200, "GET", "/media/create", nil); a.text(t, "alt") != "" {
		t.Errorf("file %s", a.Body)
	}
	file := "/media/" + c.upload(t, 201, "a.txt", []byte("x"), nil).text(t, "id")
	if a := c.must(t, 200, "GET", file+"/edit", nil); a.text(t, "name") != "a.txt" {
		t.Errorf("file %s", a.Body)
	}
	c.must(t, 404, "GET", "/models/nope/entries/create", nil)
	c.must(t, 422, "POST", "/models", `{"name":"Of that name","slug":"create"}`)
	c.must(t, 422, "POST", "/forms", `{"name":"Of that name","slug":"create"}`)
	client{s, ""}.must(t, 401, "GET", "/login", nil)
}
