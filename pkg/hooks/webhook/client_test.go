package webhook

import (
	"context"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"headless/pkg/must"
)

const testTimeout = 300 * time.Millisecond

var insecure = Policy{AllowInsecure: true}

// post sends one request with a client that has no proxy, no system roots and no real DNS.
func post(t *testing.T, policy Policy, opts Options, url string) Result {
	t.Helper()
	if opts.Timeout == 0 {
		opts.Timeout = 10 * time.Second
	}
	h := Message{Event: "entry.created", Delivery: "d1", Attempt: 1,
		Secrets: Secrets{Current: vectorSecret}}.Headers(time.Now())
	return NewClient(policy, opts).Post(t.Context(), Request{URL: url, Header: h, Body: []byte(`{"a":1}`)})
}

// receiver is a plain HTTP receiver on loopback.
func receiver(t *testing.T, answer http.HandlerFunc) *httptest.Server {
	srv := httptest.NewServer(answer)
	t.Cleanup(srv.Close)
	return srv
}

// rawReceiver reads a request's first bytes, then lets answer write whatever it likes until the
// client goes away.
func rawReceiver(t *testing.T, answer func(net.Conn)) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must.Do(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				_, _ = conn.Read(make([]byte, 4096))
				answer(conn)
			}()
		}
	}()
	return "http://" + l.Addr().String() + "/"
}

func TestPostSendsTheRequest(t *testing.T) {
	var got *http.Request
	var body []byte
	srv := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, "thanks")
	})
	res := post(t, insecure, Options{}, srv.URL+"/hook?x=1")
	if !res.OK() || res.Code != 202 || res.Body != "thanks" || res.Err != "" || res.Latency <= 0 {
		t.Fatalf("%+v", res)
	}
	if got.Method != "POST" || got.RequestURI != "/hook?x=1" || string(body) != `{"a":1}` {
		t.Errorf("%s %s %s", got.Method, got.RequestURI, body)
	}
	if got.ContentLength != 7 || got.Header.Get("User-Agent") != UserAgent ||
		got.Header.Get("Accept-Encoding") != "" {
		t.Errorf("length %d, headers %v", got.ContentLength, got.Header)
	}
}

func TestPostStatuses(t *testing.T) {
	srv := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/followed") {
			t.Error("a redirect was followed")
		}
		code := map[string]int{"/200": 200, "/204": 204, "/299": 299, "/301": 301, "/302": 302,
			"/303": 303, "/307": 307,
			"/308": 308, "/400": 400, "/410": 410, "/429": 429, "/500": 500, "/503": 503}[r.URL.Path]
		w.Header().Set("Location", "/followed")
		w.Header().Set("Retry-After", "77")
		w.WriteHeader(code)
	})
	for path, ok := range map[string]bool{
		"200": true, "204": true, "299": true, "301": false, "302": false, "303": false,
		"307": false, "308": false,
		"400": false, "410": false, "429": false, "500": false, "503": false,
	} {
		res := post(t, insecure, Options{}, srv.URL+"/"+path)
		if res.OK() != ok || res.Terminal || res.Timeout || res.Err != "" ||
			res.RetryAfter != "77" || res.Gone() != (path == "410") {
			t.Errorf("%s: %+v", path, res)
		}
	}
}

// until writes text again and again, at a pace, until the client goes away.
func until(w io.Writer, text string, pace time.Duration) {
	for {
		if _, err := io.WriteString(w, text); err != nil {
			return
		}
		time.Sleep(pace)
	}
}

func TestPostHostileAnswers(t *testing.T) {
	const status = "HTTP/1.1 200 OK\r\n"
	flood := strings.Repeat("x", 64<<10)
	tests := []struct {
		name    string
		answer  func(net.Conn)
		code    int
		ok      bool
		timeout bool
		err     string // part of Err, "" for none
	}{
		{"slow-drip body", func(c net.Conn) {
			_, _ = io.WriteString(c, status+"Content-Length: 100000\r\n\r\n")
			until(c, "x", 10*time.Millisecond)
		}, 200, false, true, "in time"},
		{"no answer", func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }, 0, false, true, "in time"},
		{"slow-drip header", func(c net.Conn) {
			_, _ = io.WriteString(c, status)
			until(c, "X-A: b\r\n", 10*time.Millisecond)
		}, 0, false, true, "in time"},
		{"header that never ends", func(c net.Conn) {
			_, _ = io.WriteString(c, status)
			until(c, "X-A: "+flood[:1000]+"\r\n", 0)
		}, 0, false, false, "header"},
		{"interim answers that never end", func(c net.Conn) {
			until(c, "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n", 0)
		}, 0, false, false, "header"},
		{"1 GB body", func(c net.Conn) {
			_, _ = io.WriteString(c, status+"Content-Length: 1073741824\r\n\r\n")
			until(c, flood, 0)
		}, 200, true, false, ""},
		{"body without end", func(c net.Conn) {
			_, _ = io.WriteString(c, status+"Transfer-Encoding: chunked\r\n\r\n")
			until(c, "10000\r\n"+flood+"\r\n", 0)
		}, 200, true, false, ""},
		{"reset mid-body", func(c net.Conn) {
			_, _ = io.WriteString(c, status+"Content-Length: 100\r\n\r\nhalf")
			_ = c.(*net.TCPConn).SetLinger(0)
		}, 200, true, false, "closed the connection"},
		{"cut mid-body", func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 500 Oh\r\nContent-Length: 100\r\n\r\nhalf")
		}, 500, false, false, "closed the connection"},
		{"closed at once", func(net.Conn) {}, 0, false, false, "closed the connection"},
		{"reset at once", func(c net.Conn) { _ = c.(*net.TCPConn).SetLinger(0) }, 0, false, false,
			"closed the connection"},
		{"not HTTP", func(c net.Conn) { _, _ = io.WriteString(c, "SSH-2.0-OpenSSH_9.9\r\n") }, 0,
			false, false, "HTTP"},
		{"switching protocols", func(c net.Conn) {
			_, _ = io.WriteString(c,
				"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")
		}, 101, false, false, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			opts := Options{}
			if test.timeout {
				opts.Timeout = testTimeout
			}
			res := post(t, insecure, opts, rawReceiver(t, test.answer))
			if res.Code != test.code || res.OK() != test.ok || res.Timeout != test.timeout || res.Terminal ||
				(res.Err == "") != (test.err == "") || !strings.Contains(res.Err, test.err) {
				t.Errorf("%.300v", res)
			}
			if len(res.Body) > maxAnswerKept || res.Latency > 20*time.Second {
				t.Errorf("%d bytes kept, %v", len(res.Body), res.Latency)
			}
		})
	}
}

func TestPostKeepsReadableText(t *testing.T) {
	tests := []struct{ name, encoding, body, want string }{
		{"empty", "", "", ""},
		{"text", "", "Grüße", "Grüße"},
		{"invalid UTF-8", "", "a\xff\xfeb\xc3", "a\uFFFDb\uFFFD"},
		{"much invalid UTF-8", "", strings.Repeat("a\xff", 8000), strings.Repeat("a\uFFFD", 1024)},
		{"cut inside a character", "", "a" + strings.Repeat("é", 4000), "a" + strings.Repeat("é", 2047)},
		{"gzip is not undone", "gzip", "\x1f\x8b\x08\x00bomb", "\x1f\uFFFD\x08\x00bomb"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			srv := receiver(t, func(w http.ResponseWriter, r *http.Request) {
				if test.encoding != "" {
					w.Header().Set("Content-Encoding", test.encoding)
				}
				_, _ = io.WriteString(w, test.body)
			})
			res := post(t, insecure, Options{}, srv.URL)
			if !res.OK() || res.Body != test.want || !utf8.ValidString(res.Body) {
				t.Errorf("%d bytes: %.60q", len(res.Body), res.Body)
			}
		})
	}
}

func TestPostCertificates(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	srv.Config.ErrorLog = log.New(io.Discard, "", 0) // the test wants failed handshakes
	srv.StartTLS()
	t.Cleanup(srv.Close)
	roots := x509.NewCertPool()
	roots.AddCert(srv.Certificate())
	u, _ := url.Parse(srv.URL)
	byName := func(host string) string { return "https://" + net.JoinHostPort(host, u.Port()) }
	plain := receiver(t, func(http.ResponseWriter, *http.Request) {})
	dns := fakeDNS(t, func(string) []string { return []string{"127.0.0.1"} })

	tests := []struct {
		name, url string
		roots     *x509.CertPool
		err       string
	}{
		{"good", srv.URL, roots, ""},
		{"good by name", byName("example.com"), roots, ""},
		{"unknown authority", srv.URL, x509.NewCertPool(), "known authority"},
		{"another name", byName("other.test"), roots, "another host"},
		{"no TLS", strings.Replace(plain.URL, "http:", "https:", 1), roots, "TLS"},
	}
	for _, test := range tests {
		res := post(t, insecure, Options{RootCAs: test.roots, Resolver: dns}, test.url)
		if res.OK() != (test.err == "") || res.Terminal || !strings.Contains(res.Err, test.err) {
			t.Errorf("%s: %+v", test.name, res)
		}
	}
}

func TestPostEndings(t *testing.T) {
	var hits atomic.Int64
	srv := receiver(t, func(http.ResponseWriter, *http.Request) { hits.Add(1) })
	closed := httptest.NewServer(nil)
	closed.Close()
	hung := rawReceiver(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) })

	for _, env := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY"} {
		t.Setenv(env, srv.URL)
	}
	if res := post(t, insecure, Options{}, closed.URL); res.Err != "The connection was refused." ||
		res.Terminal || res.Timeout {
		t.Errorf("refused connection: %+v", res)
	}
	own := Policy{AllowInsecure: true, OwnHosts: []string{strings.TrimPrefix(srv.URL, "http://")}}
	refused := map[string]Policy{
		srv.URL: {}, "https://127.0.0.1/": {}, "https://10.0.0.1/": insecure,
		"http://169.254.169.254/": insecure,
		"https://2852039166/":     insecure, "not a URL": insecure,
		strings.Replace(srv.URL, "127.0.0.1", "localhost", 1): own,
		"https://user:pw@127.0.0.1/":                          insecure, "https://example.com:22/": {},
	}
	for url, policy := range refused {
		if res := post(t, policy, Options{}, url); !res.Terminal || res.OK() || res.Code != 0 ||
			res.Err == "" {
			t.Errorf("%s: %+v", url, res)
		}
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("%d requests arrived by a proxy or in spite of the refusal", n)
	}

	client := NewClient(insecure, Options{})
	short, cancel := context.WithTimeout(t.Context(), testTimeout)
	defer cancel()
	if res := client.Post(short, Request{URL: hung}); !res.Timeout || res.Latency > 20*time.Second {
		t.Errorf("caller's deadline: %+v", res)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if res := client.Post(ended, Request{URL: hung}); res.Timeout || res.Terminal || res.Err == "" {
		t.Errorf("canceled: %+v", res)
	}
}
