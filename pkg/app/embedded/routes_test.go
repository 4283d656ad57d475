package embedded

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"headless/pkg/must"
)

func TestNothingRedirects(t *testing.T) {
	c := newClient(t, "read")
	for _, path := range []string{"", "/", "//ping", "/ping/", "/ping/../settings", "/./ping",
		"/ping//", "/i18n//locales", "/..", "/ping%2f", "/%2e%2e/ping"} {
		for _, method := range []string{"GET", "POST", "HEAD"} {
			w, _, code := c.send(t, method, path, "application/json", nil)
			if w.Code != http.StatusNotFound && w.Code != http.StatusMethodNotAllowed ||
				method != "HEAD" && code == "" {
				t.Errorf("%s %q: %d %s", method, path, w.Code, w.Body)
			}
			if w.Header().Get("X-Request-Id") == "" {
				t.Errorf("%s %q: no request id", method, path)
			}
		}
	}
}

func TestUncleanPathsLeadingHere(t *testing.T) {
	c := newClient(t, "read")
	for _, path := range []string{"//api/v1/ping", "/api//v1/ping", "/api/v1//ping", "/./api/v1",
		"/x/../api/v1/settings", "//api/v1/"} {
		w := httptest.NewRecorder()
		c.server.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost"+path, nil))
		if _, code := decode(t, w.Body.Bytes()); w.Code != http.StatusNotFound || code != "NOT_FOUND" {
			t.Errorf("%q: %d %s", path, w.Code, w.Body)
		}
	}
}

// TestElsewhere: what no room serves gets the envelope, too.
func TestElsewhere(t *testing.T) {
	c := newClient(t, "read")
	for _, path := range []string{"/x", "/forms/contact", "/api", "/api/v2/posts", "/hooks/x", "/mcp/x", "/robots.txt"} {
		for _, method := range []string{"GET", "POST"} {
			w := httptest.NewRecorder()
			c.server.ServeHTTP(w, httptest.NewRequest(method, "http://localhost"+path, nil))
			if _, code := decode(t, w.Body.Bytes()); w.Code != http.StatusNotFound || code != "NOT_FOUND" {
				t.Errorf("%s %s: %d %s", method, path, w.Code, w.Body)
			}
		}
	}
}

// TestAnswerWhileSending sends bodies that are refused before they were read.
func TestAnswerWhileSending(t *testing.T) {
	c := newClient(t, "write")
	live := httptest.NewServer(c.server)
	defer live.Close()
	for path, want := range map[string]int{"/upload": 413, "/some-model": 415, "/ping": 405} {
		r, err := http.NewRequest("POST", live.URL+"/api/v1"+path, bytes.NewReader(make([]byte, 20<<20)))
		must.Do(t, err)
		r.Header.Set("X-API-Key", c.key)
		r.Header.Set("X-API-Secret", c.secret)
		r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, answer.StatusCode, want)
		}
	}
}

// TestTrickle sends bodies that do not end, a byte now and then: each connection is closed.
func TestTrickle(t *testing.T) {
	grace, drain := bodies.Grace, drainTime
	bodies.Grace, drainTime = time.Second/2, time.Second/2
	t.Cleanup(func() { bodies.Grace, drainTime = grace, drain }) // after the parallel subtests
	c := newClient(t, "read", "write", "delete")
	live := httptest.NewServer(c.server)
	t.Cleanup(live.Close)
	for _, route := range []string{"POST /api/v1/some-model", "POST /api/v1/upload", "GET /api/v1/ping",
		"PATCH /api/v1/nothing/here", "POST /api/v1/forms/f/submissions", "POST /mcp", "POST /admin/login",
		"PUT /admin/settings", "GET /admin/login", "POST /admin/device", "GET /delivery/settings",
		"PUT /uploads/x?token=x", "POST /nowhere", "GET /"} {
		t.Run(route, func(t *testing.T) {
			t.Parallel()
			for _, length := range []string{"Content-Length: 100000", "Transfer-Encoding: chunked"} {
				if took := trickle(t, c, live.Listener.Addr().String(), route, length); took > 15*time.Second {
					t.Errorf("%s: the connection was open for %s", length, took)
				}
			}
		})
	}
}

// trickle returns after how long the server closed the connection.
func trickle(t *testing.T, c *client, address, route, length string) time.Duration {
	t.Helper()
	began := time.Now()
	conn, err := net.Dial("tcp", address)
	must.Do(t, err)
	defer conn.Close()
	if _, err := fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: x\r\nX-API-Key: %s\r\nX-API-Secret: %s\r\n"+
		"Content-Type: application/json\r\n%s\r\n\r\n", route, c.key, c.secret, length); err != nil {
		t.Fatal(err)
	}
	go func() {
		piece := "{"
		if strings.HasPrefix(length, "Transfer") {
			piece = "1\r\n{\r\n"
		}
		for range time.Tick(50 * time.Millisecond) {
			if _, err := conn.Write([]byte(piece)); err != nil {
				return
			}
		}
	}()
	must.Do(t, conn.SetReadDeadline(began.Add(20*time.Second)))
	_, _ = io.Copy(io.Discard, conn) // until the server closes it
	return time.Since(began)
}
