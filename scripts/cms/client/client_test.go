package client

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"headless/pkg/must"
)

const password = "a long password 1"

// TestConfirms: a session that is too old for a change confirms by the password, if there is one.
func TestConfirms(t *testing.T) {
	confirmed := false
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case r.URL.Path == "/admin/confirm" && strings.Contains(string(body), password):
			confirmed = true
			_, _ = io.WriteString(w, `{"data":{}}`)
		case r.URL.Path == "/admin/keys" && confirmed:
			_, _ = io.WriteString(w, `{"data":{"id":"made"}}`)
		default:
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"error":{"code":"CONFIRMATION_REQUIRED","message":"x"}}`)
		}
	}))
	t.Cleanup(service.Close)
	c := &Client{Root: service.URL, Token: "a token"}
	for _, test := range []struct {
		password string
		problem  string
	}{{"", "cms login"}, {"wrong password 1", "cms login"}, {password, ""}} {
		t.Setenv("CMS_PASSWORD", test.password)
		var made struct{ ID string }
		err := c.JSON("POST", "/admin/keys", map[string]string{"name": "x"}, &made)
		if test.problem == "" && (err != nil || made.ID != "made") ||
			test.problem != "" && (err == nil || !strings.Contains(err.Error(), test.problem)) {
			t.Errorf("with password %q: %q, %v", test.password, made.ID, err)
		}
	}
}

// TestDetails: an error names the entries that stand against a change, and the problems of fields.
func TestDetails(t *testing.T) {
	for details, want := range map[string]string{
		`{"usage": [{"model": "posts", "id": "1", "title": "A"}], "more": 3}`: "usage: A (posts 1)",
		`{"usage": [], "more": 3}`:   "more: 3",
		`{"title": ["is required"]}`: "title: is required",
	} {
		var e Error
		must.Do(t, json.Unmarshal([]byte(`{"code": "IN_USE", "message": "x", "details": `+details+`}`), &e))
		if !strings.Contains(e.Error(), want) {
			t.Errorf("%s: %q, want %q", details, e.Error(), want)
		}
	}
}

// TestSaysWhatToDo: who gives a wrong address or token is told which, and what to do.
func TestSaysWhatToDo(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"error":{"code":"UNAUTHORIZED","message":"x"}}`)
	}))
	t.Cleanup(service.Close)
	for root, want := range map[string]string{
		service.URL:                    "CMS_TOKEN",
		service.URL + "/admin":         "the address of a service is " + service.URL,
		"localhost:3000":               "http://localhost:3000",
		"http://127.0.0.1:1":           "cms dev",
		"https://cms.example.com/api/": "the address of a service is https://cms.example.com",
	} {
		c := &Client{Root: root, Token: "a token"}
		if err := c.JSON("GET", "/admin/me", nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want a word of %s", root, err, want)
		}
	}
}

// TestErrorOrder: the problems of an error are in the same order each time.
func TestErrorOrder(t *testing.T) {
	e := &Error{Code: "VALIDATION_FAILED", Message: "x", Details: map[string][]string{}}
	want := e.Error()
	for _, path := range []string{"a", "b", "c", "d", "e", "f"} {
		e.Details[path] = []string{"is required"}
		want += "\n  " + path + ": is required"
	}
	for range 50 {
		if got := e.Error(); got != want {
			t.Fatalf("%q, want %q", got, want)
		}
	}
}

// TestLargeItems asks for smaller pages where the items of a page are too large for one answer.
func TestLargeItems(t *testing.T) {
	const all, fitting = 70, 20
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size, _ := strconv.Atoi(r.FormValue("per_page"))
		if size > fitting {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			_, _ = io.WriteString(w, `{"error":{"code":"PAYLOAD_TOO_LARGE","message":"x"}}`)
			return
		}
		from, _ := strconv.Atoi(r.FormValue("cursor"))
		var items []string
		for i := from; i < min(from+size, all); i++ {
			items = append(items, strconv.Itoa(i))
		}
		next := ""
		if from+size < all {
			next = strconv.Itoa(from + size)
		}
		_, _ = fmt.Fprintf(w, `{"data":[%s],"meta":{"next_cursor":%q}}`, strings.Join(items, ","), next)
	}))
	t.Cleanup(service.Close)
	next, c := 0, &Client{Root: service.URL, Token: "a token"}
	err := Each(c, "/admin/models/posts/entries", url.Values{}, func(i int) error {
		if i != next {
			t.Errorf("%d after %d", i, next-1)
		}
		next++
		return nil
	})
	if err != nil || next != all {
		t.Errorf("%d items, want %d, %v", next, all, err)
	}
	if err := Each(c, "/admin/menus", url.Values{"page": {"1"}}, func(int) error { return nil }); err == nil {
		t.Error("a numbered page got another size")
	}
}

// TestUploadHidesAddress: the error of an upload does not show its address, which lets anyone write the file.
func TestUploadHidesAddress(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"data":{"id":"7","upload":{"method":"PUT","url":"http://127.0.0.1:1/?token=secret"}}}`)
	}))
	t.Cleanup(service.Close)
	c := &Client{Root: service.URL, Token: "a token"}
	_, err := c.SendDirect("/admin/media/direct", map[string]any{}, strings.NewReader("x"), 1)
	if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "refused") {
		t.Errorf("%v", err)
	}
	if _, _, err := Open(t.TempDir()); err == nil {
		t.Error("a folder is opened to be sent")
	}
}

// TestUploadGoesOn: after a transfer whose answer was lost, the next call finds the content there.
func TestUploadGoesOn(t *testing.T) {
	sent := ""
	mux := http.NewServeMux()
	service := httptest.NewServer(mux)
	t.Cleanup(service.Close)
	mux.HandleFunc("POST /admin/import/media/direct", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"data":{"id":"7","upload":{"method":"PUT","url":"%s/store"}}}`, service.URL)
	})
	mux.HandleFunc("PUT /store", func(w http.ResponseWriter, r *http.Request) {
		if sent != "" {
			w.WriteHeader(http.StatusPreconditionFailed)
			return
		}
		content, err := io.ReadAll(r.Body)
		must.Do(t, err)
		sent = string(content)
		panic(http.ErrAbortHandler)
	})
	c := &Client{Root: service.URL, Token: "a token"}
	send := func() error {
		_, err := c.SendDirect("/admin/import/media/direct", map[string]any{}, strings.NewReader("x"), 1)
		return err
	}
	if first, second := send(), send(); first == nil || second != nil || sent != "x" {
		t.Errorf("%v, %v, sent %q", first, second, sent)
	}
}
