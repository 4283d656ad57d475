package e2e

import (
	"bytes"
	"image"
	"image/png"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"testing"
)

var mediaScenarios = []scenario{
	{name: "media/upload", run: uploads},
	{name: "media/refused", run: refusedUploads},
	{name: "media/list", run: mediaLists},
	{name: "media/delete", run: deleteMedia},
	{name: "media/several", run: severalFiles},
	{name: "media/tags", run: fileTags},
	{name: "media/direct", run: directUploads},
	{name: "media/field", run: mediaFields},
}

func pngFile(width, height int) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes()
}

// form is a multipart body with a file and texts.
func form(t *testing.T, name string, content []byte, texts map[string]string) raw {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		w.WriteField(key, texts[key])
	}
	if name != "" {
		header := textproto.MIMEHeader{}
		header.Set("Content-Disposition",
			`form-data; name="file"; filename="`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name)+`"`)
		header.Set("Content-Type", "application/octet-stream")
		part, err := w.CreatePart(header)
		if err != nil {
			t.Fatal(err)
		}
		part.Write(content)
	}
	w.Close()
	return raw{w.FormDataContentType(), b.Bytes()}
}

// upload sends a file that must be accepted.
func (c *client) upload(t *testing.T, name string, content []byte, texts map[string]string) answer {
	t.Helper()
	return c.ok(t, 201, "POST /upload", form(t, name, content, texts))
}

// fetch reads the URL of a file without a key.
func (s *suite) fetch(t *testing.T, address string) (int, http.Header, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, s.http, req)
}

// read sends a request and reads the answer.
func read(t *testing.T, c *http.Client, req *http.Request) (int, http.Header, []byte) {
	t.Helper()
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, b
}

func uploads(t *testing.T, s *suite) {
	k := s.key(t, nil)
	folder := unique("Folder")
	folderID := s.admin(t).ok(t, 201, "POST /media/folders", obj{"name": folder}).str(t, "data.id")
	picture := pngFile(7, 5)
	a := k.upload(t, "Foto ä 日本.png", picture, map[string]string{"alt": "A door", "caption": "C",
		"folder_id": folderID})
	wanted := obj{"name": "Foto ä 日本.png", "mime": "image/png", "size": len(picture), "width": 7,
		"height": 5, "alt": "A door", "caption": "C", "folder": folder}
	for path, want := range wanted {
		if err := compare(a.get("data."+path), want); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	t.Run("read", func(t *testing.T) {
		k.step(t, step{call: "GET /upload/files/" + a.str(t, "data.id"), status: 200,
			want: obj{"data.url": a.get("data.url"), "data.created_at": timestamp, "data.folder": folder}})
	})
	t.Run("the address needs no key", func(t *testing.T) {
		status, header, content := s.fetch(t, a.str(t, "data.url"))
		if status != 200 || !bytes.Equal(content, picture) ||
			header.Get("Content-Type") != "image/png" || header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%d, %d bytes, %v", status, len(content), header)
		}
	})
	for _, row := range []struct{ name, content, stored, mime string }{
		{"a.txt", "plain text\n", "a.txt", "text/plain"},
		{"../../etc/b.txt", "path", "b.txt", "text/plain"}, {`C:\dir\c.txt`, "path", "c.txt", "text/plain"},
		{"d.csv", "a,b\n1,2\n", "d.csv", "text/csv"},
		{"e.pdf", "%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF\n", "e.pdf", "application/pdf"},
		{"f.gif", "GIF89a\x02\x00\x03\x00\x00\x00\x00;", "f.gif", "image/gif"},
	} {
		t.Run(row.name, func(t *testing.T) {
			k.step(t, step{call: "POST /upload", body: form(t, row.name, []byte(row.content), nil),
				status: 201, want: obj{
					"data.name": row.stored, "data.mime": matches("^" + row.mime), "data.alt": "",
					"data.caption": "", "data.folder": "",
				}})
		})
	}
	t.Run("SVG runs no script", func(t *testing.T) {
		svg := `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="alert(1)"><script>alert(1)</script><rect width="4" height="3"/></svg>`
		status, header, content := s.fetch(t, k.upload(t, "x.svg", []byte(svg), nil).str(t, "data.url"))
		policy := header.Get("Content-Security-Policy")
		if status != 200 || strings.Contains(string(content), "alert") &&
			!strings.Contains(policy, "sandbox") &&
			!strings.Contains(policy, "script-src 'none'") &&
			!strings.Contains(policy, "default-src 'none'") {
			t.Errorf("%d, policy %q: %s", status, policy, content)
		}
	})
}

func refusedUploads(t *testing.T, s *suite) {
	k := s.key(t, nil)
	picture := pngFile(1, 1)
	for _, row := range []struct {
		name   string
		body   any
		status int
		code   string
	}{
		{"html named png", form(t, "a.png", []byte("<!DOCTYPE html><script>alert(1)</script>"),
			nil), 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"png named jpg", form(t, "a.jpg", picture, nil), 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"html", form(t, "a.html", []byte("<!DOCTYPE html><p>x"), nil), 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"program", form(t, "a.exe", []byte("MZ\x90\x00\x03\x00\x00\x00"), nil), 415,
			"UNSUPPORTED_MEDIA_TYPE"},
		{"too large", form(t, "a.txt", bytes.Repeat([]byte("a"), 4<<20+1), nil), 413, "FILE_TOO_LARGE"},
		{"no file", form(t, "", nil, map[string]string{"alt": "x"}), 422, "VALIDATION_FAILED"},
		{"no such folder",
			form(t, "a.png", picture,
				map[string]string{"folder_id": "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"}), 422,
			"VALIDATION_FAILED"},
		{"folder that is no id", form(t, "a.png", picture, map[string]string{"folder_id": "x"}),
			422, "VALIDATION_FAILED"},
		{"JSON", obj{"file": "x"}, 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"no boundary", text("multipart/form-data", "x"), 400, "BAD_REQUEST"},
		{"cut off",
			text("multipart/form-data; boundary=b",
				"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nabc"),
			400, "BAD_REQUEST"},
		{"no part", text("multipart/form-data; boundary=b", ""), 400, "BAD_REQUEST"},
	} {
		k.run(t, step{name: row.name, call: "POST /upload", body: row.body, status: row.status,
			code: row.code})
	}
}

func mediaLists(t *testing.T, s *suite) {
	k := s.key(t, nil)
	folder := unique("List")
	id := s.admin(t).ok(t, 201, "POST /media/folders", obj{"name": folder}).str(t, "data.id")
	in := map[string]string{"folder_id": id}
	k.upload(t, "b.txt", []byte("twelve bytes"), in)
	k.upload(t, "a.png", pngFile(1, 1), in)
	k.upload(t, "c.txt", []byte("x"), in)
	names := func(q, want string) {
		t.Run(q, func(t *testing.T) {
			a := k.ok(t, 200, "GET /upload/files?filter%5Bfolder%5D="+folder+q, nil)
			if got := strings.Join(column(a.get("data"), "name"), " "); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
	names("&sort=name", "a.png b.txt c.txt")
	names("&sort=-name", "c.txt b.txt a.png")
	names("&sort=size", "c.txt b.txt a.png")
	names("&sort=mime,name", "a.png b.txt c.txt")
	names("&sort=created_at", "b.txt a.png c.txt")
	names("", "c.txt a.png b.txt")
	names("&filter%5Bmime%5D=image/*", "a.png")
	names("&filter%5Bmime%5D=image/png", "a.png")
	names("&filter%5Bmime%5D=video/*", "")
	names("&sort=name&per_page=2&page=2", "c.txt")
	names("&q=.txt&sort=name", "b.txt c.txt")
	names("&q=a.&filter%5Bmime%5D=image/*", "a.png")
	names("&q=nothing", "")
	l := "GET /upload/files?filter%5Bfolder%5D=" + folder
	k.run(t,
		step{name: "meta", call: l + "&per_page=2", status: 200,
			want: obj{"meta.page": 1, "meta.per_page": 2, "meta.total": 3, "data.#": 2,
				"meta.next_cursor": present}},
		step{name: "fields", call: l + "&sort=name&fields=name&per_page=1", status: 200,
			want: obj{"data.0.name": "a.png", "data.0.id": present, "data.0.mime": nil}},
		step{name: "unknown sort", call: l + "&sort=alt", status: 400, code: "BAD_REQUEST"},
		step{name: "unknown filter", call: l + "&filter%5Bnothing%5D=x", status: 400, code: "BAD_REQUEST"},
		step{name: "bad page", call: l + "&page=x", status: 400, code: "BAD_REQUEST"},
	)
}

func deleteMedia(t *testing.T, s *suite) {
	k := s.key(t, nil)
	a := k.upload(t, "gone.txt", []byte("x"), nil)
	file := "/upload/files/" + a.str(t, "data.id")
	read := k.ok(t, 200, "GET "+file, nil).Header.Get("ETag")
	s.admin(t).ok(t, 200, "PUT /media/"+a.str(t, "data.id"), obj{"alt": "changed"})
	k.with("If-Match", read).run(t,
		step{name: "changed", call: "DELETE " + file, status: 412, code: "PRECONDITION_FAILED"},
		step{name: "changed, unused", call: "DELETE " + file + "?if_unused=true", status: 412, code: "PRECONDITION_FAILED"},
	)
	now := k.ok(t, 200, "GET "+file, nil).Header.Get("ETag")
	k.with("If-Match", now).step(t, step{name: "delete", call: "DELETE " + file, status: 204})
	k.run(t,
		step{name: "again", call: "DELETE " + file, status: 404, code: "FILE_NOT_FOUND"},
		step{name: "read", call: "GET " + file, status: 404, code: "FILE_NOT_FOUND"},
		step{name: "not an id", call: "GET /upload/files/x", status: 404, code: "FILE_NOT_FOUND"},
	)
	s.eventually(t, "the stored object is gone", func() bool {
		status, _, _ := s.fetch(t, a.str(t, "data.url"))
		return status == 404 || status == 403
	})
}

// severalFiles are moved and deleted together; what cannot be is named.
func severalFiles(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.admin(t)
	ids := []any{k.upload(t, "one.txt", []byte("one"), nil).str(t, "data.id"),
		k.upload(t, "two.txt", []byte("two"), nil).str(t, "data.id")}
	made := admin.ok(t, 201, "POST /media/folders", obj{"name": unique("Several files")})
	folder, name := made.str(t, "data.id"), made.str(t, "data.name")
	const call = "POST /media/several"
	for name, body := range map[string]obj{
		"folder_id": {"action": "move", "ids": ids}, "action": {"action": "sort", "ids": ids},
		"ids": {"action": "delete", "ids": []any{}},
	} {
		admin.run(t, step{name: name, call: call, body: body, status: 422, code: "VALIDATION_FAILED"})
	}
	admin.ok(t, 200, call, obj{"action": "move", "folder_id": folder, "ids": ids})
	for _, id := range ids {
		if got := admin.ok(t, 200, "GET /media/"+id.(string), nil).str(t, "data.folder"); got != name {
			t.Errorf("the file is in %s, want %s", got, name)
		}
	}
	a := admin.ok(t, 200, call, obj{"action": "delete", "ids": append(ids, folder)})
	if got := a.str(t, "data.failed.0.code"); got != "FILE_NOT_FOUND" || a.get("data.done") != 2.0 {
		t.Errorf("deleted %v", a.get("data"))
	}
	for _, id := range ids {
		admin.run(t, step{name: "deleted", call: "GET /media/" + id.(string), status: 404, code: "NOT_FOUND"})
	}
}

// fileTags are set in a file, changed together, and found by filter and search.
func fileTags(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.admin(t)
	one := k.upload(t, "one.txt", []byte("one"), nil).str(t, "data.id")
	two := k.upload(t, "two.txt", []byte("two"), nil).str(t, "data.id")
	tag, other := unique("Tag"), unique("Other")
	admin.run(t,
		step{name: "none at first", call: "GET /media/" + one, status: 200, want: obj{"data.tags": list{}}},
		step{name: "set", call: "PUT /media/" + one, body: obj{"tags": list{" " + tag + " ", tag}}, status: 200,
			want: obj{"data.tags": list{tag}}},
		step{name: "not a list", call: "PUT /media/" + one, body: obj{"tags": tag}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"tags"}},
		step{name: "too long", call: "PUT /media/" + one, body: obj{"tags": list{strings.Repeat("x", 61)}}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"tags"}},
		step{name: "other changes keep them", call: "PUT /media/" + one, body: obj{"caption": "C"}, status: 200,
			want: obj{"data.tags": list{tag}}},
		step{name: "none to add", call: "POST /media/several", body: obj{"action": "tag", "ids": list{one}}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"tags"}},
		step{name: "added", call: "POST /media/several",
			body: obj{"action": "tag", "tags": list{strings.ToUpper(tag), other}, "ids": list{one, two}}, status: 200,
			want: obj{"data.done": 2}},
		step{name: "the spelling that is known", call: "GET /media/" + two, status: 200,
			want: obj{"data.tags": list{tag, other}}},
		step{name: "filter", call: "GET /media?filter%5Btag%5D=" + other, status: 200, want: obj{"meta.total": 2}},
		step{name: "removed", call: "POST /media/several",
			body: obj{"action": "untag", "tags": list{other}, "ids": list{one}}, status: 200, want: obj{"data.done": 1}},
		step{name: "filter again", call: "GET /media?filter%5Btag%5D=" + other, status: 200,
			want: obj{"meta.total": 1, "data.0.id": two}},
		step{name: "search", call: "GET /media?q=" + other, status: 200, want: obj{"meta.total": 1, "data.0.id": two}},
	)
	k.run(t, step{name: "the API's filter", call: "GET /upload/files?filter%5Btag%5D=" + tag, status: 200,
		want: obj{"meta.total": 2}})
}

func directUploads(t *testing.T, s *suite) {
	k := s.key(t, nil)
	content := []byte(strings.Repeat("direct upload\n", 1000))
	start := func(t *testing.T, name, mime string, size int) (id string,
		send func(t *testing.T, content []byte) int) {
		a := k.ok(t, 201, "POST /upload/direct", obj{"name": name, "mime": mime, "size": size, "alt": "A"})
		return a.str(t, "data.id"),
			func(t *testing.T, content []byte) int { return transfer(t, s, a, content) }
	}
	t.Run("whole", func(t *testing.T) {
		id, send := start(t, "direct.txt", "text/plain", len(content))
		k.step(t, step{call: "GET /upload/files/" + id, status: 404, code: "FILE_NOT_FOUND"})
		k.step(t, step{call: "POST /upload/direct/" + id + "/complete", status: 409, code: "CONFLICT"})
		if status := send(t, content); status >= 300 {
			t.Fatalf("the transfer was answered %d", status)
		}
		s.notServed(t, id)
		k.step(t, step{call: "GET /upload/files/" + id, status: 404, code: "FILE_NOT_FOUND"})
		a := k.step(t, step{call: "POST /upload/direct/" + id + "/complete", status: 201,
			want: obj{"data.id": id, "data.size": len(content), "data.name": "direct.txt", "data.alt": "A"}})
		if status, _, got := s.fetch(t, a.str(t, "data.url")); status != 200 || !bytes.Equal(got, content) {
			t.Errorf("%d with %d bytes", status, len(got))
		}
		k.ok(t, 200, "GET /upload/files/"+id, nil)
		again := k.step(t, step{call: "POST /upload/direct/" + id + "/complete", status: 201,
			want: obj{"data.url": a.get("data.url")}})
		send(t, bytes.Repeat([]byte("x"), len(content))) // a later upload must not replace it
		if status, _, got := s.fetch(t, again.str(t, "data.url")); status != 200 ||
			!bytes.Equal(got, content) {
			t.Errorf("sent again: %d with %d bytes", status, len(got))
		}
	})
	t.Run("another type", func(t *testing.T) {
		id, send := start(t, "direct.png", "image/png", len(content))
		send(t, content)
		for range 2 {
			k.step(t, step{call: "POST /upload/direct/" + id + "/complete", status: 415,
				code: "UNSUPPORTED_MEDIA_TYPE"})
			s.notServed(t, id)
		}
	})
	t.Run("another size", func(t *testing.T) {
		for _, size := range []int{len(content) - 1, len(content) + 1} {
			id, send := start(t, "direct.txt", "text/plain", size)
			complete := step{call: "POST /upload/direct/" + id + "/complete", status: 409, code: "CONFLICT"}
			if status := send(t, content); status < 300 { // an emulator may ignore the signed size
				complete.status, complete.code, complete.details = 422, "VALIDATION_FAILED", []string{"size"}
			}
			k.step(t, complete)
			s.notServed(t, id)
		}
	})
	k.run(t,
		step{name: "unknown",
			call: "POST /upload/direct/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/complete", status: 404,
			code: "FILE_NOT_FOUND"},
		step{name: "nothing", call: "POST /upload/direct", body: obj{}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"name", "mime", "size"}},
		step{name: "too large", call: "POST /upload/direct",
			body: obj{"name": "a.mp4", "mime": "video/mp4", "size": 512<<20 + 1}, status: 413,
			code: "FILE_TOO_LARGE"},
		step{name: "not on the list", call: "POST /upload/direct",
			body: obj{"name": "a.exe", "mime": "application/x-msdownload", "size": 1}, status: 415,
			code: "UNSUPPORTED_MEDIA_TYPE"},
		step{name: "disagrees with the name", call: "POST /upload/direct",
			body: obj{"name": "a.png", "mime": "video/mp4", "size": 1}, status: 415,
			code: "UNSUPPORTED_MEDIA_TYPE"},
		step{name: "form", call: "POST /upload/direct", body: text("text/plain", "{}"), status: 415,
			code: "UNSUPPORTED_MEDIA_TYPE"},
	)
}

// notServed checks that a file that was not accepted cannot be read at the URL that it would have.
func (s *suite) notServed(t *testing.T, id string) {
	t.Helper()
	known := s.key(t, nil).upload(t, "known.txt", []byte("x"), nil)
	address := strings.Replace(known.str(t, "data.url"), known.str(t, "data.id"), id, 1)
	for _, at := range []string{address, strings.Replace(address, "/media/", "/incoming/", 1)} {
		if status, header, content := s.fetch(t, at); status != 404 && status != 403 ||
			strings.Contains(header.Get("Cache-Control"), "max-age=3153") {
			t.Errorf("%s: %d, %d bytes, %v", at, status, len(content), header)
		}
	}
}

// transfer sends the content to the URL of a direct upload and returns the status.
func transfer(t *testing.T, s *suite, a answer, content []byte) int {
	t.Helper()
	body := raw{"", content}
	if fields, ok := a.get("data.upload.fields").(obj); ok {
		texts := map[string]string{}
		for key, v := range fields {
			texts[key] = str(v)
		}
		body = form(t, "file", content, texts)
	}
	address := a.str(t, "data.upload.url")
	req, err := http.NewRequestWithContext(t.Context(), a.str(t, "data.upload.method"), address,
		bytes.NewReader(body.bytes))
	if err != nil {
		t.Fatal(err)
	}
	if body.contentType != "" {
		req.Header.Set("Content-Type", body.contentType)
	}
	headers, _ := a.get("data.upload.headers").(obj)
	for key, v := range headers {
		req.Header.Set(key, str(v))
	}
	resp, err := s.http.Do(req)
	if err != nil {
		return 599 // a store may hang up on a body of the wrong size
	}
	resp.Body.Close()
	return resp.StatusCode
}

func mediaFields(t *testing.T, s *suite) {
	k := s.key(t, nil)
	model := s.model(t, obj{"fields": list{field("cover", "media", obj{"mimes": list{"image/*"}})}})
	picture, doc := k.upload(t, "a.png", pngFile(1, 1), nil).str(t, "data.id"),
		k.upload(t, "a.txt", []byte("x"), nil).str(t, "data.id")
	k.run(t,
		step{name: "right type", call: "POST /" + model,
			body: obj{"title": "x", "data": obj{"cover": picture}}, status: 201,
			want: obj{"data.data.cover": picture}},
		step{name: "wrong type", call: "POST /" + model,
			body: obj{"title": "x", "data": obj{"cover": doc}}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"data.cover"}},
	)
}
