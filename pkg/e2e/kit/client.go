package kit

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"

	"headless/pkg/must"
)

// What the paths of the API and of the admin area begin with.
const (
	APIBase   = "/api/v1"
	AdminBase = "/admin"
)

// Client calls one side of the service with one identity.
type Client struct {
	s      *Suite
	HTTP   *http.Client
	base   string // what each path begins with
	Header map[string]string
	ID     string // of the key, if the client has one
	Name   string // of the key
}

// Public is a client of the API without a key.
func (s *Suite) Public() *Client { return &Client{s: s, HTTP: s.HTTP, base: APIBase} }

// Bare is a client of the whole service: its calls name the whole path.
func (s *Suite) Bare() *Client { return &Client{s: s, HTTP: s.HTTP} }

// With returns the same client with one more header. An empty value removes the header.
func (c *Client) With(name, value string) *Client {
	d := *c
	d.Header = maps.Clone(c.Header)
	if d.Header == nil {
		d.Header = map[string]string{}
	}
	if d.Header[name] = value; value == "" {
		delete(d.Header, name)
	}
	return &d
}

// Answer is the response to a request.
type Answer struct {
	Status int
	Header http.Header
	Raw    []byte
	JSON   any // nil if there is no JSON body
}

// OnAdmin returns the same identity as a client of the admin area.
func (c *Client) OnAdmin() *Client {
	d := *c
	d.base = AdminBase
	return &d
}

// Do sends a request, given as "METHOD /path?query", with a body that is nil, a Body, or made
// into JSON. It checks the envelope and the OpenAPI document.
func (c *Client) Do(t *testing.T, call string, body any) Answer {
	t.Helper()
	req, sent := c.NewRequest(t, call, body)
	a := Exchange(t, c.HTTP, req)
	if strings.HasPrefix(a.Header.Get("Content-Type"), "application/json") &&
		req.Method != http.MethodHead {
		if err := json.Unmarshal(a.Raw, &a.JSON); err != nil {
			t.Fatalf("%s: %d with bad JSON: %v\n%.300s", call, a.Status, err, a.Raw)
		}
	}
	checkEnvelope(t, call, a)
	if bytes.Contains(a.Raw, []byte(strings.Repeat("\u200b", 4))) && !strings.Contains(call, "source=stega") {
		t.Errorf("%s: the answer has the marks of a preview (extensions §15)", call)
	}
	for _, problem := range c.s.contract.check(req, sent, a) {
		t.Errorf("%s: %d, but %v", call, a.Status, problem)
	}
	return a
}

// NewRequest makes the request of a call, and returns its body too.
func (c *Client) NewRequest(t *testing.T, call string, body any) (*http.Request, []byte) {
	t.Helper()
	method, path, ok := strings.Cut(call, " ")
	if !ok {
		t.Fatalf("call %q has no method", call)
	}
	var sent Body
	switch b := body.(type) {
	case nil:
	case Body:
		sent = b
	default:
		j, err := json.Marshal(b)
		must.Do(t, err)
		sent = Body{"application/json", j}
	}
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(sent.Bytes)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, c.s.Target.BaseURL+c.base+path, reader)
	must.Do(t, err)
	if sent.ContentType != "" {
		req.Header.Set("Content-Type", sent.ContentType)
	}
	if c.base == AdminBase {
		req.Header.Set("Accept", "application/json")
	}
	for k, v := range c.Header {
		req.Header.Set(k, v)
	}
	return req, sent.Bytes
}

// Fetch reads a path whose answer has no envelope, such as a sitemap or a page.
func (c *Client) Fetch(t *testing.T, path string) Answer {
	t.Helper()
	req, _ := c.NewRequest(t, "GET "+path, nil)
	return Exchange(t, c.HTTP, req)
}

// Exchange sends a request and reads the answer, as it is.
func Exchange(t *testing.T, c *http.Client, req *http.Request) Answer {
	t.Helper()
	resp, err := c.Do(req)
	must.Do(t, err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	must.Do(t, err)
	return Answer{Status: resp.StatusCode, Header: resp.Header, Raw: b}
}

// checkEnvelope checks an answer against specification §1 and decisions §1.
func checkEnvelope(t *testing.T, call string, a Answer) {
	t.Helper()
	if a.Header.Get("X-Request-Id") == "" {
		t.Errorf("%s: %d without X-Request-Id", call, a.Status)
	}
	if a.Status == http.StatusNoContent || a.Status == http.StatusNotModified {
		if len(a.Raw) != 0 {
			t.Errorf("%s: %d with a body", call, a.Status)
		}
		return
	}
	if a.Status >= 300 && a.Status < 400 {
		t.Errorf("%s: redirects to %s", call, a.Header.Get("Location"))
		return
	}
	if strings.Contains(call, "openapi.json") || strings.Contains(call, ".csv") || strings.Contains(call, "types.ts") ||
		strings.HasPrefix(a.Header.Get("Content-Type"), "application/xliff+xml") || strings.HasPrefix(call, "HEAD ") {
		return
	}
	body, ok := a.JSON.(Obj)
	if !ok {
		t.Errorf("%s: %d is not a JSON envelope: %s %.200s", call, a.Status, a.Header.Get("Content-Type"), a.Raw)
		return
	}
	_, hasMeta := body["meta"]
	if failed := a.Status >= 400; failed {
		if body["data"] != nil || body["error"] == nil || hasMeta {
			t.Errorf("%s: %d, not the envelope of a failure: %.200s", call, a.Status, a.Raw)
		}
	} else if body["error"] != nil || !hasMeta {
		t.Errorf("%s: %d, not the envelope of a success: %.200s", call, a.Status, a.Raw)
	}
}

// Get returns the value at a dotted path of the body, such as "data.0.title"; "data.#" is a length.
// It returns nil if there is no value.
func (a Answer) Get(path string) any { return Dig(a.JSON, path) }

// Str is Get of a string, which must be there.
func (a Answer) Str(t *testing.T, path string) string {
	t.Helper()
	v, ok := a.Get(path).(string)
	if !ok {
		t.Fatalf("no string at %s in %.400s", path, a.Raw)
	}
	return v
}

// Code is the code of the error, or "".
func (a Answer) Code() string {
	code, _ := a.Get("error.code").(string)
	return code
}
