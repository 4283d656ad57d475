package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"headless/pkg/must"
	"headless/scripts/awslocal/runtime"
)

func routes(t *testing.T, paths ...string) Routes {
	t.Helper()
	var list []Route
	for _, p := range paths {
		list = append(list, Route{Method: "ANY", Path: p, Function: p})
	}
	rs, err := NewRoutes(list)
	must.Do(t, err)
	return rs
}

func TestMatch(t *testing.T) {
	rs := routes(t, "$default", "/api/{model}", "/api/{model}/{id}", "/api/upload",
		"/api/upload/files/{id}", "/api/forms/{slug}", "/admin", "/admin/{proxy+}")
	for path, want := range map[string]string{
		"/api/upload":         "/api/upload",
		"/api/articles":       "/api/{model}",
		"/api/articles/":      "/api/{model}",
		"/api/articles/1":     "/api/{model}/{id}",
		"/api/forms/contact":  "/api/forms/{slug}",
		"/api/upload/x":       "/api/{model}/{id}",
		"/api/upload/files/1": "/api/upload/files/{id}",
		"/api/a/b/c":          "$default",
		"/admin":              "/admin",
		"/admin/":             "/admin",
		"/admin/a/b":          "/admin/{proxy+}",
		"/":                   "$default",
	} {
		got, _, ok := rs.Match("GET", path)
		if !ok || got.Path != want {
			t.Errorf("%s goes to %q, want %q", path, got.Path, want)
		}
	}
	_, variables, _ := rs.Match("GET", "/api/articles/7")
	if want := map[string]string{"model": "articles", "id": "7"}; !reflect.DeepEqual(variables, want) {
		t.Errorf("variables %v, want %v", variables, want)
	}
}

func TestMethods(t *testing.T) {
	rs, err := NewRoutes([]Route{{Method: "ANY", Path: "/x", Function: "any"},
		{Method: "get", Path: "/x", Function: "get"}, {Method: "POST", Path: "/y", Function: "post"}})
	must.Do(t, err)
	if r, _, _ := rs.Match("GET", "/x"); r.Function != "get" {
		t.Errorf("GET goes to %s", r.Function)
	}
	if r, _, _ := rs.Match("PUT", "/x"); r.Function != "any" {
		t.Errorf("PUT goes to %s", r.Function)
	}
	if _, _, ok := rs.Match("GET", "/y"); ok {
		t.Error("GET /y matches a route for POST")
	}
	if _, err := NewRoutes([]Route{{Method: "GET", Path: "/x"}, {Method: "get", Path: "/x"}}); err == nil {
		t.Error("no error for the same route twice")
	}
	if _, err := NewRoutes([]Route{{Method: "GET", Path: "/x/"}}); err == nil {
		t.Error("no error for a route that ends in a slash")
	}
}

// exchange sends r through a gateway whose function gives answer, and returns the event that the
// function got.
func exchange(t *testing.T, r *http.Request, answer string,
	failure error) (events.APIGatewayV2HTTPRequest, *httptest.ResponseRecorder) {
	t.Helper()
	var got events.APIGatewayV2HTTPRequest
	g := Gateway{Routes: routes(t, "$default", "/a/{id}"), Log: slog.New(slog.DiscardHandler),
		Invoke: func(_ context.Context, _ string, payload []byte) ([]byte, error) {
			must.Do(t, json.Unmarshal(payload, &got))
			return []byte(answer), failure
		}}
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	return got, w
}

func TestEvent(t *testing.T) {
	r := httptest.NewRequest("POST", "http://h.example:81/a/b%20%C3%A9?q=1%202&q=3&r=",
		strings.NewReader("\xff\x00"))
	r.RemoteAddr = "203.0.113.9:5555"
	r.Header = http.Header{"Accept": {"a/b", "c/d"}, "Cookie": {"x=1; y=2", "z=3"},
		"Content-Type": {"image/png"}, "X-Forwarded-For": {"1.2.3.4"}}
	e, _ := exchange(t, r, `{"statusCode":200}`, nil)
	for name, c := range map[string]struct{ got, want any }{
		"path":      {e.RawPath, "/a/b é"},
		"query":     {e.RawQueryString, "q=1%202&q=3&r="},
		"queries":   {e.QueryStringParameters, map[string]string{"q": "1 2,3", "r": ""}},
		"variables": {e.PathParameters, map[string]string{"id": "b é"}},
		"cookies":   {e.Cookies, []string{"x=1", "y=2", "z=3"}},
		"route":     {e.RouteKey, "ANY /a/{id}"},
		"address":   {e.RequestContext.HTTP.SourceIP, "203.0.113.9"},
		"domain":    {e.RequestContext.DomainName, "h.example:81"},
		"body":      {e.Body, "/wA="},
		"base64":    {e.IsBase64Encoded, true},
		"headers": {e.Headers, map[string]string{"accept": "a/b,c/d", "content-type": "image/png",
			"content-length": "2", "host": "h.example:81",
			"x-forwarded-for": "1.2.3.4, 203.0.113.9", "x-forwarded-port": "81",
			"x-forwarded-proto": "http"}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: got %v, want %v", name, c.got, c.want)
		}
	}
}

func TestTextualBodies(t *testing.T) {
	for kind, want := range map[string]bool{
		"application/json": true, "text/plain; charset=utf-8": true,
		"application/x-www-form-urlencoded": false, "multipart/form-data; boundary=x": false, "": false,
	} {
		r := httptest.NewRequest("POST", "/a/b", strings.NewReader("text"))
		r.Header.Set("Content-Type", kind)
		if e, _ := exchange(t, r, `{"statusCode":200}`, nil); e.IsBase64Encoded == want {
			t.Errorf("%q: base64 is %t", kind, e.IsBase64Encoded)
		}
	}
}

func TestAnswer(t *testing.T) {
	_, w := exchange(t, httptest.NewRequest("GET", "/a/b", nil),
		`{"statusCode":201,"headers":{"Vary":"a,b"},"cookies":["a=1","b=2"],"body":"/wA=","isBase64Encoded":true}`,
		nil)
	if w.Code != 201 || w.Body.String() != "\xff\x00" || w.Header().Get("Vary") != "a,b" ||
		!reflect.DeepEqual(w.Header().Values("Set-Cookie"), []string{"a=1", "b=2"}) {
		t.Errorf("got %d %v %q", w.Code, w.Header(), w.Body)
	}
}

func TestFaults(t *testing.T) {
	get := func() *http.Request { return httptest.NewRequest("GET", "/a/b", nil) }
	big := func(n int) *http.Request {
		return httptest.NewRequest("POST", "/a/b", strings.NewReader(strings.Repeat("x", n)))
	}
	for name, c := range map[string]struct {
		request *http.Request
		answer  string
		failure error
		status  int
	}{
		"error":             {get(), "", errors.New("crash"), 500},
		"late":              {get(), "", context.DeadlineExceeded, 503},
		"throttled":         {get(), "", runtime.ErrThrottled, 503},
		"not an answer":     {get(), `{"body":"x"}`, nil, 500},
		"body over 10 MB":   {big(maxBody + 1), `{"statusCode":200}`, nil, 413},
		"event over 6 MB":   {big(5 << 20), `{"statusCode":200}`, nil, 413},
		"just within limit": {big(4 << 20), `{"statusCode":200}`, nil, 200},
	} {
		if _, w := exchange(t, c.request, c.answer, c.failure); w.Code != c.status {
			t.Errorf("%s: %d, want %d", name, w.Code, c.status)
		}
	}
}

func TestAccessLog(t *testing.T) {
	var log bytes.Buffer
	g := Gateway{Routes: routes(t, "/a/{id}"), Log: slog.New(slog.NewJSONHandler(&log, nil)),
		Invoke: func(context.Context, string, []byte) ([]byte, error) {
			return []byte(`{"statusCode":201}`), nil
		}}
	g.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("PUT", "/a/b", nil))
	g.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("PUT", "/c", nil))
	lines := json.NewDecoder(&log)
	for _, want := range []struct {
		route  string
		status int
	}{{"/a/{id}", 201}, {"", 404}} {
		var l struct {
			Msg, Method, Route string
			Status             int
			Latency            float64 `json:"latency_ms"`
		}
		if err := lines.Decode(&l); err != nil || l.Msg != AccessMessage || l.Method != "PUT" ||
			l.Route != want.route || l.Status != want.status || l.Latency < 0 {
			t.Errorf("got %+v, %v; want %+v", l, err, want)
		}
	}
}
