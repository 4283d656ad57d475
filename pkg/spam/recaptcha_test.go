package spam_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"headless/pkg/spam"
)

func TestVerify(t *testing.T) {
	half := 0.5
	for name, tc := range map[string]struct {
		status int // 0 is 200
		body   string
		min    *float64
		want   spam.Verdict
	}{
		"v2 right": {body: `{"success":true,"challenge_ts":"2026-01-01T00:00:00Z","hostname":"e.com"}`,
			want: spam.Pass},
		"v2 wrong": {body: `{"success":false,"error-codes":["invalid-input-response"]}`,
			want: spam.Fail},
		"no reason": {body: `{"success":false}`, want: spam.Fail},
		"expired": {body: `{"success":false,"error-codes":["timeout-or-duplicate"]}`,
			want: spam.Fail},
		"v3 above":          {body: `{"success":true,"score":0.9}`, min: &half, want: spam.Pass},
		"v3 at the minimum": {body: `{"success":true,"score":0.5}`, min: &half, want: spam.Pass},
		"v3 below":          {body: `{"success":true,"score":0.1}`, min: &half, want: spam.Fail},
		"v3 zero":           {body: `{"success":true,"score":0}`, min: &half, want: spam.Fail},
		"v3 wrong": {body: `{"success":false,"score":0.9,"error-codes":["invalid-input-response"]}`,
			min: &half, want: spam.Fail},
		"v3 without minimum":    {body: `{"success":true,"score":0.1}`, want: spam.Pass},
		"v2 where v3 should be": {body: `{"success":true}`, min: &half, want: spam.Unknown},
		"our secret is wrong": {body: `{"success":false,"error-codes":["invalid-input-secret"]}`,
			want: spam.Unknown},
		"both are wrong": {body: `{"success":false,"error-codes":["invalid-input-response","invalid-input-secret"]}`,
			want: spam.Unknown},
		"our request is bad": {body: `{"success":false,"error-codes":["bad-request"]}`,
			want: spam.Unknown},
		"a new code":   {body: `{"success":false,"error-codes":["quota"]}`, want: spam.Unknown},
		"no verdict":   {body: `{}`, want: spam.Unknown},
		"null":         {body: `null`, want: spam.Unknown},
		"garbage":      {body: `<html>`, want: spam.Unknown},
		"another type": {body: `{"success":"true"}`, want: spam.Unknown},
		"nothing":      {body: ``, want: spam.Unknown},
		"endless":      {body: `{"x":"` + strings.Repeat("x", 1<<20), want: spam.Unknown},
		"5xx":          {status: 503, body: `{"success":true}`, want: spam.Unknown},
		"4xx":          {status: 429, body: `{"success":true}`, want: spam.Unknown},
		"redirect":     {status: 307, body: `{"success":true}`, want: spam.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if err := r.ParseForm(); err != nil {
					t.Error(err)
				}
				if got := fmt.Sprint(r.Method,
					r.PostForm); got != "POSTmap[remoteip:[192.0.2.1] response:[token] secret:[s3cret]]" {
					t.Errorf("asked %s", got)
				}
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(max(tc.status, 200))
				_, _ = fmt.Fprint(w, tc.body) // the client may have gone
			}))
			t.Cleanup(srv.Close)
			got, err := spam.Verifier{URL: srv.URL}.Verify(t.Context(), "s3cret", "token",
				"192.0.2.1", tc.min)
			if got != tc.want || (err != nil) != (tc.want == spam.Unknown) {
				t.Errorf("verdict %d, %v, want %d", got, err, tc.want)
			}
			if err != nil && strings.Contains(err.Error(), "s3cret") {
				t.Errorf("the error shows the secret: %v", err)
			}
		})
	}
}

func TestVerifyWithoutToken(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("asked") }))
	t.Cleanup(srv.Close)
	for _, token := range []string{"", "  ", strings.Repeat("x", 1<<20)} {
		if got, err := (spam.Verifier{URL: srv.URL}).Verify(t.Context(), "s", token, "", nil); got != spam.Fail ||
			err != nil {
			t.Errorf("%.10q: verdict %d, %v", token, got, err)
		}
	}
}

func TestVerifyAway(t *testing.T) {
	silent := func(_ http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm() // a server notices that the client has gone once it has read the body
		<-r.Context().Done()
	}
	drip := func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		_, _ = fmt.Fprint(w, `{"success":`)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
	for name, h := range map[string]http.HandlerFunc{"unreachable": nil, "silent": silent, "drips": drip} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(h)
			t.Cleanup(srv.Close)
			if h == nil {
				srv.Close()
			}
			began := time.Now()
			got, err := spam.Verifier{URL: srv.URL,
				Timeout: 50 * time.Millisecond}.Verify(t.Context(), "s3cret", "token", "", nil)
			if got != spam.Unknown || err == nil || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("verdict %d, %v", got, err)
			}
			if d := time.Since(began); d > 20*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := (spam.Verifier{URL: "http://127.0.0.1:1"}).Verify(ctx, "s", "token", "", nil); got != spam.Unknown ||
		err == nil {
		t.Errorf("context over: verdict %d, %v", got, err)
	}
}
