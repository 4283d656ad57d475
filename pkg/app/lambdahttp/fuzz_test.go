package lambdahttp_test

import (
	"encoding/json"
	"flag"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"headless/pkg/app"
	"headless/pkg/app/embedded"
	"headless/pkg/app/lambdahttp"
	"headless/pkg/must"
)

// event is one request as each kind of gateway hands it over.
func event(kind uint8, method, path, query, name, value, cookie string, body []byte) map[string]any {
	name = strings.ToLower(name)
	http := map[string]any{"method": method, "path": path, "sourceIp": "203.0.113.9"}
	headers := map[string]any{name: value, "host": "cms.example.com", "cookie": cookie}
	domain := "cms.example.com"
	switch kind % 3 {
	case 1:
		return map[string]any{
			"path": path, "httpMethod": method,
			"multiValueHeaders": map[string]any{name: []string{value, value},
				"Cookie": []string{cookie}},
			"multiValueQueryStringParameters": map[string]any{query: []string{query, value}},
			"body":                            body, "isBase64Encoded": true,
			"requestContext": map[string]any{"domainName": domain,
				"identity": map[string]any{"sourceIp": "203.0.113.9"}},
		}
	case 2:
		domain = "abc.lambda-url.eu-west-1.on.aws"
	}
	return map[string]any{
		"version": "2.0", "rawPath": path, "rawQueryString": query, "headers": headers,
		"cookies": []string{cookie}, "body": body, "isBase64Encoded": true,
		"requestContext": map[string]any{"domainName": domain, "http": http},
	}
}

// FuzzEvents has the whole service answer events of the gateways. Whatever the request: the
// function does not fail, there is no 500, and no header of the answer holds a line break.
func FuzzEvents(f *testing.F) {
	cfg, err := app.FromEnv(func(string) string { return "" })
	must.Do(f, err)
	cfg.DataDir, cfg.Seed, cfg.AdminPassword = f.TempDir(), "none", "a long enough password"
	server, err := embedded.New(cfg,
		slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})))
	must.Do(f, err)
	f.Cleanup(func() { _ = server.Close() })
	handler := lambdahttp.New(server)
	nasty := []string{"", "\x00", "a\r\nX-Injected: 1", "%0d%0aX-Injected:1", "%", "%zz", "é",
		"\ufffd", "//", "../..", strings.Repeat("a", 9000), "[", "a b", "?", "#", "\x7f", "😀",
		"http://[::1", "[fe80::1%25en0]"}
	fuzzing := flag.Lookup("test.fuzz").Value.String() != ""
	for kind := range uint8(3) {
		for i, v := range nasty {
			if fuzzing && i%6 != 0 { // go test runs all; a fuzz run would measure each before it begins
				continue
			}
			f.Add(kind, "GET", "/api/v1/"+v, "q="+v, "X-API-Key", v, "headless_session="+v, []byte(nil))
			f.Add(kind, "GET", v, v, v, v, v, []byte(v))
			f.Add(kind, v, "/admin/login", v, "Accept", v, v, []byte(v))
			f.Add(kind, "POST", "/admin/login", "next="+v, "Content-Type",
				"application/x-www-form-urlencoded", v, []byte("email="+v+"&password="+v))
			f.Add(kind, "POST", "/api/v1/forms/contact/submit", v, "Content-Type",
				"multipart/form-data; boundary="+v, v, []byte(v))
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, method, path, query, name, value, cookie string, body []byte) {
		for _, text := range []string{method, path, query, name, value, cookie} {
			if !utf8.ValidString(text) {
				t.Skip("a gateway hands over JSON, which is UTF-8")
			}
		}
		if method == "" {
			t.Skip("this is how events that are no requests are known")
		}
		payload, err := json.Marshal(event(kind, method, path, query, name, value, cookie, body))
		must.Do(t, err)
		out, err := handler.Invoke(t.Context(), payload)
		if err != nil {
			t.Fatalf("%s: %v", payload, err)
		}
		var answer struct {
			StatusCode        int
			Headers           map[string]string
			MultiValueHeaders http.Header
			Cookies           []string
		}
		if err := json.Unmarshal(out, &answer); err != nil || answer.StatusCode < 200 ||
			answer.StatusCode >= 500 {
			t.Fatalf("%s: %.500s (%v)", payload, out, err)
		}
		texts := answer.Cookies
		for name, values := range answer.MultiValueHeaders {
			texts = append(append(texts, name), values...)
		}
		for name, value := range answer.Headers {
			texts = append(texts, name, value)
		}
		for _, text := range texts {
			if strings.ContainsAny(text, "\r\n\x00") {
				t.Errorf("%s: header %q", payload, text)
			}
		}
	})
}
