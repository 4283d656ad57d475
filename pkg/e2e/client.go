package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
)

const (
	apiBase   = "/api/v1"
	adminBase = "/admin"
)

// client calls one side of the service with one identity.
type client struct {
	s      *suite
	http   *http.Client
	base   string // apiBase or adminBase
	header map[string]string
	id     string // of the key, if the client has one
	name   string // of the key
}

// public is a client of the API without a key.
func (s *suite) public() *client { return &client{s: s, http: s.http, base: apiBase} }

// with returns the same client with one more header. An empty value removes the header.
func (c *client) with(name, value string) *client {
	d := *c
	d.header = maps.Clone(c.header)
	if d.header == nil {
		d.header = map[string]string{}
	}
	if d.header[name] = value; value == "" {
		delete(d.header, name)
	}
	return &d
}

// answer is the response to a request.
type answer struct {
	Status int
	Header http.Header
	Raw    []byte
	JSON   any // nil if there is no JSON body
}

// raw is a body that is sent unchanged.
type raw struct {
	contentType string
	bytes       []byte
}

func text(contentType, body string) raw { return raw{contentType, []byte(body)} }

// do sends a request, given as "METHOD /path?query", with a body that is nil, raw, or made into
// JSON. It checks the envelope and the OpenAPI document.
func (c *client) do(t *testing.T, call string, body any) answer {
	t.Helper()
	req, sent := c.request(t, call, body)
	resp, err := c.http.Do(req)
	if err != nil {
		t.Fatalf("%s: %v", call, err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s: %v", call, err)
	}
	a := answer{Status: resp.StatusCode, Header: resp.Header, Raw: b}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") &&
		req.Method != http.MethodHead {
		if err := json.Unmarshal(b, &a.JSON); err != nil {
			t.Fatalf("%s: %d with bad JSON: %v\n%.300s", call, a.Status, err, b)
		}
	}
	checkEnvelope(t, call, a)
	if bytes.Contains(b, []byte(strings.Repeat("\u200b", 4))) && !strings.Contains(call, "source=stega") {
		t.Errorf("%s: the answer has the marks of a preview (extensions §15)", call)
	}
	for _, problem := range c.s.contract.check(req, sent, a) {
		t.Errorf("%s: %d, but %v", call, a.Status, problem)
	}
	return a
}

func (c *client) request(t *testing.T, call string, body any) (*http.Request, []byte) {
	t.Helper()
	method, path, ok := strings.Cut(call, " ")
	if !ok {
		t.Fatalf("call %q has no method", call)
	}
	var sent raw
	switch b := body.(type) {
	case nil:
	case raw:
		sent = b
	default:
		j, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		sent = raw{"application/json", j}
	}
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(sent.bytes)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, c.s.target.BaseURL+c.base+path, reader)
	if err != nil {
		t.Fatal(err)
	}
	if sent.contentType != "" {
		req.Header.Set("Content-Type", sent.contentType)
	}
	if c.base == adminBase {
		req.Header.Set("Accept", "application/json")
	}
	for k, v := range c.header {
		req.Header.Set(k, v)
	}
	return req, sent.bytes
}

// checkEnvelope checks an answer against specification §1 and decisions §1.
func checkEnvelope(t *testing.T, call string, a answer) {
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
	body, ok := a.JSON.(obj)
	if !ok {
		t.Errorf("%s: %d is not a JSON envelope: %s %.200s", call, a.Status,
			a.Header.Get("Content-Type"), a.Raw)
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

// get returns the value at a dotted path of the body, such as "data.0.title"; "data.#" is a length.
// It returns nil if there is no value.
func (a answer) get(path string) any { return dig(a.JSON, path) }

// str is get as a string.
func (a answer) str(t *testing.T, path string) string {
	t.Helper()
	v, ok := a.get(path).(string)
	if !ok {
		t.Fatalf("no string at %s in %.400s", path, a.Raw)
	}
	return v
}

func (a answer) code() string {
	code, _ := a.get("error.code").(string)
	return code
}
