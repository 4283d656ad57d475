package admin_test

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/cms/cmstest"
)

// TestShutOutWhileBodyArrives shuts a user out, or takes rights away, while the body of a change arrives slowly:
// nothing is changed.
func TestShutOutWhileBodyArrives(t *testing.T) {
	for kind, body := range map[string]string{"application/json": `{"title": "New"}`,
		"application/x-www-form-urlencoded": url.Values{"title": {"New"}}.Encode(),
		"multipart/form-data; boundary=b":   "--b\r\nContent-Disposition: form-data; name=title\r\n\r\nNew\r\n--b--\r\n"} {
		synctest.Test(t, func(t *testing.T) {
			s := newSite(t)
			c := s.as(t, adminEmail)
			c.must(t, 201, "POST", "/models", `{"slug": "posts", "name": "Posts", "fields": []}`)
			c.must(t, 201, "POST", "/roles", `{"slug": "writer", "name": "Writer", "rules": [{"models": ["posts"]}]}`)
			id := c.must(t, 201, "POST", "/users", user("ed@example.com", "writer")).text(t, "id")
			ed := s.as(t, "ed@example.com")
			send := func(while func()) int {
				r := httptest.NewRequest("POST", "/admin/models/posts/entries",
					&cmstest.Body{Reader: strings.NewReader(body), WhileSent: while})
				r.Header.Set("Content-Type", kind)
				r.Header.Set("Authorization", "Bearer "+ed.token)
				return ed.send(t, r).Code
			}
			if code := send(func() { time.Sleep(2 * time.Second) }); code != 201 && code != 303 {
				t.Errorf("%s, slowly: %d", kind, code)
			}
			for _, change := range []struct {
				path, body string
				want       int
			}{
				{"/roles/writer", `{"rules": [{"models": ["posts"], "actions": ["read"]}]}`, 403},
				{"/roles/writer", `{"require_totp": true}`, 403},
				{"/users/" + id, `{"role": "viewer"}`, 403},
				{"/users/" + id, `{"is_active": false}`, 401},
			} {
				c.must(t, 200, "PUT", "/roles/writer", `{"rules": [{"models": ["posts"]}], "require_totp": false}`)
				c.must(t, 200, "PUT", "/users/"+id, `{"role": "writer"}`)
				if code := send(func() {
					c.must(t, 200, "PUT", change.path, change.body)
					time.Sleep(2 * time.Second)
				}); code != change.want {
					t.Errorf("%s, meanwhile %s %s: %d", kind, change.path, change.body, code)
				}
			}
			if n := c.must(t, 200, "GET", "/models/posts/entries", nil).Meta["total"]; n != 1.0 {
				t.Errorf("%s: %v entries", kind, n)
			}
		})
	}
}
