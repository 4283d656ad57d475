package localserver

import (
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"headless/pkg/must"
	"headless/pkg/web"
)

// TestSilentConnections: clients that hold connections and say nothing keep nobody out.
func TestSilentConnections(t *testing.T) {
	const limit = 5
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must.Do(t, err)
	hs := newServer(http.NotFoundHandler(), newConnections(limit, limit, nobody))
	go hs.Serve(listener)
	t.Cleanup(func() { hs.Close() })
	dial := func() net.Conn {
		t.Helper()
		conn, err := net.DialTimeout("tcp", listener.Addr().String(), 10*time.Second)
		must.Do(t, err)
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

// TestSlowReaders: a client that does not read its answer loses its connection.
func TestSlowReaders(t *testing.T) {
	const size = 32 << 20
	ended := make(chan error, 1)
	serve := func(patience time.Duration) (address string) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		must.Do(t, err)
		hs := newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var err error
			if r.URL.Path == "/file" {
				_, err = io.Copy(w, io.LimitReader(zeros{}, size))
			} else {
				_, err = w.Write(make([]byte, size))
			}
			ended <- err
		}), newConnections(10, 10, nobody))
		go hs.Serve(envelopes{listener, patience})
		t.Cleanup(func() { hs.Close() })
		return listener.Addr().String()
	}
	short, usual := serve(time.Second/4), serve(answerTime)
	for _, path := range []string{"/bytes", "/file"} {
		conn, err := net.Dial("tcp", short)
		must.Do(t, err)
		defer conn.Close()
		_, _ = io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n")
		select {
		case err := <-ended:
			if err == nil {
				t.Errorf("%s: all of it was sent to who does not read", path)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: the answer waits for who does not read", path)
		}
		answer, err := http.Get("http://" + usual + path)
		must.Do(t, err)
		if n, err := io.Copy(io.Discard, answer.Body); err != nil || n != size {
			t.Errorf("%s: %d bytes, %v", path, n, err)
		}
		answer.Body.Close()
		<-ended
	}
}

// zeros has no end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestBusyConnections: those with a request under way are not ended for new ones.
func TestBusyConnections(t *testing.T) {
	conns := newConnections(2, 2, nobody)
	open := func() (server, client net.Conn) { return openFrom(conns, "203.0.113.1") }
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

// TestConnectionsOfAnAddress: an address that has too many loses its own.
func TestConnectionsOfAnAddress(t *testing.T) {
	const perAddress = 3
	trusted, err := web.ParseProxies("10.0.0.0/8")
	must.Do(t, err)
	conns := newConnections(100, perAddress, web.Proxies{Trusted: trusted}.Trusts)
	_, other := openFrom(conns, "203.0.113.2") // the longest silent one of all
	var servers, clients []net.Conn
	for range perAddress + 2 {
		server, client := openFrom(conns, "203.0.113.1")
		servers, clients = append(servers, server), append(clients, client)
	}
	for i, client := range clients {
		if got, want := closed(client), i < 2; got != want {
			t.Errorf("connection %d: closed is %v, want %v", i, got, want)
		}
	}
	if closed(other) {
		t.Error("a connection of another address was closed")
	}
	for _, server := range servers {
		conns.change(server, http.StateActive)
	}
	if _, added := openFrom(conns, "203.0.113.1"); !closed(added) {
		t.Error("all of an address are busy: its new one is to be closed")
	}
	for _, server := range servers {
		conns.change(server, http.StateClosed)
	}
	if _, added := openFrom(conns, "203.0.113.1"); closed(added) {
		t.Error("a connection after the end of the others was closed")
	}
	for i := range 3 * perAddress {
		if _, ofProxy := openFrom(conns, "10.1.2.3"); closed(ofProxy) {
			t.Errorf("connection %d of a trusted proxy was closed", i)
		}
	}
}

func nobody(string) bool { return false }

// from is a connection of an address.
type from struct {
	net.Conn
	address string
}

func (f from) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(f.address), 4711))
}

// openFrom tells of a new connection and returns both its ends.
func openFrom(conns *connections, address string) (server, client net.Conn) {
	server, client = net.Pipe()
	server = from{server, address}
	conns.change(server, http.StateNew)
	return server, client
}

// closed reports whether the server closed a connection.
func closed(client net.Conn) bool {
	_ = client.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := client.Read(make([]byte, 1))
	return err == io.EOF
}
