package admin_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"headless/pkg/table"
)

// severalFiles is the form with more than one file, which all have the same content.
func severalFiles(t *testing.T, token, content string, names ...string) *http.Request {
	t.Helper()
	r := withFiles(t, "/media", url.Values{"_csrf": {token}}, []byte(content), names...)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return r
}

// TestSeveralFiles is the form without its script.
func TestSeveralFiles(t *testing.T) {
	s := newSite(t)
	b := s.browse(t)
	page := b.get(t, "/media/create")
	if !contains(page, ` multiple data-direct="/admin/media/direct" data-max="1048576"`) {
		t.Errorf("%s", page.Body)
	}
	send := func(content string, names ...string) answer {
		r := severalFiles(t, page.csrf(t), content, names...)
		r.Header.Set("Accept", "text/html")
		r.AddCookie(b.cookie)
		return b.send(t, r)
	}
	if a := send("text", "a.txt", "b.txt"); a.Code != 303 ||
		a.Header().Get("Location") != "/admin/media?ok=created" {
		t.Errorf("%d %v %s", a.Code, a.Header(), a.Body)
	}
	if a := send("text", "c.txt", "d.png", "e.txt"); a.Code != 415 ||
		!contains(a, "d.png was not uploaded, but the file before it. The content is plain text") {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	if a := send(strings.Repeat("x", 1<<20), "f.txt", "g.txt"); a.Code != 413 ||
		!contains(a, "or several together") {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	c := s.as(t, adminEmail)
	r := severalFiles(t, "", "text", "h.txt", "i.txt")
	r.Header.Set("Authorization", "Bearer "+c.token)
	if a := c.send(t, r); a.Code != 422 || len(a.Error.Details["file"]) != 1 {
		t.Errorf("JSON: %d %s", a.Code, a.Body)
	}
	var names []string
	list := c.must(t, 200, "GET", "/media?sort=name", nil)
	for i := range len(list.Data.([]any)) {
		names = append(names, list.text(t, i, "name"))
	}
	if got := strings.Join(names, " "); got != "a.txt b.txt c.txt" {
		t.Error(got)
	}
}

// TestSeveralFilesInPart: the answer says which files are stored, also where a store does not answer.
func TestSeveralFilesInPart(t *testing.T) {
	left := 1 << 20 // batches that the table takes: one before each file is stored
	s := newSiteOn(t, func(file table.Table) table.Table {
		return table.NewFaulty(file, func(c table.Call) table.Fault {
			if c.Method == "BatchWrite" {
				if left--; left < 0 {
					return table.Fault{Kind: table.Throttled}
				}
			}
			return table.Fault{}
		})
	})
	b := s.browse(t)
	r := severalFiles(t, b.get(t, "/media/create").csrf(t), "text", "a.txt", "b.txt")
	r.Header.Set("Accept", "text/html")
	r.AddCookie(b.cookie)
	left = 1
	if a := b.send(t, r); a.Code != 503 || !contains(a, "b.txt was not uploaded, but the file before it.") {
		t.Errorf("%d %s", a.Code, a.Body)
	}
}

// TestUploadPolicy lets the scripts of pages with an upload send files to their store, and those of
// other pages not.
func TestUploadPolicy(t *testing.T) {
	b := newSite(t).browse(t)
	form := b.get(t, "/media/create")
	refused := b.upload(t, "a.png", []byte("text"), map[string]string{"_csrf": form.csrf(t)})
	for name, a := range map[string]answer{"form": form, "form again": refused,
		"library": b.get(t, "/media")} {
		if policy := a.Header().Get("Content-Security-Policy"); !strings.Contains(policy,
			"; connect-src 'self' https://files.example.com; ") {
			t.Errorf("%s: %s", name, policy)
		}
	}
	if policy := b.get(t, "/models").Header().Get("Content-Security-Policy"); !strings.Contains(policy,
		"; connect-src 'self'; ") {
		t.Errorf("another page: %s", policy)
	}
}

// TestDirectMedia sends a file as the script of the page does.
func TestDirectMedia(t *testing.T) {
	s := newSite(t)
	b := s.browse(t)
	token := b.get(t, "/media/create").csrf(t)
	content := strings.Repeat("0123456789abcdef", 100_000)
	post := func(path, body, csrf, site string) answer {
		r := httptest.NewRequest("POST", "/admin"+path, strings.NewReader(body))
		r.Header.Set("Accept", "application/json")
		r.Header.Set("Sec-Fetch-Site", site)
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		if csrf != "" {
			r.Header.Set("X-CSRF-Token", csrf)
		}
		r.AddCookie(b.cookie)
		return b.send(t, r)
	}
	begin := `{"name":"long.txt","mime":"text/plain","size":1600000,"alt":"A","caption":"","folder_id":""}`
	a := post("/media/direct", begin, token, "same-origin")
	if a.Code != 201 {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	id := a.text(t, "id")
	complete := "/media/direct/" + id + "/complete"
	if a := post(complete, "", token, "same-origin"); a.Code != 409 {
		t.Errorf("before the transfer: %d %s", a.Code, a.Body)
	}
	r := httptest.NewRequest(a.text(t, "upload", "method"), a.text(t, "upload", "url"),
		strings.NewReader(content))
	for name, value := range a.at(t, "upload", "headers").(map[string]any) {
		r.Header.Set(name, value.(string))
	}
	w := httptest.NewRecorder()
	s.blobs.UploadHandler().ServeHTTP(w, r)
	if w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	for name, a := range map[string]answer{
		"no token":            post(complete, "", "", "same-origin"),
		"another token":       post(complete, "", "x", "same-origin"),
		"another site":        post(complete, "", token, "cross-site"),
		"another site begins": post("/media/direct", begin, "", "cross-site"),
	} {
		if a.Code != 403 {
			t.Errorf("%s: %d %s", name, a.Code, a.Body)
		}
	}
	for range 2 {
		if a := post(complete, "", token, "same-origin"); a.Code != 201 || a.text(t, "id") != id ||
			a.text(t, "alt") != "A" {
			t.Errorf("%d %s", a.Code, a.Body)
		}
	}
	c := s.as(t, adminEmail)
	if a := c.must(t, 200, "GET", "/activity", nil); a.text(t, 1, "event") != "media.uploaded" ||
		a.text(t, 1, "actor") != adminEmail || a.text(t, 1, "source") != "admin" {
		t.Errorf("%s", a.Body)
	}
	c.must(t, 413, "POST", "/media/direct", `{"name":"a.txt","mime":"text/plain","size":8388609}`)
	c.must(t, 422, "POST", "/media/direct", `{}`)
	c.must(t, 404, "POST", "/media/direct/x/complete", nil)
	c.must(t, 201, "POST", "/users",
		`{"email":"v@example.com","name":"V","role":"viewer","password":"`+password+`"}`)
	viewer := s.as(t, "v@example.com")
	viewer.must(t, 403, "POST", "/media/direct", begin)
	viewer.must(t, 403, "POST", complete, nil)
	client{s, ""}.must(t, 401, "POST", "/media/direct", begin)
}
