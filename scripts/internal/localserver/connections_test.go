package localserver

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestSilentConnections: clients that hold connections and say nothing keep nobody out.
func TestSilentConnections(t *testing.T) {
	const limit = 5
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	hs := newServer(http.NotFoundHandler(), limit)
	go hs.Serve(listener)
	t.Cleanup(func() { hs.Close() })
	dial := func() net.Conn {
		t.Helper()
		conn, err := net.DialTimeout("tcp", listener.Addr().String(), 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
		return conn
	}
	ask := func(conn net.Conn, header string) string {
		_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n"+header+"\r\n")
		answer := make([]byte, 12)
		_, _ = io.ReadFull(conn, answer)
		return string(answer)
	}
	var held []net.Conn
	for range 4 * limit {
		held = append(held, dial())
	}
	for range 3 {
		if got := ask(dial(), ""); got != "HTTP/1.1 404" {
			t.Errorf("beside silent connections: %q", got)
		}
	}
	if _, err := held[0].Read(make([]byte, 1)); err != io.EOF && err == nil {
		t.Errorf("the longest silent one is still there: %v", err)
	}
	if got := ask(dial(), "X: "+strings.Repeat("a", 2*maxHeader)+"\r\n"); got != "HTTP/1.1 431" {
		t.Errorf("a large header: %q", got)
	}
}

// TestBusyConnections: those with a request under way are not ended for new ones.
func TestBusyConnections(t *testing.T) {
	conns := newConnections(2)
	open := func() (server, client net.Conn) {
		server, client = net.Pipe()
		conns.change(server, http.StateNew)
		return server, client
	}
	closed := func(client net.Conn) bool {
		_ = client.SetReadDeadline(time.Now().Add(time.Millisecond))
		_, err := client.Read(make([]byte, 1))
		return err == io.EOF
	}
	a, ofA := open()
	conns.change(a, http.StateActive)
	b, ofB := open()
	conns.change(b, http.StateActive)
	c, ofC := open()
	if closed(ofA) || closed(ofB) || !closed(ofC) {
		t.Error("all are busy: the new one is to be closed")
	}
	conns.change(c, http.StateClosed)
	conns.change(a, http.StateIdle)
	if _, ofD := open(); closed(ofB) || closed(ofD) || !closed(ofA) {
		t.Error("one is silent: it is to be closed")
	}
}
