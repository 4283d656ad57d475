package admin_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"headless/pkg/slice"
)

// uploadForm is a request that carries a file and texts.
func uploadForm(t *testing.T, name string, content []byte, texts map[string]string) *http.Request {
	t.Helper()
	form, names := url.Values{}, []string{name}
	for key, v := range texts {
		form.Set(key, v)
	}
	return withFiles(t, "/media", form, content, slice.Filled(names)...)
}

func (c client) upload(t *testing.T, status int, name string, content []byte,
	texts map[string]string) answer {
	t.Helper()
	r := uploadForm(t, name, content, texts)
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Authorization", "Bearer "+c.token)
	a := c.send(t, r)
	if a.Code != status {
		t.Fatalf("%d, want %d: %s", a.Code, status, a.Body)
	}
	return a
}

func (b browser) upload(t *testing.T, name string, content []byte, texts map[string]string) answer {
	t.Helper()
	r := uploadForm(t, name, content, texts)
	r.Header.Set("Accept", "text/html")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.AddCookie(b.cookie)
	return b.send(t, r)
}

// TestReplaceContentRefused: refused content shows the form again, with the reason.
func TestReplaceContentRefused(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	item := "/media/" + c.upload(t, 201, "a.png", picture(t), nil).text(t, "id")
	form := map[string]string{"_csrf": b.get(t, item+"/content").csrf(t), "_method": "PUT"}
	for content, want := range map[string]string{"text": "does not fit the ending .png",
		strings.Repeat("x", 1<<20+1): "more than 1048576 bytes", strings.Repeat("x", 3<<20): "more than 1048576 bytes"} {
		r := uploadForm(t, "b.png", []byte(content), form)
		r.URL.Path = "/admin" + item + "/content"
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.AddCookie(b.cookie)
		if a := b.send(t, r); a.Code < 413 || !contains(a, want) || !contains(a, `name="file"`) {
			t.Errorf("%d bytes: %d %s", len(content), a.Code, a.Body)
		}
	}
}

// TestDecorativeCard: the library asks for no text of a picture that needs none.
func TestDecorativeCard(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	item := "/media/" + c.upload(t, 201, "a.png", picture(t), nil).text(t, "id")
	if !contains(b.get(t, "/media"), "data-quiet") {
		t.Error("no text is asked for")
	}
	c.must(t, 200, "PUT", item, `{"decorative":true}`)
	if contains(b.get(t, "/media"), "data-quiet") {
		t.Error("a text is asked for")
	}
}

func TestMediaPages(t *testing.T) {
	b := newSite(t).browse(t)
	page := b.get(t, "/media/create")
	if page.Code != 200 || !contains(page, `enctype="multipart/form-data"`) {
		t.Fatalf("%d %s", page.Code, page.Body)
	}
	if a := b.upload(t, "a.txt", []byte("x"), nil); a.Code != 403 {
		t.Errorf("without a token: %d", a.Code)
	}
	token := map[string]string{"_csrf": page.csrf(t), "alt": "What it shows"}
	if a := b.upload(t, "a.png", []byte("text"), token); a.Code != 415 ||
		!contains(a, "The content is plain text, which does not fit the ending .png.") {
		t.Errorf("refused: %d %s", a.Code, a.Body)
	}
	// Both over the limit of a file and over that of the body.
	for _, size := range []int{1<<20 + 1, 3 << 20} {
		if a := b.upload(t, "a.txt", bytes.Repeat([]byte("x"), size), token); a.Code != 413 ||
			!contains(a, "more than 1048576 bytes") || !contains(a, `enctype="multipart/form-data"`) {
			t.Errorf("%d bytes: %d %s", size, a.Code, a.Body)
		}
	}
	a := b.upload(t, "<b>.txt", []byte("x"), token)
	item, ok := strings.CutPrefix(a.Header().Get("Location"), "/admin")
	if a.Code != 303 || !ok {
		t.Fatalf("%d %v", a.Code, a.Header())
	}
	item, _, _ = strings.Cut(item, "?")
	for path, want := range map[string]string{
		item: "What it shows", item + "/edit": "What it shows", "/media": "&lt;b&gt;.txt",
		"/media?filter[mime]=text/*": "&lt;b&gt;.txt",
		"/media/folders":             "New folder", "/media/folders/create": "Create folder",
	} {
		if a := b.get(t, path); a.Code != 200 || !contains(a, want) {
			t.Errorf("%s: %d %s", path, a.Code, a.Body)
		}
	}
}

// TestFocalForm writes the focal point of a picture as two numbers, which is how the form shows it.
func TestFocalForm(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	item := "/media/" + c.upload(t, 201, "a.png", picture(t), nil).text(t, "id")
	save := func(focal string, status int) {
		t.Helper()
		a := b.post(t, item, url.Values{"_csrf": {b.get(t, item+"/edit").csrf(t)}, "_method": {"PUT"}, "focal": {focal}})
		if a.Code != status || status == 422 && !contains(a, `value="`+focal+`"`) {
			t.Fatalf("%q: %d %s", focal, a.Code, a.Body)
		}
	}
	save("0.25,0.5", 303)
	if f, ok := c.must(t, 200, "GET", item, nil).at(t, "focal").(map[string]any); !ok || f["x"] != 0.25 || f["y"] != 0.5 {
		t.Errorf("stored %v", f)
	}
	if a := b.get(t, item+"/edit"); !contains(a, `value="0.25, 0.5"`) {
		t.Errorf("the form: %s", a.Body)
	}
	for _, wrong := range []string{"0.25, 2", "0.25, b", "middle", "0.1, 0.2, 0.3"} {
		save(wrong, 422)
	}
	save("", 303)
	if f := c.must(t, 200, "GET", item, nil).at(t, "focal"); f != nil {
		t.Errorf("still %v", f)
	}
}

// TestAltsForm writes alternative texts by locale in the form of a file, which folds several of them.
func TestAltsForm(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	item := "/media/" + c.upload(t, 201, "a.txt", []byte("text"), map[string]string{"alt": "A"}).text(t, "id")
	if a := b.get(t, item+"/edit").Body.String(); strings.Index(a, `name="alt"`) < strings.Index(a, `name="caption"`) {
		t.Error("the alternative text stands far from the picture")
	}
	if a := b.get(t, item+"/edit"); contains(a, `name="alts`) {
		t.Errorf("a site of one locale asks for texts by locale: %s", a.Body)
	}
	c.must(t, 201, "POST", "/locales", `{"code":"fr","name":"French"}`)
	input := `<label for="f-alts.fr">Alternative text in French</label>`
	if a := b.get(t, item+"/edit"); !contains(a, input) || contains(a, "other language") {
		t.Errorf("one other locale: %s", a.Body)
	}
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German","is_active":false}`)
	page := b.get(t, item+"/edit")
	if !contains(page, "<details><summary>Alternative text in 2 other languages</summary>") || !contains(page, input) {
		t.Errorf("two other locales: %s", page.Body)
	}
	form := url.Values{"_csrf": {page.csrf(t)}, "_method": {"PUT"}, "alts.fr": {"Un <a>"},
		"alts.de": {strings.Repeat("x", 64<<10+1)}}
	if a := b.post(t, item, form); a.Code != 422 || !contains(a, `value="Un &lt;a&gt;"`) ||
		!contains(a, "<details open><summary>Alternative text in 2 other languages") {
		t.Errorf("too long: %d %.9000s", a.Code, a.Body)
	}
	form.Set("alts.de", "")
	if a := b.post(t, item, form); a.Code != 303 {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	a := b.get(t, item)
	if !contains(a, `<dt>Alternative text in French</dt><dd><pre lang="fr">Un &lt;a&gt;</pre>`) ||
		contains(a, "in German") {
		t.Errorf("the page of the file: %s", a.Body)
	}
	c.must(t, 200, "PUT", item, `{"alts":{"en":"By the default locale"}}`)
	if a := b.get(t, item+"/edit"); !contains(a, "Alternative text in 3 other languages") ||
		!contains(a, `value="By the default locale"`) {
		t.Errorf("a text that entries of the default locale show cannot be changed: %s", a.Body)
	}
}

func TestMedia(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	folder := c.must(t, 201, "POST", "/media/folders", `{"name":"Blog"}`).text(t, "id")
	a := c.upload(t, 201, "a.txt", []byte("text"), map[string]string{"alt": "A", "folder_id": folder})
	if got := fmt.Sprintln(a.at(t, "name"), a.at(t, "folder"), a.at(t, "alt"),
		a.at(t, "size")); got != "a.txt Blog A 4\n" {
		t.Error(got)
	}
	if a := c.upload(t, 201, "b\x07ell.txt", []byte("text"), nil); a.text(t, "name") != "bell.txt" {
		t.Errorf("%s", a.Body)
	}
	item := "/media/" + a.text(t, "id")
	c.upload(t, 422, "", nil, nil)
	c.upload(t, 415, "a.png", []byte("text"), nil)
	c.upload(t, 422, "a.txt", []byte("text"), map[string]string{"folder_id": "none"})
	for _, size := range []int{1<<20 + 1, 3 << 20} {
		if a := c.upload(t, 413, "a.txt", bytes.Repeat([]byte("x"), size), nil); a.Error.Code != "FILE_TOO_LARGE" ||
			!strings.Contains(a.Error.Message, "1048576 bytes") {
			t.Errorf("%d bytes: %s", size, a.Body)
		}
	}
	c.must(t, 415, "POST", "/media", `{"file":"x"}`)

	if a := c.must(t, 200, "PUT", item,
		`{"name":"b.txt","caption":"C","folder_id":null,"url":"ignored","size":1}`); a.text(t, "name") != "b.txt" ||
		a.text(t, "folder") != "" || a.text(t, "caption") != "C" ||
		a.text(t, "alt") != "A" {
		t.Errorf("%s", a.Body)
	}
	for body, field := range map[string]string{
		`{"name":""}`: "name", `{"name":"x/y.txt"}`: "name", `{"name":"x.png"}`: "name",
		`{"alt":1}`: "alt", `{"folder_id":"none"}`: "folder_id",
		`{"folder_id":"018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"}`: "folder_id", `{"nothing":1}`: "nothing",
	} {
		if a := c.must(t, 422, "PUT", item, body); a.Error.Details[field] == nil {
			t.Errorf("%s: %s", body, a.Body)
		}
	}
	c.must(t, 200, "PUT", item, `{"folder_id":"`+folder+`"}`)
	c.must(t, 409, "DELETE", "/media/folders/"+folder, nil)
	if a := c.must(t, 200, "GET", "/media?filter[folder]=Blog&q=b&sort=-name", nil); fmt.Sprint(a.Meta["total"]) != "1" {
		t.Errorf("%s", a.Body)
	}
	c.must(t, 400, "GET", "/media?sort=alt", nil)
	c.must(t, 404, "GET", item+"/other", nil)
	c.must(t, 204, "DELETE", item, nil)
	c.must(t, 404, "DELETE", item, nil)
	c.must(t, 204, "DELETE", "/media/folders/"+folder, nil)
	var events []string
	activity := c.must(t, 200, "GET", "/activity", nil)
	for i := range 8 {
		if event := activity.text(t, i, "event"); strings.HasPrefix(event, "media.") ||
			strings.HasPrefix(event, "folder.") {
			events = append(events, event)
		}
	}
	if got := strings.Join(events,
		" "); got != "folder.deleted media.deleted media.updated media.updated media.uploaded media.uploaded folder.created" {
		t.Error(got)
	}
}

// TestLibraryPages: the library leads to its pages by number, as lists do.
func TestLibraryPages(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	for _, name := range []string{"a", "b", "c"} {
		c.upload(t, 201, name+".svg", []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), nil)
	}
	if page := b.get(t, "/media?per_page=1&page=2"); !contains(page,
		`page=3&amp;per_page=1"><span class="hidden">Page </span>3`) {
		t.Errorf("no link to page 3: %s", page.Body)
	}
}
