package admin_test

import (
	"bytes"
	"mime/multipart"
	"net/http/httptest"
	"strings"
	"testing"

	"headless/pkg/must"
)

// TestCSVOnlyTried ticks the box of the form for CSV files, which sends "true" after the "false" of a hidden field.
func TestCSVOnlyTried(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"notes","name":"Notes"}`)
	page := b.get(t, "/models/notes/import")
	for _, tried := range []bool{true, false} {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		values := [][2]string{{"_csrf", page.csrf(t)}, {"mode", "draft"}, {"dry_run", "false"}, {"dry_run", "true"}}
		if !tried {
			values = values[:3]
		}
		for _, v := range values {
			must.Do(t, form.WriteField(v[0], v[1]))
		}
		part, err := form.CreateFormFile("file", "a.csv")
		must.Do(t, err)
		_, err = part.Write([]byte("title\nOne\n"))
		must.Do(t, err)
		must.Do(t, form.Close())
		r := httptest.NewRequest("POST", "/admin/models/notes/entries.csv", &body)
		r.Header.Set("Content-Type", form.FormDataContentType())
		r.Header.Set("Accept", "text/html")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.AddCookie(b.cookie)
		a := s.send(t, r)
		if a.Code != 303 {
			t.Fatalf("%d %s", a.Code, a.Body)
		}
		_, job, _ := strings.Cut(a.Header().Get("Location"), "/jobs/")
		if _, err := s.on.Jobs.Work(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		if list := c.must(t, 200, "GET", "/models/notes/entries", nil); contains(list, `"title":"One"`) == tried {
			t.Errorf("only tried: %v, and the entries are %s", tried, list.Body)
		}
	}
}
