package media

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
	"headless/pkg/must"
)

// Files has the scenarios of uploads and lists of files.
var Files = []kit.Scenario{
	{Name: "media/upload", Run: uploads},
	{Name: "media/refused", Run: refusedUploads},
	{Name: "media/list", Run: mediaLists},
	{Name: "media/delete", Run: deleteMedia},
	{Name: "media/several", Run: severalFiles},
	{Name: "media/tags", Run: fileTags},
	{Name: "media/direct", Run: directUploads},
	{Name: "media/field", Run: mediaFields},
}

// fetch reads the URL of a file without a key.
func fetch(t *testing.T, s *kit.Suite, address string) (int, http.Header, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	must.Do(t, err)
	a := kit.Exchange(t, s.HTTP, req)
	return a.Status, a.Header, a.Raw
}

func uploads(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	folder := kit.Unique("Folder")
	folderID := s.Admin(t).Post(t, "/media/folders", kit.Obj{"name": folder}).Str(t, "data.id")
	picture := kit.PNG(7, 5)
	a := k.Upload(t, "Foto ä 日本.png", picture, map[string]string{"alt": "A door", "caption": "C", "folder_id": folderID})
	a.Has(t, "the file", kit.Obj{"data.name": "Foto ä 日本.png", "data.mime": "image/png", "data.size": len(picture),
		"data.width": 7, "data.height": 5, "data.alt": "A door", "data.caption": "C", "data.folder": folder})
	t.Run("read", func(t *testing.T) {
		k.Step(t, kit.Step{Call: "GET /upload/files/" + a.Str(t, "data.id"),
			Want: kit.Obj{"data.url": a.Get("data.url"), "data.created_at": kit.Timestamp, "data.folder": folder}})
	})
	t.Run("the address needs no key", func(t *testing.T) {
		status, header, content := fetch(t, s, a.Str(t, "data.url"))
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
			k.Step(t, kit.Step{Call: "POST /upload", Body: kit.FileBody(t, row.name, []byte(row.content), nil), Status: 201,
				Want: kit.Obj{
					"data.name": row.stored, "data.mime": kit.Matches("^" + row.mime), "data.alt": "",
					"data.caption": "", "data.folder": "",
				}})
		})
	}
	t.Run("SVG runs no script", func(t *testing.T) {
		svg := `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="alert(1)"><script>alert(1)</script><rect width="4" height="3"/></svg>`
		status, header, content := fetch(t, s, k.Upload(t, "x.svg", []byte(svg), nil).Str(t, "data.url"))
		policy := header.Get("Content-Security-Policy")
		if status != 200 || strings.Contains(string(content), "alert") &&
			!strings.Contains(policy, "sandbox") &&
			!strings.Contains(policy, "script-src 'none'") &&
			!strings.Contains(policy, "default-src 'none'") {
			t.Errorf("%d, policy %q: %s", status, policy, content)
		}
	})
}

func refusedUploads(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	picture := kit.PNG(1, 1)
	for _, row := range []struct {
		name   string
		body   any
		status int
		code   string
	}{
		{"html named png", kit.FileBody(t, "a.png", []byte("<!DOCTYPE html><script>alert(1)</script>"),
			nil), 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"png named jpg", kit.FileBody(t, "a.jpg", picture, nil), 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"html", kit.FileBody(t, "a.html", []byte("<!DOCTYPE html><p>x"), nil), 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"program", kit.FileBody(t, "a.exe", []byte("MZ\x90\x00\x03\x00\x00\x00"), nil), 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"too large", kit.FileBody(t, "a.txt", bytes.Repeat([]byte("a"), 4<<20+1), nil), 413, "FILE_TOO_LARGE"},
		{"no file", kit.FileBody(t, "", nil, map[string]string{"alt": "x"}), 422, "VALIDATION_FAILED"},
		{"no such folder",
			kit.FileBody(t, "a.png", picture, map[string]string{"folder_id": kit.UnknownID}), 422,
			"VALIDATION_FAILED"},
		{"folder that is no id", kit.FileBody(t, "a.png", picture, map[string]string{"folder_id": "x"}),
			422, "VALIDATION_FAILED"},
		{"JSON", kit.Obj{"file": "x"}, 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"no boundary", kit.Text("multipart/form-data", "x"), 400, "BAD_REQUEST"},
		{"cut off",
			kit.Text("multipart/form-data; boundary=b",
				"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nabc"),
			400, "BAD_REQUEST"},
		{"no part", kit.Text("multipart/form-data; boundary=b", ""), 400, "BAD_REQUEST"},
	} {
		k.Run(t, kit.Step{Name: row.name, Call: "POST /upload", Body: row.body, Status: row.status, Code: row.code})
	}
}

func mediaLists(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	folder := kit.Unique("List")
	id := s.Admin(t).Post(t, "/media/folders", kit.Obj{"name": folder}).Str(t, "data.id")
	in := map[string]string{"folder_id": id}
	k.Upload(t, "b.txt", []byte("twelve bytes"), in)
	k.Upload(t, "a.png", kit.PNG(1, 1), in)
	k.Upload(t, "c.txt", []byte("x"), in)
	names := func(q, want string) {
		t.Run(q, func(t *testing.T) {
			a := k.Get(t, "/upload/files?filter%5Bfolder%5D="+folder+q)
			kit.Same(t, "names", strings.Join(kit.Column(a.Get("data"), "name"), " "), want)
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
	k.Run(t,
		kit.Step{Name: "meta", Call: l + "&per_page=2",
			Want: kit.Obj{"meta.page": 1, "meta.per_page": 2, "meta.total": 3, "data.#": 2, "meta.next_cursor": kit.Present}},
		kit.Step{Name: "fields", Call: l + "&sort=name&fields=name&per_page=1",
			Want: kit.Obj{"data.0.name": "a.png", "data.0.id": kit.Present, "data.0.mime": nil}},
		kit.Step{Name: "unknown sort", Call: l + "&sort=alt", Code: "BAD_REQUEST"},
		kit.Step{Name: "unknown filter", Call: l + "&filter%5Bnothing%5D=x", Code: "BAD_REQUEST"},
		kit.Step{Name: "bad page", Call: l + "&page=x", Code: "BAD_REQUEST"},
	)
}

func deleteMedia(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	a := k.Upload(t, "gone.txt", []byte("x"), nil)
	file := "/upload/files/" + a.Str(t, "data.id")
	read := k.Get(t, file).Header.Get("ETag")
	s.Admin(t).Put(t, "/media/"+a.Str(t, "data.id"), kit.Obj{"alt": "changed"})
	k.With("If-Match", read).Run(t,
		kit.Step{Name: "changed", Call: "DELETE " + file, Code: "PRECONDITION_FAILED"},
		kit.Step{Name: "changed, unused", Call: "DELETE " + file + "?if_unused=true", Code: "PRECONDITION_FAILED"},
	)
	now := k.Get(t, file).Header.Get("ETag")
	k.With("If-Match", now).Step(t, kit.Step{Name: "delete", Call: "DELETE " + file, Status: 204})
	k.Run(t,
		kit.Step{Name: "again", Call: "DELETE " + file, Code: "FILE_NOT_FOUND"},
		kit.Step{Name: "read", Call: "GET " + file, Code: "FILE_NOT_FOUND"},
		kit.Step{Name: "not an id", Call: "GET /upload/files/x", Code: "FILE_NOT_FOUND"},
	)
	s.Eventually(t, "the stored object is gone", func() bool {
		status, _, _ := fetch(t, s, a.Str(t, "data.url"))
		return status == 404 || status == 403
	})
}

// severalFiles are moved and deleted together; what cannot be is named.
func severalFiles(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	ids := []any{k.Upload(t, "one.txt", []byte("one"), nil).Str(t, "data.id"),
		k.Upload(t, "two.txt", []byte("two"), nil).Str(t, "data.id")}
	made := admin.Post(t, "/media/folders", kit.Obj{"name": kit.Unique("Several files")})
	folder, name := made.Str(t, "data.id"), made.Str(t, "data.name")
	const call = "POST /media/several"
	for name, body := range map[string]kit.Obj{
		"folder_id": {"action": "move", "ids": ids}, "action": {"action": "sort", "ids": ids},
		"ids": {"action": "delete", "ids": []any{}},
	} {
		admin.Run(t, kit.Step{Name: name, Call: call, Body: body, Code: "VALIDATION_FAILED"})
	}
	admin.OK(t, 200, call, kit.Obj{"action": "move", "folder_id": folder, "ids": ids})
	for _, id := range ids {
		admin.Get(t, "/media/"+id.(string)).Has(t, "the file", kit.Obj{"data.folder": name})
	}
	a := admin.OK(t, 200, call, kit.Obj{"action": "delete", "ids": append(ids, folder)})
	if got := a.Str(t, "data.failed.0.code"); got != "FILE_NOT_FOUND" || a.Get("data.done") != 2.0 {
		t.Errorf("deleted %v", a.Get("data"))
	}
	for _, id := range ids {
		admin.Run(t, kit.Step{Name: "deleted", Call: "GET /media/" + id.(string), Code: "NOT_FOUND"})
	}
}

// fileTags are set in a file, changed together, and found by filter and search.
func fileTags(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	one := k.Upload(t, "one.txt", []byte("one"), nil).Str(t, "data.id")
	two := k.Upload(t, "two.txt", []byte("two"), nil).Str(t, "data.id")
	tag, other := kit.Unique("Tag"), kit.Unique("Other")
	admin.Run(t,
		kit.Step{Name: "none at first", Call: "GET /media/" + one, Want: kit.Obj{"data.tags": kit.List{}}},
		kit.Step{Name: "set", Call: "PUT /media/" + one, Body: kit.Obj{"tags": kit.List{" " + tag + " ", tag}},
			Want: kit.Obj{"data.tags": kit.List{tag}}},
		kit.Step{Name: "not a list", Call: "PUT /media/" + one, Body: kit.Obj{"tags": tag}, Invalid: "tags"},
		kit.Step{Name: "too long", Call: "PUT /media/" + one, Body: kit.Obj{"tags": kit.List{strings.Repeat("x", 61)}},
			Invalid: "tags"},
		kit.Step{Name: "other changes keep them", Call: "PUT /media/" + one, Body: kit.Obj{"caption": "C"},
			Want: kit.Obj{"data.tags": kit.List{tag}}},
		kit.Step{Name: "none to add", Call: "POST /media/several", Body: kit.Obj{"action": "tag", "ids": kit.List{one}},
			Invalid: "tags"},
		kit.Step{Name: "too many to remove", Call: "POST /media/several",
			Body: kit.Obj{"action": "untag", "ids": kit.List{one}, "tags": strings.Split(kit.Words(21), "+")}, Invalid: "tags"},
		kit.Step{Name: "added", Call: "POST /media/several",
			Body: kit.Obj{"action": "tag", "tags": kit.List{strings.ToUpper(tag), other}, "ids": kit.List{one, two}},
			Want: kit.Obj{"data.done": 2}},
		kit.Step{Name: "the spelling that is known", Call: "GET /media/" + two,
			Want: kit.Obj{"data.tags": kit.List{tag, other}}},
		kit.Step{Name: "filter", Call: "GET /media?filter%5Btag%5D=" + other, Want: kit.Obj{"meta.total": 2}},
		kit.Step{Name: "removed", Call: "POST /media/several",
			Body: kit.Obj{"action": "untag", "tags": kit.List{other}, "ids": kit.List{one}}, Want: kit.Obj{"data.done": 1}},
		kit.Step{Name: "filter again", Call: "GET /media?filter%5Btag%5D=" + other,
			Want: kit.Obj{"meta.total": 1, "data.0.id": two}},
		kit.Step{Name: "search", Call: "GET /media?q=" + other, Want: kit.Obj{"meta.total": 1, "data.0.id": two}},
	)
	k.Run(t, kit.Step{Name: "the API's filter", Call: "GET /upload/files?filter%5Btag%5D=" + tag,
		Want: kit.Obj{"meta.total": 2}})
}

func directUploads(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	content := []byte(strings.Repeat("direct upload\n", 1000))
	start := func(t *testing.T, name, mime string, size int) (id string, begun kit.Answer) {
		begun = k.Post(t, "/upload/direct", kit.Obj{"name": name, "mime": mime, "size": size, "alt": "A"})
		return begun.Str(t, "data.id"), begun
	}
	t.Run("whole", func(t *testing.T) {
		id, begun := start(t, "direct.txt", "text/plain", len(content))
		k.Step(t, kit.Step{Call: "GET /upload/files/" + id, Code: "FILE_NOT_FOUND"})
		k.Step(t, kit.Step{Call: "POST /upload/direct/" + id + "/complete", Code: "CONFLICT"})
		kit.UploadDirectly(t, s, begun, content)
		notServed(t, s, id)
		k.Step(t, kit.Step{Call: "GET /upload/files/" + id, Code: "FILE_NOT_FOUND"})
		a := k.Step(t, kit.Step{Call: "POST /upload/direct/" + id + "/complete", Status: 201,
			Want: kit.Obj{"data.id": id, "data.size": len(content), "data.name": "direct.txt", "data.alt": "A"}})
		if status, _, got := fetch(t, s, a.Str(t, "data.url")); status != 200 || !bytes.Equal(got, content) {
			t.Errorf("%d with %d bytes", status, len(got))
		}
		k.Get(t, "/upload/files/"+id)
		again := k.Step(t, kit.Step{Call: "POST /upload/direct/" + id + "/complete", Status: 201,
			Want: kit.Obj{"data.url": a.Get("data.url")}})
		kit.SendDirectly(t, s, begun, bytes.Repeat([]byte("x"), len(content))) // a later upload must not replace it
		if status, _, got := fetch(t, s, again.Str(t, "data.url")); status != 200 ||
			!bytes.Equal(got, content) {
			t.Errorf("sent again: %d with %d bytes", status, len(got))
		}
	})
	t.Run("another type", func(t *testing.T) {
		id, begun := start(t, "direct.png", "image/png", len(content))
		kit.SendDirectly(t, s, begun, content)
		for range 2 {
			k.Step(t, kit.Step{Call: "POST /upload/direct/" + id + "/complete", Code: "UNSUPPORTED_MEDIA_TYPE"})
			notServed(t, s, id)
		}
	})
	t.Run("another size", func(t *testing.T) {
		for _, size := range []int{len(content) - 1, len(content) + 1} {
			id, begun := start(t, "direct.txt", "text/plain", size)
			complete := kit.Step{Call: "POST /upload/direct/" + id + "/complete", Code: "CONFLICT"}
			if status := kit.SendDirectly(t, s, begun, content); status < 300 { // an emulator may ignore the signed size
				complete.Invalid = "size"
			}
			k.Step(t, complete)
			notServed(t, s, id)
		}
	})
	k.Run(t,
		kit.Step{Name: "unknown", Call: "POST /upload/direct/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/complete",
			Code: "FILE_NOT_FOUND"},
		kit.Step{Name: "nothing", Call: "POST /upload/direct", Body: kit.Obj{}, Invalid: "name mime size"},
		kit.Step{Name: "too large", Call: "POST /upload/direct",
			Body: kit.Obj{"name": "a.mp4", "mime": "video/mp4", "size": 512<<20 + 1}, Code: "FILE_TOO_LARGE"},
		kit.Step{Name: "not on the list", Call: "POST /upload/direct",
			Body: kit.Obj{"name": "a.exe", "mime": "application/x-msdownload", "size": 1}, Code: "UNSUPPORTED_MEDIA_TYPE"},
		kit.Step{Name: "disagrees with the name", Call: "POST /upload/direct",
			Body: kit.Obj{"name": "a.png", "mime": "video/mp4", "size": 1}, Code: "UNSUPPORTED_MEDIA_TYPE"},
		kit.Step{Name: "form", Call: "POST /upload/direct", Body: kit.Text("text/plain", "{}"),
			Code: "UNSUPPORTED_MEDIA_TYPE"},
	)
}

// notServed checks that a file that was not accepted cannot be read at the URL that it would have.
func notServed(t *testing.T, s *kit.Suite, id string) {
	t.Helper()
	known := s.Key(t, nil).Upload(t, "known.txt", []byte("x"), nil)
	address := strings.Replace(known.Str(t, "data.url"), known.Str(t, "data.id"), id, 1)
	for _, at := range []string{address, strings.Replace(address, "/media/", "/incoming/", 1)} {
		if status, header, content := fetch(t, s, at); status != 404 && status != 403 ||
			strings.Contains(header.Get("Cache-Control"), "max-age=3153") {
			t.Errorf("%s: %d, %d bytes, %v", at, status, len(content), header)
		}
	}
}

func mediaFields(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("cover", "media", kit.Obj{"mimes": kit.List{"image/*"}})}})
	picture, doc := k.Upload(t, "a.png", kit.PNG(1, 1), nil).Str(t, "data.id"),
		k.Upload(t, "a.txt", []byte("x"), nil).Str(t, "data.id")
	k.Run(t,
		kit.Step{Name: "right type", Call: "POST /" + model, Body: kit.Obj{"title": "x", "data": kit.Obj{"cover": picture}},
			Status: 201, Want: kit.Obj{"data.data.cover": picture}},
		kit.Step{Name: "wrong type", Call: "POST /" + model, Body: kit.Obj{"title": "x", "data": kit.Obj{"cover": doc}},
			Invalid: "data.cover"},
	)
}
