package upload

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/must"
)

const boundary = "XbX"

// part is one part of a body by hand: raw headers and content.
func part(headers, content string) string {
	return "--" + boundary + "\r\n" + headers + "\r\n\r\n" + content + "\r\n"
}

func filePart(name, content string) string {
	return part(`Content-Disposition: form-data; name="file"; filename="`+name+`"`, content)
}

func textPart(name, content string) string {
	return part(`Content-Disposition: form-data; name="`+name+`"`, content)
}

const end = "--" + boundary + "--\r\n"

func request(body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/upload", strings.NewReader(body))
	r.Header.Set("Content-Type", "multipart/form-data; boundary="+boundary)
	return r
}

func TestReadUpload(t *testing.T) {
	var body bytes.Buffer
	writer := multipart.NewWriter(&body)
	must.Do(t, writer.WriteField("alt", "Ein Bild\r\n"))
	must.Do(t, writer.WriteField("unknown", strings.Repeat("x", 100_000)))
	file, err := writer.CreateFormFile("file", `C:\dir\Äpfel.png`)
	must.Do(t, err)
	_, err = file.Write([]byte("content\r\n--X"))
	must.Do(t, err)
	must.Do(t, writer.WriteField("caption", ""))
	must.Do(t, writer.WriteField("folder_id", "f1"))
	must.Do(t, writer.Close())
	r := httptest.NewRequest(http.MethodPost, "/upload", &body)
	r.Header.Set("Content-Type", writer.FormDataContentType())

	upload, err := ReadUpload(r, 1000)
	must.Do(t, err)
	defer upload.Close()
	content, err := io.ReadAll(upload.File)
	must.Do(t, err)
	if upload.Name != "Äpfel.png" || upload.Size != 12 || string(content) != "content\r\n--X" {
		t.Errorf("%q, %d bytes, %q", upload.Name, upload.Size, content)
	}
	if upload.Alt != "Ein Bild\r\n" || upload.Caption != "" || upload.FolderID != "f1" {
		t.Errorf("%+v", upload)
	}
}

// TestReadUploadEnds takes the ways in which clients end a body.
func TestReadUploadEnds(t *testing.T) {
	for _, last := range []string{end, strings.TrimSpace(end), end + "epilogue"} {
		if upload, err := ReadUpload(request("preamble\r\n"+filePart("a.png", "x")+last), 10); err != nil ||
			upload.Size != 1 {
			t.Errorf("%q: %v", last, err)
		}
	}
}

func TestReadUploadNames(t *testing.T) {
	tests := []struct{ disposition, want string }{
		{`form-data; name="file"; filename="a b.png"`, "a b.png"},
		{`form-data; name=file; filename=a.png`, "a.png"},
		{`form-data; name="file"; filename*=UTF-8''%C3%84.png`, "Ä.png"},
		{`form-data; name="file"; filename="a\"b.png"`, `a"b.png`},
		{`form-data; name="file"; filename="../../etc/passwd"`, "passwd"},
		{`form-data; name="file"; filename*=UTF-8''a%0D%0AX-Evil%3A%201%00.png`, "aX-Evil: 1.png"},
		{`form-data; name="file"; filename="写真.jpg"`, "写真.jpg"},
		{`form-data; name="file"; filename="/"`, "file"},
		{"form-data; name=\"file\"; filename=\"a\x07b.png\"", "ab.png"},
		{"form-data; name=\"file\"; filename=\"\x00a\x7f\x1b[31m\rb.png\x01\"\x02", "a[31mb.png"},
		{"form-data; name=\"file\"; filename=\"\x01a\"\r\nContent-Type: \x02text/plain", "a"},
		{"form-data;\r\n name=\"file\";\r\n\tfilename=\"a\x08.png\"", "a.png"},
		{"form-data; name=\"file\"; filename=\"\x07" + strings.Repeat("\x01", 10_000) + "a.png\"", "a.png"},
	}
	for _, test := range tests {
		upload, err := ReadUpload(request(part("Content-Disposition: "+test.disposition, "x")+end), 10)
		if err != nil || upload.Name != test.want {
			t.Errorf("%s: %+v, %v", test.disposition, upload, err)
		}
	}
}

func TestReadUploadRefuses(t *testing.T) {
	whole := filePart("a.png", "content")
	tests := []struct {
		name, body string
		code       cms.Code
		detail     string
	}{
		{"empty", "", cms.CodeBadRequest, ""},
		{"no parts", end, cms.CodeValidationFailed, "file"},
		{"no file", textPart("alt", "x") + end, cms.CodeValidationFailed, "file"},
		{"file without a name", textPart("file", "x") + end, cms.CodeValidationFailed, "file"},
		{"no file chosen", filePart("", "") + end, cms.CodeValidationFailed, "file"},
		{"file twice", whole + whole + end, cms.CodeValidationFailed, "file"},
		{"alt twice", whole + textPart("alt", "x") + textPart("alt", "y") + end,
			cms.CodeValidationFailed, "alt"},
		{"long caption", whole + textPart("caption", strings.Repeat("x", maxTextBytes+1)) + end,
			cms.CodeValidationFailed, "caption"},
		{"alt not UTF-8", whole + textPart("alt", "\xff") + end, cms.CodeValidationFailed, "alt"},
		{"file too large", filePart("a.png", strings.Repeat("x", 101)) + end, cms.CodeFileTooLarge, ""},
		{"body too large", whole + textPart("x", strings.Repeat("x", maxOverhead)) + end,
			cms.CodeFileTooLarge, ""},
		{"another boundary", strings.ReplaceAll(whole+end, boundary, "YyY"), cms.CodeBadRequest, ""},
		{"no end", whole, cms.CodeBadRequest, ""},
		{"cut in the file", whole[:len(whole)-4], cms.CodeBadRequest, ""},
		{"cut in the headers", whole[:30], cms.CodeBadRequest, ""},
		{"not multipart at all", `{"file": "x"}`, cms.CodeBadRequest, ""},
		{"line break in a name", filePart("a\r\nX-Evil: 1.png", "x") + end, cms.CodeBadRequest, ""},
		{"part without headers", part("", "x") + whole + end, cms.CodeBadRequest, ""},
		{"malformed header", part("Content-Disposition form-data", "x") + end, cms.CodeBadRequest, ""},
		{"malformed disposition", part(`Content-Disposition: form-data; name="file`, "x") + end,
			cms.CodeBadRequest, ""},
		{"10,000 parts", strings.Repeat(textPart("x", ""), 10_000) + whole + end, cms.CodeBadRequest, ""},
		{"10,000 headers", part(strings.Repeat("A: b\r\n", 11_000)+"C: d", "x") + whole + end,
			cms.CodeBadRequest, ""},
	}
	for _, test := range tests {
		upload, err := ReadUpload(request(test.body), 100)
		var known *cms.Error
		if upload != nil || !errors.As(err, &known) || known.Code != test.code ||
			test.detail != "" && len(known.Details[test.detail]) != 1 {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestReadUploadContentType(t *testing.T) {
	tests := []struct {
		kind string
		code cms.Code
	}{
		{"", cms.CodeUnsupportedMedia},
		{"application/json", cms.CodeUnsupportedMedia},
		{"multipart/mixed; boundary=" + boundary, cms.CodeUnsupportedMedia},
		{"application/x-www-form-urlencoded", cms.CodeUnsupportedMedia},
		{"multipart/form-data", cms.CodeBadRequest},
		{"multipart/form-data; boundary=", cms.CodeBadRequest},
		{"multipart/form-data; boundary", cms.CodeBadRequest},
		{"multipart/form-data; boundary=" + strings.Repeat("x", 71), cms.CodeBadRequest},
	}
	for _, test := range tests {
		r := request(filePart("a.png", "x") + end)
		r.Header.Set("Content-Type", test.kind)
		_, err := ReadUpload(r, 100)
		if cms.CodeOf(err) != test.code {
			t.Errorf("%q: %v", test.kind, err)
		}
	}
}

// endless is a body that never ends; it counts the bytes taken from it.
type endless struct {
	start io.Reader
	taken int64
}

func (e *endless) Read(p []byte) (int, error) {
	n, err := e.start.Read(p)
	if err == io.EOF {
		for i := range p {
			p[i] = 'x'
		}
		n = len(p)
	}
	e.taken += int64(n)
	return n, nil
}

func TestReadUploadIsBounded(t *testing.T) {
	const limit = 1 << 20
	for name, start := range map[string]string{
		"file": "--" + boundary +
			"\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n",
		"unknown": "--" + boundary + "\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n",
		"header":  "--" + boundary + "\r\nContent-Disposition: ",
		"nothing": "",
	} {
		r := request("")
		body := &endless{start: strings.NewReader(start)}
		r.Body, r.ContentLength = io.NopCloser(body), -1
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := ReadUpload(r, limit)
		runtime.ReadMemStats(&after)
		if _, ok := errors.AsType[*cms.Error](err); !ok {
			t.Errorf("%s: %v", name, err)
		}
		if body.taken > limit+maxOverhead+64<<10 {
			t.Errorf("%s: %d bytes read", name, body.taken)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 16*limit {
			t.Errorf("%s: %d bytes allocated", name, grown)
		}
	}
	r := request("")
	body := &endless{start: strings.NewReader("")}
	r.Body, r.ContentLength = io.NopCloser(body), 1<<40
	if _, err := ReadUpload(r, limit); err == nil || body.taken > 0 {
		t.Errorf("announced: %v after %d bytes", err, body.taken)
	}
}

func TestReadUploadSpools(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	content := strings.Repeat("0123456789abcdef", maxMemory/16) + "!"
	upload, err := ReadUpload(request(filePart("a.bin", content)+end), int64(len(content)))
	must.Do(t, err)
	for range 2 {
		_, err = upload.File.Seek(0, io.SeekStart)
		must.Do(t, err)
		got, err := io.ReadAll(upload.File)
		if err != nil || string(got) != content || upload.Size != int64(len(content)) {
			t.Errorf("%d of %d bytes, %v", len(got), upload.Size, err)
		}
	}
	must.Do(t, upload.Close())
	if _, err := ReadUpload(request(filePart("a.bin", content)), int64(len(content))); err == nil {
		t.Error("a body without an end is accepted")
	}
	if _, err := ReadUpload(request(filePart("a.bin", content+"!")+end), int64(len(content))); err == nil {
		t.Error("a file that is too large is accepted")
	}
	left, err := os.ReadDir(os.TempDir())
	if err != nil || len(left) > 0 {
		t.Errorf("%d files left, %v", len(left), err)
	}
	t.Setenv("TMPDIR", "/nowhere")
	_, err = ReadUpload(request(filePart("a.bin", content)+end), int64(len(content)))
	var known *cms.Error
	if err == nil || errors.As(err, &known) {
		t.Errorf("no temporary folder: %v", err)
	}
}

func FuzzReadUpload(f *testing.F) {
	f.Add("multipart/form-data; boundary="+boundary, filePart("a.png", "x")+textPart("alt", "y")+end)
	f.Add("multipart/form-data; boundary=\"a b\"",
		"--a b\r\nContent-Disposition: form-data; name=file; filename*=utf-8''%00\r\n\r\nx\r\n--a b--")
	f.Fuzz(func(t *testing.T, kind, body string) {
		r := request(body)
		r.Header.Set("Content-Type", kind)
		upload, err := ReadUpload(r, 1000)
		var known *cms.Error
		if err != nil && !errors.As(err, &known) {
			t.Errorf("unknown error %v", err)
		}
		if err == nil && (upload.Name == "" || upload.Size > 1000 || upload.File == nil) {
			t.Errorf("%+v", upload)
		}
	})
}
