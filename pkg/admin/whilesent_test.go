package admin_test

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"headless/pkg/cms/cmstest"
	"headless/pkg/must"
)

// TestModelRenamedWhileBodyArrives: a request that is answered 404 because its model had another slug when it came
// changes nothing.
func TestModelRenamedWhileBodyArrives(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"slug": "early", "name": "Early", "fields": []}`)
	id := c.must(t, 201, "POST", "/models/early/entries", `{"title": "T"}`).text(t, "id")
	for _, request := range [][3]string{
		{"POST", "", `{"title": "New"}`},
		{"PUT", "/" + id, `{"title": "Changed"}`},
		{"PUT", "/" + id + "/draft", `{"title": "Draft"}`},
		{"POST", "/" + id + "/publish", `{}`},
		{"POST", "/" + id + "/duplicate", `{}`},
		{"PUT", "/" + id + "/schedule", `{"publish_at": "2030-01-01T00:00:00Z"}`},
		{"POST", "/" + id + "/comments", `{"text": "C"}`},
		{"POST", "/" + id + "/review", `{}`},
	} {
		r := httptest.NewRequest(request[0], "/admin/models/late/entries"+request[1], &cmstest.Body{
			Reader:    strings.NewReader(request[2]),
			WhileSent: func() { c.must(t, 200, "PUT", "/models/early", `{"slug": "late"}`) }})
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+c.token)
		a := c.send(t, r)
		_, err := io.Copy(io.Discard, r.Body) // as a server does
		must.Do(t, err)
		last := c.must(t, 200, "GET", "/activity?per_page=1", nil).Data.([]any)[0].(map[string]any)["event"]
		if a.Code == 404 && last != "model.updated" {
			t.Errorf("%s …%s: %s, and then the record %v", request[0], request[1], a.Body, last)
		}
		if a.Code != 404 && last == "model.updated" {
			t.Errorf("%s …%s: %d %s", request[0], request[1], a.Code, a.Body)
		}
		c.must(t, 200, "PUT", "/models/late", `{"slug": "early"}`)
	}
}
