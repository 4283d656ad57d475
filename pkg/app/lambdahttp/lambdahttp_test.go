package lambdahttp

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"headless/pkg/must"
	"headless/pkg/web"
)

const (
	httpAPI = `{"version":"2.0","routeKey":"$default","rawPath":"/api/v1/a b?c%41","rawQueryString":"q=x%20y&q=z",
		"cookies":["a=1","b=2"],"headers":{"accept-language":"de-AT, de;q=0.8","if-none-match":"\"a,b\"","host":"h.example","content-type":"text/plain"},
		"requestContext":{"domainName":"h.example","requestId":"r1","http":{"method":"post","path":"/api/v1/a b?c","sourceIp":"203.0.113.9"}},
		"body":"aGVsbG8=","isBase64Encoded":true}`
	functionURL = `{"version":"2.0","routeKey":"$default","rawPath":"/api/v1/a%20b%3Fc%2541","rawQueryString":"q=x%20y&q=z",
		"headers":{"accept-language":"de-AT, de;q=0.8","if-none-match":"\"a,b\"","cookie":"a=1; b=2","content-type":"text/plain"},
		"requestContext":{"domainName":"abc.lambda-url.eu-west-1.on.aws","http":{"method":"post","sourceIp":"203.0.113.9"}},
		"body":"hello","isBase64Encoded":false}`
	restAPI = `{"resource":"/{proxy+}","path":"/api/v1/a%20b%3Fc%2541","httpMethod":"post",
		"multiValueHeaders":{"Accept-Language":["de-AT, de;q=0.8"],"If-None-Match":["\"a,b\""],"Cookie":["a=1; b=2"],"Host":["h.example"],"Content-Type":["text/plain"]},
		"multiValueQueryStringParameters":{"q":["x y","z"]},
		"requestContext":{"domainName":"h.example","authorizer":null,"identity":{"sourceIp":"203.0.113.9"}},"body":"aGVsbG8=","isBase64Encoded":true}`
)

func TestRequestIsTheSameFromEachEvent(t *testing.T) {
	for name, event := range map[string]string{"HTTP API": httpAPI, "function URL": functionURL,
		"REST API": restAPI} {
		t.Run(name, func(t *testing.T) {
			var got string
			invoke(t, event, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				got = fmt.Sprintf("%s %s path=%q q=%q lang=%q match=%q cookie=%q addr=%s body=%s length=%d",
					r.Method, r.URL.EscapedPath(), r.URL.Path,
					r.URL.Query()["q"], r.Header.Values("Accept-Language"),
					r.Header.Get("If-None-Match"), r.Header.Values("Cookie"), r.RemoteAddr, body,
					r.ContentLength)
			})
			want := `post /api/v1/a%20b%3Fc%2541 path="/api/v1/a b?c%41" q=["x y" "z"] lang=["de-AT, de;q=0.8"] match="\"a,b\"" cookie=["a=1; b=2"] addr=203.0.113.9:0 body=hello length=5`
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// TestIncompleteAnswer breaks off the body of an answer: it is 503 instead, which no cache keeps.
func TestIncompleteAnswer(t *testing.T) {
	for name, event := range map[string]string{"HTTP API": httpAPI, "function URL": functionURL, "REST API": restAPI} {
		out := invoke(t, event, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10")
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
			w.Header().Set("Etag", `"x"`)
			_, _ = io.WriteString(w, "0123")
		})
		if !strings.Contains(out, `"statusCode":503`) || !strings.Contains(out, "no-store") ||
			strings.Contains(out, "immutable") || strings.Contains(out, "Etag") || strings.Contains(out, "0123") {
			t.Errorf("%s: %s", name, out)
		}
	}
}

// TestRequestsKeepTheirName: the gateway's log and ours name a request alike.
func TestRequestsKeepTheirName(t *testing.T) {
	rest := strings.Replace(restAPI, `"authorizer"`, `"requestId":"r1","authorizer"`, 1)
	for name, event := range map[string]string{"HTTP API": httpAPI, "REST API": rest} {
		invoke(t, event, func(_ http.ResponseWriter, r *http.Request) {
			if got := web.RequestID(r); got != "r1" {
				t.Errorf("%s: %q", name, got)
			}
		})
	}
	of := strings.Replace(httpAPI, `"requestId"`, `"apiId":"abc","requestId"`, 1)
	invoke(t, of, func(_ http.ResponseWriter, r *http.Request) {
		if got := APIID(r.Context()); got != "abc" {
			t.Errorf("the API is %q", got)
		}
	})
	invoke(t, functionURL, func(_ http.ResponseWriter, r *http.Request) {
		if got := web.RequestID(r); len(got) != 36 {
			t.Errorf("without a gateway: %q", got)
		}
	})
}

func TestAnswers(t *testing.T) {
	binary := []byte{0xff, 0x00, 0x01}
	answer := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Set-Cookie", "s=1; HttpOnly")
		w.Header().Add("Vary", "Origin")
		w.Header().Add("Vary", "Accept-Language")
		w.WriteHeader(http.StatusCreated)
		if r.URL.Query().Get("q") != "" {
			w.Write(binary)
		}
	}
	encoded := base64.StdEncoding.EncodeToString(binary)
	cases := map[string]struct{ event, want string }{
		"HTTP API": {httpAPI,
			`{"statusCode":201,"headers":{"Content-Type":"application/octet-stream","Vary":"Origin,Accept-Language"},"multiValueHeaders":null,"body":"` +
				encoded + `","isBase64Encoded":true,"cookies":["s=1; HttpOnly"]}`},
		"function URL": {functionURL,
			`{"statusCode":201,"headers":{"Content-Type":"application/octet-stream","Set-Cookie":"s=1; HttpOnly","Vary":"Origin,Accept-Language"},"multiValueHeaders":null,"body":"` +
				encoded + `","isBase64Encoded":true,"cookies":null}`},
		"REST API": {restAPI,
			`{"statusCode":201,"multiValueHeaders":{"Content-Type":["application/octet-stream"],"Set-Cookie":["s=1; HttpOnly"],"Vary":["Origin","Accept-Language"]},"body":"` +
				encoded + `","isBase64Encoded":true}`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := invoke(t, c.event, answer); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestSilentHandlerMeans200(t *testing.T) {
	for _, event := range []string{httpAPI, restAPI} {
		got := invoke(t, event, func(http.ResponseWriter, *http.Request) {})
		if !strings.HasPrefix(got, `{"statusCode":200,`) {
			t.Errorf("got %s", got)
		}
	}
}

func TestAnswerOverTheLimitTellsTheClient(t *testing.T) {
	for _, event := range []string{httpAPI, restAPI} {
		got := invoke(t, event, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Request-Id", "r1")
			w.Header().Set("ETag", `"of the whole"`)
			w.Header().Set("Content-Type", "text/csv")
			w.Write(make([]byte, maxResponse))
		})
		if !strings.HasPrefix(got, `{"statusCode":413,`) ||
			!strings.Contains(got, "PAYLOAD_TOO_LARGE") || !strings.Contains(got, "application/json") ||
			!strings.Contains(got, "r1") || strings.Contains(got, "of the whole") ||
			strings.Contains(got, "csv") {
			t.Errorf("got %.500s", got)
		}
	}
}

// TestRequestsEndBeforeTheirInvocation: while a store hangs, the client still gets an answer.
func TestRequestsEndBeforeTheirInvocation(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), answerTime+50*time.Millisecond)
	defer cancel()
	h := New(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-r.Context().Done() // a call of a store that hangs
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	out, err := h.Invoke(ctx, []byte(httpAPI))
	if err != nil || !strings.Contains(string(out), `"statusCode":503`) || ctx.Err() != nil {
		t.Errorf("answer %s, error %v, invocation %v", out, err, ctx.Err())
	}
}

func TestOtherEventsAreErrors(t *testing.T) {
	h := New(http.NotFoundHandler())
	for _, event := range []string{`{}`, `{"Records":[]}`, `[]`, `7`} {
		if _, err := h.Invoke(context.Background(), []byte(event)); err == nil {
			t.Errorf("event %s was taken", event)
		}
	}
}

func TestEscapePath(t *testing.T) {
	for in, want := range map[string]string{
		"/a/b-c.d~e":   "/a/b-c.d~e",
		"/caf%C3%A9":   "/caf%C3%A9",
		"/café":        "/caf%C3%A9",
		"/100%":        "/100%25",
		"/a%2Fb":       "/a%2Fb",
		"/a#b?c d":     "/a%23b%3Fc%20d",
		"/x\x00\"<>\\": "/x%00%22%3C%3E%5C",
		"/@:!$&'()*+,": "/@:!$&'()*+,",
		"":             "",
	} {
		if got := escapePath(in); got != want {
			t.Errorf("escapePath(%q) = %q, want %q", in, got, want)
		}
	}
}

// invoke answers event with h and returns the JSON of the answer.
func invoke(t *testing.T, event string, h http.HandlerFunc) string {
	t.Helper()
	out, err := New(h).Invoke(context.Background(), []byte(event))
	must.Do(t, err)
	if !json.Valid(out) {
		t.Fatalf("not JSON: %s", out)
	}
	return string(out)
}
