package e2e

import (
	"bytes"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

var formFileScenarios = []scenario{
	{name: "forms/files", run: formFiles, submits: true},
	{name: "forms/files refused", run: formFilesRefused, submits: true},
	{name: "forms/direct files", run: directFormFiles, submits: true},
	{name: "forms/files without JavaScript", run: plainFormFiles, submits: true},
}

// application is a form with fields of the type file.
func application(t *testing.T, s *suite, definition obj) string {
	body := obj{"fields": list{
		obj{"name": "email", "label": "Address", "type": "email", "required": true},
		obj{"name": "cv", "label": "CV", "type": "file", "required": true, "mimes": list{"text/*", "application/pdf"}},
		obj{"name": "photo", "label": "Photo", "type": "file", "mimes": list{"image/*"}},
		obj{"name": "website", "type": "honeypot"},
	}}
	maps.Copy(body, definition)
	return makeForm(t, s, body)
}

// sentFile is a file of a multipart form.
type sentFile struct{ field, name, content string }

func multipartForm(t *testing.T, texts map[string]string, files ...sentFile) raw {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		w.WriteField(key, texts[key])
	}
	for _, f := range files {
		part, err := w.CreateFormFile(f.field, f.name)
		if err != nil {
			t.Fatal(err)
		}
		part.Write([]byte(f.content))
	}
	w.Close()
	return raw{w.FormDataContentType(), b.Bytes()}
}

// download reads the URL of a file of a submission, with a client of the admin area.
func download(t *testing.T, c *client, address string) (int, http.Header, string) {
	t.Helper()
	at, err := url.Parse(address)
	if err != nil || !at.IsAbs() {
		t.Fatalf("%q, %v", address, err)
	}
	req, _ := c.request(t, "GET "+strings.TrimPrefix(at.Path, adminBase), nil)
	status, header, content := read(t, c.http, req)
	return status, header, string(content)
}

func formFiles(t *testing.T, s *suite) {
	r, admin := newReceiver(t), s.admin(t)
	s.subscribe(t, obj{"url": r.url, "events": list{"form.submission.created"}})
	slug := application(t, s, nil)
	l := "/forms/" + slug + "/submissions"
	s.public().step(t, step{call: "GET /forms/" + slug, status: 200, want: obj{"data.fields.1.type": "file", "data.fields.1.mimes.1": "application/pdf"}})
	id := s.visitor(t).ok(t, 201, "POST /forms/"+slug+"/submit", multipartForm(t, map[string]string{"email": "ada@example.com", "extra": "x"},
		sentFile{"cv", `C:\me\Ada ä.txt`, "what I did"}, sentFile{"photo", "me.png", string(pngFile(3, 2))}, sentFile{"other", "x.txt", "dropped"})).str(t, "data.id")
	a := admin.step(t, step{call: "GET " + l + "/" + id, status: 200, want: obj{"data.fields.cv.name": "Ada ä.txt", "data.fields.cv.size": 10,
		"data.fields.cv.mime": "text/plain", "data.fields.photo.mime": "image/png", "data.fields.other": nil}})
	if value, _ := a.get("data.fields.cv").(obj); len(value) != 4 {
		t.Errorf("the value is %v", value)
	}
	address := a.str(t, "data.fields.cv.url")
	status, header, content := download(t, admin, address)
	if status != 200 || content != "what I did" || !strings.HasPrefix(header.Get("Content-Disposition"), "attachment") ||
		!strings.Contains(header.Get("Cache-Control"), "no-store") {
		t.Errorf("%d %q %v", status, content, header)
	}
	if status, _, _ := download(t, s.anonymousAdmin(), address); status != 401 {
		t.Errorf("without a session: %d", status)
	}
	_, blind := s.role(t, obj{"models": list{"media"}})
	if status, _, _ := download(t, blind, address); status != 404 {
		t.Errorf("for who does not read forms: %d", status)
	}
	d := s.waitAbout(t, r, "form.submission.created", "id", id)
	if got := dig(d.body, "data.fields.cv"); str(dig(got, "url")) != address || str(dig(got, "name")) != "Ada ä.txt" || strings.Contains(string(d.raw), "what I did") {
		t.Errorf("the webhook has %v", got)
	}
	if csv := admin.ok(t, 200, "GET "+l+".csv", nil); !strings.Contains(string(csv.Raw), "Ada ä.txt") {
		t.Errorf("%s", csv.Raw)
	}
	admin.run(t, step{name: "delete", call: "DELETE " + l + "/" + id, status: 204})
	if status, _, _ := download(t, admin, address); status != 404 {
		t.Errorf("after the deletion: %d", status)
	}
}

func formFilesRefused(t *testing.T, s *suite) {
	admin, slug := s.admin(t), application(t, s, nil)
	mail := map[string]string{"email": "ada@example.com"}
	text := sentFile{"cv", "cv.txt", "x"}
	for name, row := range map[string]struct {
		texts   map[string]string
		files   []sentFile
		details []string
	}{
		"missing":         {mail, nil, []string{"cv"}},
		"all at once":     {nil, []sentFile{{"cv", "cv.exe", "MZ\x90\x00"}}, []string{"cv", "email"}},
		"another type":    {mail, []sentFile{{"cv", "cv.png", string(pngFile(1, 1))}}, []string{"cv"}},
		"disguised":       {mail, []sentFile{text, {"photo", "me.png", "<html><script>alert(1)</script>"}}, []string{"photo"}},
		"two in a field":  {mail, []sentFile{text, text}, []string{"cv"}},
		"text for a file": {map[string]string{"email": "ada@example.com", "cv": "none"}, nil, []string{"cv"}},
	} {
		s.visitor(t).step(t, step{name: name, call: "POST /forms/" + slug + "/submit", body: multipartForm(t, row.texts, row.files...),
			status: 422, code: "VALIDATION_FAILED", details: row.details})
	}
	s.visitor(t).run(t,
		step{name: "too large", call: "POST /forms/" + slug + "/submit", body: multipartForm(t, mail, sentFile{"cv", "cv.txt", strings.Repeat("x", 4<<20+1)}),
			status: 413, code: "FILE_TOO_LARGE"},
		step{name: "malformed", call: "POST /forms/" + slug + "/submit", body: raw{"multipart/form-data; boundary=b", []byte("--b\r\n")}, status: 400, code: "BAD_REQUEST"},
	)
	admin.run(t, step{name: "nothing is stored", call: "GET /forms/" + slug + "/submissions", status: 200, want: obj{"meta.total": 0}})
	fields, files := list{}, []sentFile{}
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		fields = append(fields, obj{"name": name, "type": "file"})
		files = append(files, sentFile{name, name + ".txt", name})
	}
	many := makeForm(t, s, obj{"fields": fields})
	s.visitor(t).run(t,
		step{name: "six", call: "POST /forms/" + many + "/submit", body: multipartForm(t, nil, files...), status: 422, code: "VALIDATION_FAILED", details: []string{"f"}},
		step{name: "five", call: "POST /forms/" + many + "/submit", body: multipartForm(t, nil, files[:5]...), status: 201},
	)
	for field, definition := range map[string]obj{"fields.0.mimes": {"name": "a", "type": "text", "mimes": list{"image/*"}},
		"fields.0.mimes.0": {"name": "a", "type": "file", "mimes": list{"pictures"}}, "fields.0.options": {"name": "a", "type": "file", "options": list{"x"}}} {
		admin.step(t, step{call: "PUT /forms/" + slug, body: obj{"fields": list{definition}}, status: 422, code: "VALIDATION_FAILED", details: []string{field}})
	}
	s.visitor(t).ok(t, 201, "POST /forms/"+slug+"/submit", multipartForm(t, map[string]string{"website": "x"}, text))
	admin.step(t, step{call: "GET /forms/" + slug + "/submissions", status: 200, want: obj{"data.0.spam": true, "data.0.fields.cv": nil}})
}

func directFormFiles(t *testing.T, s *suite) {
	admin, slug := s.admin(t), application(t, s, nil)
	content := []byte(strings.Repeat("a long life\n", 500_000)) // 6 MB
	begin := func(v *client, size int) answer {
		return v.ok(t, 201, "POST /forms/"+slug+"/upload", obj{"name": "cv.txt", "mime": "text/plain", "size": size})
	}
	v := s.visitor(t)
	a := begin(v, len(content))
	id, submit := a.str(t, "data.id"), "POST /forms/"+slug+"/submit"
	v.step(t, step{name: "before the transfer", call: submit, body: obj{"email": "ada@example.com", "cv": id}, status: 422, code: "VALIDATION_FAILED", details: []string{"cv"}})
	if status := transfer(t, s, a, content); status >= 300 {
		t.Fatalf("the transfer was answered %d", status)
	}
	other := application(t, s, nil)
	v.step(t, step{name: "another form", call: "POST /forms/" + other + "/submit", body: obj{"email": "ada@example.com", "cv": id}, status: 422,
		code: "VALIDATION_FAILED", details: []string{"cv"}})
	sent := v.ok(t, 201, submit, obj{"email": "ada@example.com", "cv": id}).str(t, "data.id")
	v.step(t, step{name: "again", call: submit, body: obj{"email": "ada@example.com", "cv": id}, status: 422, code: "VALIDATION_FAILED", details: []string{"cv"}})
	shown := admin.step(t, step{call: "GET /forms/" + slug + "/submissions/" + sent, status: 200, want: obj{"data.fields.cv.size": len(content), "data.fields.cv.name": "cv.txt"}})
	status, header, got := download(t, admin, shown.str(t, "data.fields.cv.url"))
	if status == http.StatusFound { // the client does not follow
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, header.Get("Location"), nil)
		if err != nil {
			t.Fatal(err)
		}
		var raw []byte
		status, header, raw = read(t, s.http, req)
		got = string(raw)
	}
	if status != 200 || got != string(content) || !strings.HasPrefix(header.Get("Content-Disposition"), "attachment") {
		t.Errorf("%d, %d bytes, %v", status, len(got), header)
	}
	liar := s.visitor(t)
	a = begin(liar, 10)
	transfer(t, s, a, []byte("%PDF-1.4\n\n"))
	upload := "POST /forms/" + slug + "/upload"
	liar.run(t,
		step{name: "another type than announced", call: submit, body: obj{"email": "ada@example.com", "cv": a.get("data.id")}, status: 422, code: "VALIDATION_FAILED", details: []string{"cv"}},
		step{name: "nothing", call: upload, body: obj{}, status: 422, code: "VALIDATION_FAILED", details: []string{"name", "mime", "size"}},
		step{name: "too large", call: upload, body: obj{"name": "cv.pdf", "mime": "application/pdf", "size": 10<<20 + 1}, status: 413, code: "FILE_TOO_LARGE"},
		step{name: "no field takes it", call: upload, body: obj{"name": "a.mp4", "mime": "video/mp4", "size": 1}, status: 415, code: "UNSUPPORTED_MEDIA_TYPE"},
		step{name: "no form", call: "POST /forms/" + unique("none") + "/upload", body: obj{}, status: 404, code: "FORM_NOT_FOUND"},
	)
	t.Run("limit", func(t *testing.T) {
		v := s.visitor(t)
		for range 10 {
			begin(v, 1)
		}
		v.step(t, step{call: upload, body: obj{"name": "cv.txt", "mime": "text/plain", "size": 1}, status: 429, code: "RATE_LIMITED",
			header: obj{"Retry-After": matches(`^([1-9]|[1-5][0-9]|60)$`)}})
		v.ok(t, 201, submit, multipartForm(t, map[string]string{"email": "ada@example.com"}, sentFile{"cv", "cv.txt", "x"}))
	})
}

func plainFormFiles(t *testing.T, s *suite) {
	slug := application(t, s, nil)
	send := func(body raw) (int, string) {
		v := s.visitor(t)
		req, _ := v.request(t, "POST /forms/"+slug+"/submit", body)
		req.Header.Set("Accept", browserAccept)
		status, _, page := read(t, v.http, req)
		return status, string(page)
	}
	cv := sentFile{"cv", "cv.txt", "x"}
	if status, page := send(multipartForm(t, map[string]string{"email": "ada@example.com"}, cv, sentFile{"photo", "", ""})); status != 201 || !strings.Contains(page, "Thank you, friend.") {
		t.Errorf("%d %s", status, page)
	}
	status, page := send(multipartForm(t, map[string]string{"email": "<ada>"}, cv, sentFile{"photo", "me.png", "no picture"}))
	for _, part := range []string{`value="&lt;ada&gt;"`, `enctype="multipart/form-data"`, `<input type="file" name="photo" accept="image/*">`, "Address must be", "Photo was refused", "Choose cv.txt again."} {
		if status != 422 || !strings.Contains(page, part) {
			t.Errorf("%d, no %q in %s", status, part, page)
		}
	}
	if status, page := send(multipartForm(t, map[string]string{"email": "ada@example.com"}, sentFile{"cv", "cv.txt", strings.Repeat("x", 4<<20+1)})); status != 413 || !strings.Contains(page, `value="ada@example.com"`) {
		t.Errorf("%d %s", status, page)
	}
}
