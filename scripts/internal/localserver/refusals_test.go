package localserver

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"headless/pkg/must"
)

// TestRefusals: what net/http refuses by itself is answered in the envelope.
func TestRefusals(t *testing.T) {
	greeting, stop := start(t, t.TempDir(), "none")
	defer stop()
	address, err := url.Parse(curl.FindStringSubmatch(strings.Join(greeting, "\n"))[3])
	must.Do(t, err)
	for head, status := range map[string]int{
		"GET /api/v1/%zz HTTP/1.1\r\nHost: x":                                                400,
		"GET /api/v1/ping HTTP/1.1":                                                          400,
		"GET /api/v1/ping HTTP/1.1\r\nHost: x\r\nA B: c":                                     400,
		"GET /api/v1/ping HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 2*maxHeader):     431,
		"POST /api/v1/posts HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: zip":                   501,
		"GET /api/v1/ping HTTP/1.1\r\nHost: x\r\nConnection: close":                          401,
		"GET /api/v1/settings HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Any: %zz":        200,
		"PUT /api/v1/settings HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0": 405,
	} {
		conn, err := net.Dial("tcp", address.Host)
		must.Do(t, err)
		fmt.Fprintf(conn, "%s\r\n\r\n", head)
		r, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("%.60q: %v", head, err)
		}
		var answer struct {
			Data  any
			Error *struct{ Code, Message string }
		}
		err = json.NewDecoder(r.Body).Decode(&answer)
		if err != nil || r.StatusCode != status || r.Header.Get("X-Request-Id") == "" ||
			(answer.Error == nil) != (answer.Data != nil) {
			t.Errorf("%.60q: %d %v %+v %v", head, r.StatusCode, err, answer, r.Header)
		}
		conn.Close()
	}
}

// TestRefusalInBody: a body that holds the text of a refusal stays as it is, wherever a write to the
// connection begins.
func TestRefusalInBody(t *testing.T) {
	body := strings.Repeat("a", 20_000) + string(plainError) + "400 Bad Request"
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must.Do(t, err)
	hs := newServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		fmt.Fprint(w, body)
	}), newConnections(1, 1, nobody))
	go hs.Serve(envelopes{listener, answerTime})
	t.Cleanup(func() { hs.Close() })
	r, err := http.Get("http://" + listener.Addr().String())
	must.Do(t, err)
	defer r.Body.Close()
	if got, err := io.ReadAll(r.Body); err != nil || string(got) != body {
		t.Errorf("%d bytes of %d: %v", len(got), len(body), err)
	}
}
