package embedded

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"headless/pkg/apikeys"
	"headless/pkg/app"
	"headless/pkg/app/lambdahttp"
	"headless/pkg/cms"
	"headless/pkg/must"
)

// client calls a server with a key of its own.
type client struct {
	server      *Server
	key, secret string
}

func newClient(t *testing.T, scopes ...any) *client {
	t.Helper()
	cfg, err := app.FromEnv(func(string) string { return "" })
	must.Do(t, err)
	cfg.DataDir, cfg.Seed, cfg.AdminPassword = t.TempDir(), "none", "a long enough password"
	server, err := New(cfg, slog.New(slog.DiscardHandler))
	must.Do(t, err)
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	keys := apikeys.Keys{Store: server.store.Keys}
	k, err := keys.Create(t.Context(), cms.Actor{}, map[string]any{"name": "k", "scopes": scopes})
	must.Do(t, err)
	return &client{server, k.PublicKey, k.Secret}
}

// file has the keys of an answer that the tests check.
type file struct {
	ID, Name, URL, Mime string
	Size, Width, Height int64
}

func (c *client) send(t *testing.T, method, path, contentType string,
	body io.Reader) (*httptest.ResponseRecorder, file, string) {
	t.Helper()
	r := httptest.NewRequest(method, "/api/v1"+path, body)
	r.Header.Set("X-API-Key", c.key)
	r.Header.Set("X-API-Secret", c.secret)
	r.Header.Set("Content-Type", contentType)
	w := httptest.NewRecorder()
	c.server.ServeHTTP(w, r)
	f, code := decode(t, w.Body.Bytes())
	return w, f, code
}

func decode(t *testing.T, body []byte) (file, string) {
	t.Helper()
	var answer struct {
		Data  json.RawMessage
		Error struct{ Code string }
	}
	var f file
	if len(body) > 0 {
		if err := json.Unmarshal(body, &answer); err != nil {
			t.Fatalf("%v: %.200s", err, body)
		}
	}
	if bytes.HasPrefix(answer.Data, []byte("{")) {
		must.Do(t, json.Unmarshal(answer.Data, &f))
	}
	return f, answer.Error.Code
}

// fetch reads a file without a key.
func (c *client) fetch(f file) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	c.server.ServeHTTP(w, httptest.NewRequest("GET", f.URL, nil))
	return w
}

const multipartType = "multipart/form-data; boundary=b"

// part is a body with one file; disposition is what follows name="file".
func part(disposition string, content []byte) []byte {
	return fmt.Appendf(nil,
		"--b\r\nContent-Disposition: form-data; name=\"file\"; %s\r\n\r\n%s\r\n--b--\r\n",
		disposition, content)
}

// pngOf is a picture that claims a size, with hardly any pixels.
func pngOf(width, height uint32) []byte {
	chunk := func(kind string, data []byte) []byte {
		named := append([]byte(kind), data...)
		out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
		return binary.BigEndian.AppendUint32(append(out, named...), crc32.ChecksumIEEE(named))
	}
	size := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)
	return bytes.Join([][]byte{[]byte("\x89PNG\r\n\x1a\n"),
		chunk("IHDR", append(size, 8, 0, 0, 0, 0)), chunk("IDAT", make([]byte, 20)), chunk("IEND", nil)}, nil)
}

func TestHostileUploads(t *testing.T) {
	c := newClient(t, "read", "write", "delete")
	laughs := `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>` +
		`<svg xmlns="http://www.w3.org/2000/svg"><text>&c;</text></svg>`
	many := bytes.Repeat([]byte("--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n\r\n"), 10_000)
	for name, test := range map[string]struct {
		contentType string
		body        []byte
		status      int
		code        string
		mime        string // when it is taken
	}{
		"pixel bomb": {multipartType, part(`filename="a.png"`, pngOf(60_000, 60_000)), 201,
			"", "image/png"},
		"truncated picture": {multipartType, part(`filename="a.png"`, pngOf(9, 9)[:20]), 422,
			"VALIDATION_FAILED", ""},
		"HTML as picture": {multipartType,
			part(`filename="a.png"`, []byte("<!DOCTYPE html><script>alert(1)</script>")), 415,
			"UNSUPPORTED_MEDIA_TYPE", ""},
		"picture as HTML": {multipartType, part(`filename="a.html"`, pngOf(1, 1)), 415,
			"UNSUPPORTED_MEDIA_TYPE", ""},
		"polyglot": {multipartType,
			part(`filename="a.gif"`,
				[]byte("GIF89a\x2f\x2a\x01\x00\x00\x00\x00<script>alert(1)</script>;")), 201, "",
			"image/gif"},
		"entities": {multipartType, part(`filename="a.svg"`, []byte(laughs)), 422,
			"VALIDATION_FAILED", ""},
		"10,000 parts": {multipartType, append(many, part(`filename="a.txt"`, []byte("x"))...),
			400, "BAD_REQUEST", ""},
		"no boundary": {"multipart/form-data", part(`filename="a.txt"`, []byte("x")), 400,
			"BAD_REQUEST", ""},
		"wrong boundary": {"multipart/form-data; boundary=c",
			part(`filename="a.txt"`, []byte("x")), 400, "BAD_REQUEST", ""},
		"cut off": {multipartType, part(`filename="a.txt"`, []byte("some text"))[:60],
			400, "BAD_REQUEST", ""},
		"line in the name": {multipartType, part("filename=\"a\r\nX-Evil: 1\r\n\r\n.txt\"",
			[]byte("x")), 400, "BAD_REQUEST", ""},
		"bell in the name": {multipartType, part("filename=\"a\x07b.png\"", pngOf(2, 2)), 201, "",
			"image/png"},
		"encoded line": {multipartType,
			part(`filename*=UTF-8''a%0d%0aSet-Cookie%3A%20evil%3D1.txt`, []byte("x")), 201, "", "text/plain"},
		"path": {multipartType, part(`filename="../../../etc/passwd"`, []byte("x")),
			201, "", "text/plain"},
		"no content type": {"", part(`filename="a.txt"`, []byte("x")), 415, "UNSUPPORTED_MEDIA_TYPE", ""},
		"script": {multipartType,
			part(`filename="a.js"`, []byte("#!/usr/bin/env node\nalert(1)")), 415,
			"UNSUPPORTED_MEDIA_TYPE", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			w, f, code := c.send(t, "POST", "/upload", test.contentType, bytes.NewReader(test.body))
			runtime.ReadMemStats(&after)
			if w.Code != test.status || code != test.code || f.Mime != test.mime {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
				t.Errorf("%d bytes of memory", used)
			}
			if test.status != 201 {
				return
			}
			if strings.ContainsAny(f.Name, "/\\\r\n") {
				t.Errorf("name %q", f.Name)
			}
			got := c.fetch(f)
			h := got.Header()
			if got.Code != 200 || !strings.HasPrefix(h.Get("Content-Type"), test.mime) ||
				h.Get("X-Content-Type-Options") != "nosniff" ||
				!strings.Contains(h.Get("Content-Security-Policy"), "sandbox") || h.Get("Set-Cookie") != "" {
				t.Errorf("%d %v", got.Code, h)
			}
		})
	}
}

// endless is a body that never ends; it counts the bytes read of it.
type endless struct{ read int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.read == 0 {
		n := copy(p, "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n")
		e.read += int64(n)
		return n, nil
	}
	for i := range p {
		p[i] = 'x'
	}
	e.read += int64(len(p))
	return len(p), nil
}

func TestUploadOverTheCap(t *testing.T) {
	c := newClient(t, "read", "write")
	body := &endless{}
	if w, _, code := c.send(t, "POST", "/upload", multipartType, body); w.Code != 413 ||
		code != "FILE_TOO_LARGE" || body.read > 6<<20 {
		t.Errorf("endless: %d %s after %d bytes", w.Code, code, body.read)
	}
	body = &endless{}
	r := httptest.NewRequest("POST", "/api/v1/upload", body)
	r.ContentLength = 1 << 40
	r.Header = http.Header{"X-Api-Key": {c.key}, "X-Api-Secret": {c.secret}, "Content-Type": {multipartType}}
	w := httptest.NewRecorder()
	c.server.ServeHTTP(w, r)
	if w.Code != 413 || body.read > 0 {
		t.Errorf("announced: %d after %d bytes", w.Code, body.read)
	}
}

func TestUploadScopes(t *testing.T) {
	c := newClient(t, "read")
	body := part(`filename="a.txt"`, []byte("x"))
	for _, call := range []string{"POST /upload", "POST /upload/direct",
		"POST /upload/direct/x/complete", "DELETE /upload/files/x"} {
		method, path, _ := strings.Cut(call, " ")
		if w, _, code := c.send(t, method, path, multipartType, bytes.NewReader(body)); w.Code != 403 ||
			code != "FORBIDDEN" {
			t.Errorf("%s: %d %s", call, w.Code, w.Body)
		}
	}
	c.secret = "sk_wrong"
	if w, _, _ := c.send(t, "GET", "/upload/files", "", nil); w.Code != 401 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestUploadThroughGateways sends a binary file as each kind of gateway hands it to a function: in
// base64.
func TestUploadThroughGateways(t *testing.T) {
	c := newClient(t, "read", "write")
	content := pngOf(3, 2)
	body := base64.StdEncoding.EncodeToString(part(`filename="a.png"`, content))
	headers := fmt.Sprintf(`"x-api-key":%q,"x-api-secret":%q,"content-type":%q,"host":"h.example"`,
		c.key, c.secret, multipartType)
	context := `"requestContext":{"domainName":"%s","requestId":"r","http":{"method":"POST","path":"/api/v1/upload","sourceIp":"203.0.113.9"}}`
	v2 := `{"version":"2.0","routeKey":"ANY /api/v1/upload","rawPath":"/api/v1/upload","rawQueryString":"","headers":{` +
		headers + `},` + context + `,"body":"` + body + `","isBase64Encoded":true}`
	var multi []string
	for _, h := range strings.Split(headers, `,"`) {
		name, value, _ := strings.Cut(strings.Trim(h, `"`), `":"`)
		multi = append(multi, fmt.Sprintf("%q:[%q]", name, value))
	}
	v1 := `{"resource":"/{proxy+}","path":"/api/v1/upload","httpMethod":"POST","multiValueHeaders":{` +
		strings.Join(multi, ",") +
		`},"requestContext":{"domainName":"h.example","identity":{"sourceIp":"203.0.113.9"}},"body":"` +
		body + `","isBase64Encoded":true}`
	for name, event := range map[string]string{
		"HTTP API":     fmt.Sprintf(v2, "h.example"),
		"function URL": fmt.Sprintf(v2, "abc.lambda-url.eu-west-1.on.aws"), "REST API": v1,
	} {
		t.Run(name, func(t *testing.T) {
			out, err := lambdahttp.New(c.server).Invoke(t.Context(), []byte(event))
			must.Do(t, err)
			var answer struct {
				StatusCode      int
				Body            string
				IsBase64Encoded bool
			}
			must.Do(t, json.Unmarshal(out, &answer))
			f, _ := decode(t, []byte(answer.Body))
			if answer.StatusCode != 201 || answer.IsBase64Encoded || f.Width != 3 ||
				f.Height != 2 || f.Size != int64(len(content)) {
				t.Fatalf("%s", out)
			}
			if got := c.fetch(f); !bytes.Equal(got.Body.Bytes(), content) {
				t.Errorf("%d: %d bytes, want %d", got.Code, got.Body.Len(), len(content))
			}
		})
	}
}
