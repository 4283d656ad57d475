package web_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"headless/pkg/must"
	"headless/pkg/web"
)

// TestBodyTimeout sends a byte of a body and then nothing: the handler gets an error, and the
// connection serves no other request.
func TestBodyTimeout(t *testing.T) {
	failed := make(chan error, 1)
	limit := web.BodyTimeout{Grace: 50 * time.Millisecond, Rate: 1 << 20}
	s := httptest.NewServer(limit.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		failed <- err
		w.WriteHeader(http.StatusBadRequest)
	})))
	defer s.Close()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	must.Do(t, err)
	defer conn.Close()
	fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nx")
	if err := <-failed; err == nil {
		t.Error("the body was read to its end")
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || answer.StatusCode != http.StatusBadRequest {
		t.Errorf("got %v, %v", answer, err)
	}
}

// TestBodyTimeoutEnds answers after the time for the body is over: the request must not be
// cancelled, since its body arrived in time.
func TestBodyTimeoutEnds(t *testing.T) {
	limit := web.BodyTimeout{Grace: 50 * time.Millisecond, Rate: 1 << 20}
	s := httptest.NewServer(limit.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		ctx, cancel := context.WithTimeout(r.Context(), 200*time.Millisecond)
		defer cancel()
		<-ctx.Done()
		fmt.Fprintf(w, "%s %v", body, r.Context().Err())
	})))
	defer s.Close()
	answer, err := http.Post(s.URL, "text/plain", strings.NewReader("all"))
	must.Do(t, err)
	defer answer.Body.Close()
	if got, _ := io.ReadAll(answer.Body); string(got) != "all <nil>" {
		t.Errorf("got %q", got)
	}
}
