package forms

import (
	"bytes"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
	"headless/pkg/must"
)

// Files has the scenarios of files in submissions.
var Files = []kit.Scenario{
	{Name: "forms/files", Run: formFiles, Submits: true},
	{Name: "forms/files refused", Run: formFilesRefused, Submits: true},
	{Name: "forms/direct files", Run: directFormFiles, Submits: true},
	{Name: "forms/files without JavaScript", Run: plainFormFiles, Submits: true},
}

// application is a form with fields of the type file.
func application(t *testing.T, s *kit.Suite) string {
	return kit.MakeForm(t, s, kit.Obj{"fields": kit.List{
		kit.Obj{"name": "email", "label": "Address", "type": "email", "required": true},
		kit.Obj{"name": "cv", "label": "CV", "type": "file", "required": true,
			"mimes": kit.List{"text/*", "application/pdf"}},
		kit.Obj{"name": "photo", "label": "Photo", "type": "file", "mimes": kit.List{"image/*"}},
		kit.Obj{"name": "website", "type": "honeypot"},
	}})
}

// sentFile is a file of a multipart form.
type sentFile struct{ field, name, content string }

func multipartForm(t *testing.T, texts map[string]string, files ...sentFile) kit.Body {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		w.WriteField(key, texts[key])
	}
	for _, f := range files {
		part, err := w.CreateFormFile(f.field, f.name)
		must.Do(t, err)
		part.Write([]byte(f.content))
	}
	w.Close()
	return kit.Body{ContentType: w.FormDataContentType(), Bytes: b.Bytes()}
}

// download reads the URL of a file of a submission, with a client of the admin area.
func download(t *testing.T, c *kit.Client, address string) kit.Answer {
	t.Helper()
	at, err := url.Parse(address)
	if err != nil || !at.IsAbs() {
		t.Fatalf("%q, %v", address, err)
	}
	req, _ := c.NewRequest(t, "GET "+strings.TrimPrefix(at.Path, kit.AdminBase), nil)
	return kit.Exchange(t, c.HTTP, req)
}

// isAttachment checks that an answer is a file to be saved.
func isAttachment(t *testing.T, a kit.Answer, content string) {
	t.Helper()
	a.HasStatus(t, "the file", 200)
	kit.Same(t, "the content", string(a.Raw), content)
	if kind := a.Header.Get("Content-Disposition"); !strings.HasPrefix(kind, "attachment") {
		t.Errorf("Content-Disposition %q", kind)
	}
}

func formFiles(t *testing.T, s *kit.Suite) {
	r, admin := kit.NewReceiver(t), s.Admin(t)
	s.Subscribe(t, kit.Obj{"url": r.URL, "events": kit.List{"form.submission.created"}})
	slug := application(t, s)
	l := "/forms/" + slug + "/submissions"
	s.Public().Step(t, kit.Step{Call: "GET /forms/" + slug,
		Want: kit.Obj{"data.fields.1.type": "file", "data.fields.1.mimes.1": "application/pdf"}})
	id := s.Visitor(t).Post(t, "/forms/"+slug+"/submit",
		multipartForm(t, map[string]string{"email": "ada@example.com", "extra": "x"},
			sentFile{"cv", `C:\me\Ada ä.txt`, "what I did"}, sentFile{"photo", "me.png", string(kit.PNG(3, 2))},
			sentFile{"other", "x.txt", "dropped"})).Str(t, "data.id")
	a := admin.Step(t, kit.Step{Call: "GET " + l + "/" + id,
		Want: kit.Obj{"data.fields.cv.name": "Ada ä.txt", "data.fields.cv.size": 10,
			"data.fields.cv.mime": "text/plain", "data.fields.photo.mime": "image/png", "data.fields.other": nil}})
	if value, _ := a.Get("data.fields.cv").(kit.Obj); len(value) != 4 {
		t.Errorf("the value is %v", value)
	}
	address := a.Str(t, "data.fields.cv.url")
	file := download(t, admin, address)
	isAttachment(t, file, "what I did")
	kit.Same(t, "kept by nobody", strings.Contains(file.Header.Get("Cache-Control"), "no-store"), true)
	download(t, s.AnonymousAdmin(), address).HasStatus(t, "without a session", 401)
	_, blind := s.Role(t, kit.Obj{"models": kit.List{"media"}})
	download(t, blind, address).HasStatus(t, "for who does not read forms", 404)
	d := s.WaitAbout(t, r, "form.submission.created", "id", id)
	d.Has(t, "the webhook", kit.Obj{"data.fields.cv.url": address, "data.fields.cv.name": "Ada ä.txt"})
	if strings.Contains(string(d.Raw), "what I did") {
		t.Errorf("the webhook has the content: %s", d.Raw)
	}
	admin.Get(t, l+".csv").Contains(t, "the file", "Ada ä.txt")
	admin.Run(t, kit.Step{Name: "delete", Call: "DELETE " + l + "/" + id, Status: 204})
	download(t, admin, address).HasStatus(t, "after the deletion", 404)
}

func formFilesRefused(t *testing.T, s *kit.Suite) {
	admin, slug := s.Admin(t), application(t, s)
	mail := map[string]string{"email": "ada@example.com"}
	text := sentFile{"cv", "cv.txt", "x"}
	for name, row := range map[string]struct {
		texts   map[string]string
		files   []sentFile
		invalid string
	}{
		"missing":         {mail, nil, "cv"},
		"all at once":     {nil, []sentFile{{"cv", "cv.exe", "MZ\x90\x00"}}, "cv email"},
		"another type":    {mail, []sentFile{{"cv", "cv.png", string(kit.PNG(1, 1))}}, "cv"},
		"disguised":       {mail, []sentFile{text, {"photo", "me.png", "<html><script>alert(1)</script>"}}, "photo"},
		"two in a field":  {mail, []sentFile{text, text}, "cv"},
		"text for a file": {map[string]string{"email": "ada@example.com", "cv": "none"}, nil, "cv"},
	} {
		s.Visitor(t).Step(t, kit.Step{Name: name, Call: "POST /forms/" + slug + "/submit",
			Body: multipartForm(t, row.texts, row.files...), Invalid: row.invalid})
	}
	s.Visitor(t).Run(t,
		kit.Step{Name: "too large", Call: "POST /forms/" + slug + "/submit",
			Body: multipartForm(t, mail, sentFile{"cv", "cv.txt", strings.Repeat("x", 4<<20+1)}), Code: "FILE_TOO_LARGE"},
		kit.Step{Name: "malformed", Call: "POST /forms/" + slug + "/submit",
			Body: kit.Body{ContentType: "multipart/form-data; boundary=b", Bytes: []byte("--b\r\n")}, Code: "BAD_REQUEST"},
	)
	admin.Run(t, kit.Step{Name: "nothing is stored", Call: "GET /forms/" + slug + "/submissions",
		Want: kit.Obj{"meta.total": 0}})
	fields, files := kit.List{}, []sentFile{}
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		fields = append(fields, kit.Obj{"name": name, "type": "file"})
		files = append(files, sentFile{name, name + ".txt", name})
	}
	many := kit.MakeForm(t, s, kit.Obj{"fields": fields})
	s.Visitor(t).Run(t,
		kit.Step{Name: "six", Call: "POST /forms/" + many + "/submit", Body: multipartForm(t, nil, files...), Invalid: "f"},
		kit.Step{Name: "five", Call: "POST /forms/" + many + "/submit", Body: multipartForm(t, nil, files[:5]...),
			Status: 201},
	)
	for field, definition := range map[string]kit.Obj{"fields.0.mimes": {"name": "a", "type": "text",
		"mimes": kit.List{"image/*"}},
		"fields.0.mimes.0": {"name": "a", "type": "file", "mimes": kit.List{"pictures"}},
		"fields.0.options": {"name": "a", "type": "file", "options": kit.List{"x"}}} {
		admin.Step(t, kit.Step{Call: "PUT /forms/" + slug, Body: kit.Obj{"fields": kit.List{definition}}, Invalid: field})
	}
	s.Visitor(t).Post(t, "/forms/"+slug+"/submit", multipartForm(t, map[string]string{"website": "x"}, text))
	admin.Step(t, kit.Step{Call: "GET /forms/" + slug + "/submissions",
		Want: kit.Obj{"data.0.spam": true, "data.0.fields.cv": nil}})
}

func directFormFiles(t *testing.T, s *kit.Suite) {
	admin, slug := s.Admin(t), application(t, s)
	content := []byte(strings.Repeat("a long life\n", 500_000)) // 6 MB
	begin := func(v *kit.Client, size int) kit.Answer {
		return v.Post(t, "/forms/"+slug+"/upload", kit.Obj{"name": "cv.txt", "mime": "text/plain", "size": size})
	}
	v := s.Visitor(t)
	a := begin(v, len(content))
	id, submit := a.Str(t, "data.id"), "POST /forms/"+slug+"/submit"
	v.Step(t, kit.Step{Name: "before the transfer", Call: submit, Body: kit.Obj{"email": "ada@example.com", "cv": id},
		Invalid: "cv"})
	kit.UploadDirectly(t, s, a, content)
	other := application(t, s)
	v.Step(t, kit.Step{Name: "another form", Call: "POST /forms/" + other + "/submit",
		Body: kit.Obj{"email": "ada@example.com", "cv": id}, Invalid: "cv"})
	sent := v.OK(t, 201, submit, kit.Obj{"email": "ada@example.com", "cv": id}).Str(t, "data.id")
	v.Step(t, kit.Step{Name: "again", Call: submit, Body: kit.Obj{"email": "ada@example.com", "cv": id}, Invalid: "cv"})
	shown := admin.Step(t, kit.Step{Call: "GET /forms/" + slug + "/submissions/" + sent,
		Want: kit.Obj{"data.fields.cv.size": len(content), "data.fields.cv.name": "cv.txt"}})
	file := download(t, admin, shown.Str(t, "data.fields.cv.url"))
	if file.Status == http.StatusFound { // the client does not follow
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, file.Header.Get("Location"), nil)
		must.Do(t, err)
		file = kit.Exchange(t, s.HTTP, req)
	}
	isAttachment(t, file, string(content))
	liar := s.Visitor(t)
	a = begin(liar, 10)
	kit.SendDirectly(t, s, a, []byte("%PDF-1.4\n\n"))
	upload := "POST /forms/" + slug + "/upload"
	liar.Run(t,
		kit.Step{Name: "another type than announced", Call: submit,
			Body: kit.Obj{"email": "ada@example.com", "cv": a.Get("data.id")}, Invalid: "cv"},
		kit.Step{Name: "nothing", Call: upload, Body: kit.Obj{}, Invalid: "name mime size"},
		kit.Step{Name: "too large", Call: upload,
			Body: kit.Obj{"name": "cv.pdf", "mime": "application/pdf", "size": 10<<20 + 1}, Code: "FILE_TOO_LARGE"},
		kit.Step{Name: "no field takes it", Call: upload, Body: kit.Obj{"name": "a.mp4", "mime": "video/mp4", "size": 1},
			Code: "UNSUPPORTED_MEDIA_TYPE"},
		kit.Step{Name: "no form", Call: "POST /forms/" + kit.Unique("none") + "/upload", Body: kit.Obj{},
			Code: "FORM_NOT_FOUND"},
	)
	t.Run("limit", func(t *testing.T) {
		v := s.Visitor(t)
		for range 10 {
			begin(v, 1)
		}
		v.Step(t, kit.Step{Call: upload, Body: kit.Obj{"name": "cv.txt", "mime": "text/plain", "size": 1},
			Code: "RATE_LIMITED", Header: kit.Obj{"Retry-After": kit.Matches(`^([1-9]|[1-5][0-9]|60)$`)}})
		v.OK(t, 201, submit, multipartForm(t, map[string]string{"email": "ada@example.com"}, sentFile{"cv", "cv.txt", "x"}))
	})
}

func plainFormFiles(t *testing.T, s *kit.Suite) {
	slug := application(t, s)
	send := func(body kit.Body) kit.Answer {
		v := s.Visitor(t)
		req, _ := v.NewRequest(t, "POST /forms/"+slug+"/submit", body)
		req.Header.Set("Accept", browserAccept)
		return kit.Exchange(t, v.HTTP, req)
	}
	cv := sentFile{"cv", "cv.txt", "x"}
	taken := send(multipartForm(t, map[string]string{"email": "ada@example.com"}, cv, sentFile{"photo", "", ""}))
	taken.HasStatus(t, "a form", 201)
	taken.Contains(t, "a form", "Thank you, friend.")
	refused := send(multipartForm(t, map[string]string{"email": "<ada>"}, cv,
		sentFile{"photo", "me.png", "no picture"}))
	refused.HasStatus(t, "a bad form", 422)
	refused.Contains(t, "a bad form", `value="&lt;ada&gt;"`, `enctype="multipart/form-data"`,
		`<input type="file" name="photo" accept="image/*" aria-invalid="true"`, "This field must be an e-mail address<",
		"This field was refused: ", "Choose cv.txt again.")
	large := send(multipartForm(t, map[string]string{"email": "ada@example.com"},
		sentFile{"cv", "cv.txt", strings.Repeat("x", 4<<20+1)}))
	large.HasStatus(t, "a large file", 413)
	large.Contains(t, "a large file", `value="ada@example.com"`)
}
