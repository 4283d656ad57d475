package embedded

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"headless/pkg/access"
	"headless/pkg/apikeys"
	"headless/pkg/app"
	"headless/pkg/cms"
	"headless/pkg/must"
)

const (
	fuzzPassword = "a long enough password"
	// patience is how long an answer may take on a busy machine.
	patience = 20 * time.Second
	// grace is how long the server may wait for more of a request before the client ends it.
	grace = 3 * time.Second
)

// lines collects the log.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) take() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := bytes.Clone(l.text.Bytes())
	l.text.Reset()
	return text
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// tail is the end of the log.
func (l *lines) tail() string {
	s := l.String()
	return s[max(0, len(s)-3000):]
}

// target is a server behind a listener of its own, with credentials for it.
type target struct {
	address string
	log     *lines // of the service, as JSON
	errors  *lines // of net/http
	fill    *strings.Replacer
}

func newTarget(tb testing.TB) *target {
	tb.Helper()
	t := &target{log: &lines{}, errors: &lines{}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must.Do(tb, err)
	t.address = listener.Addr().String()
	cfg, err := app.FromEnv(func(string) string { return "" })
	must.Do(tb, err)
	cfg.DataDir, cfg.Seed, cfg.AdminEmail, cfg.AdminPassword, cfg.SiteURL = tb.TempDir(), "none",
		"root@example.com", fuzzPassword, "http://"+t.address
	server, err := New(cfg, slog.New(slog.NewJSONHandler(t.log, nil)))
	must.Do(tb, err)
	hs := &http.Server{Handler: server, ErrorLog: log.New(t.errors, "", 0), ReadHeaderTimeout: patience}
	go func() { _ = hs.Serve(listener) }()
	tb.Cleanup(func() { _, _ = hs.Close(), server.Close() })
	ctx, on := tb.Context(), server.services
	session, err := on.Sessions.SignIn(ctx, access.Client{},
		map[string]any{"email": cfg.AdminEmail, "password": fuzzPassword})
	must.Do(tb, err)
	keys := apikeys.Keys{Store: server.store.Keys}
	key, err := keys.Create(ctx, cms.Actor{},
		map[string]any{"name": "fuzz", "scopes": []any{"read", "write", "delete"}, "role": "admin",
			"rate_limit": json.Number("100000")})
	must.Do(tb, err)
	if _, err := on.Models.Create(ctx, cms.Actor{}, map[string]any{"slug": "posts", "name": "Posts",
		"kind": "collection", "fields": []any{
			map[string]any{"name": "body", "label": "Body", "type": "textarea", "searchable": true},
			map[string]any{"name": "extra", "label": "Extra", "type": "json"},
		}}); err != nil {
		tb.Fatal(err)
	}
	if _, err := on.Services.Forms.Create(ctx, cms.Actor{},
		map[string]any{"slug": "contact", "name": "Contact", "fields": []any{
			map[string]any{"name": "message", "label": "Message", "type": "text"},
		}}); err != nil {
		tb.Fatal(err)
	}
	t.fill = strings.NewReplacer("{KEY}", key.PublicKey, "{SECRET}", key.Secret, "{TOKEN}",
		session.Token, "{HOST}", t.address)
	return t
}

// send writes a raw request and reads the answer; nil if the server closed the connection
// instead.
func (t *target) send(raw string) (*http.Response, []byte, error) {
	conn, err := net.Dial("tcp", t.address)
	if err != nil {
		return nil, nil, err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	sent := make(chan struct{})
	go func() { // the server may answer before it has read all
		defer close(sent)
		_, _ = io.WriteString(conn, raw)
	}()
	r := bufio.NewReader(conn)
	if !strings.Contains(raw, "\r\n\r\n") {
		<-sent
		_ = conn.(*net.TCPConn).CloseWrite() // there is no more of it
	}
	_ = conn.SetReadDeadline(time.Now().Add(grace))
	if _, err = r.Peek(1); isTimeout(err) { // the server waits for a body
		_ = conn.(*net.TCPConn).CloseWrite()
		_ = conn.SetReadDeadline(time.Now().Add(patience))
		if _, err = r.Peek(1); isTimeout(err) {
			return nil, nil, fmt.Errorf("no answer within %s", patience)
		}
	}
	if err != nil {
		return nil, nil, nil
	}
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	method, _, _ := strings.Cut(raw, " ")
	answer, err := http.ReadResponse(r, &http.Request{Method: method})
	if err != nil {
		return nil, nil, err
	}
	body, err := io.ReadAll(answer.Body)
	if isTimeout(err) {
		return nil, nil, fmt.Errorf("the answer does not end within %s", patience)
	}
	return answer, body, nil
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// nasty are values for every place of a request.
var nasty = []string{
	"", "\xe9", "\xff\xfe\x00", "\x00", "a\x00b", "é\u202e\u0000", "\r\nX-Injected: 1",
	"%0d%0aX-Injected:%201", "%00", "%e9", "%", "%zz", "..%2f..%2f", "../../etc/passwd",
	`"><script>`, `{"a":1}`, "[[[[", "=1+1", "' OR 1=1", strings.Repeat("a", 9000),
	strings.Repeat("[", 3000), "1e999", "-1", "99999999999999999999", "2026-13-45", "\U0001F600", "\ufffe",
}

// seeds puts each value into each place.
func seeds() (all []string) {
	const (
		keyed  = "X-API-Key: {KEY}\r\nX-API-Secret: {SECRET}\r\n"
		signed = "Authorization: Bearer {TOKEN}\r\nAccept: application/json\r\n"
		cookie = "Cookie: headless_session={TOKEN}\r\nAccept: text/html\r\n"
	)
	add := func(method, target, header, body string) {
		if body != "" {
			header += fmt.Sprintf("Content-Length: %d\r\n", len(body))
		}
		all = append(all, method+" "+target+" HTTP/1.1\r\nHost: {HOST}\r\n"+header+"\r\n"+body)
	}
	const jsonType, formType = "Content-Type: application/json\r\n",
		"Content-Type: application/x-www-form-urlencoded\r\n"
	for _, v := range nasty {
		escaped := strings.NewReplacer("\r", "%0D", "\n", "%0A", "\x00", "%00", " ", "%20").Replace(v)
		text, _ := json.Marshal(v)
		add("GET", "/api/v1/posts/"+escaped, keyed, "")
		add("GET",
			"/api/v1/posts?filter[data.body]="+escaped+"&sort="+escaped+"&page="+escaped+"&cursor="+escaped+"&q="+escaped,
			keyed, "")
		add("GET", "/api/v1/search?q="+escaped+"&models="+escaped, keyed, "")
		add("GET", "/api/v1/ping", "X-API-Key: "+v+"\r\nX-API-Secret: "+v+"\r\nOrigin: "+v+"\r\n", "")
		add("GET", "/delivery/v1/"+escaped+"/posts?"+escaped, "If-None-Match: "+v+"\r\n", "")
		add("GET", "/admin/models/posts/entries?filter[title]="+escaped+"&sort="+escaped, signed, "")
		add("GET",
			"/admin/activity?filter[event]="+escaped+"&cursor="+escaped+"&filter[time][gte]="+escaped,
			signed, "")
		add("GET", "/admin/"+escaped+"?next="+escaped+"&ok="+escaped,
			cookie+"Accept-Language: "+v+"\r\nReferer: "+v+"\r\n", "")
		add("GET", "/admin/login?next="+escaped,
			"Cookie: headless_session="+v+"; headless_once="+v+"; "+v+"="+v+"\r\n", "")
		add("GET", "/media/"+escaped+"?w="+escaped+"&fm="+escaped, "Range: bytes="+v+"\r\n", "")
		add("POST", "/api/v1/posts", keyed+jsonType+"Idempotency-Key: "+v+"\r\n",
			`{"title":`+string(text)+`,"slug":`+string(text)+`,"data":{"body":`+string(text)+`,"extra":`+v+`}}`)
		add("POST", "/api/v1/forms/contact/submit", formType, "message="+v+"&"+v+"="+v)
		add("POST", "/admin/login", formType, "email="+v+"&password="+v+"&next="+v+"&_kept="+v+"&_to="+v)
		add("POST", "/admin/login", jsonType, `{"email":`+string(text)+`,"password":`+string(text)+`}`)
		add("POST", "/mcp", keyed+jsonType+"Accept: application/json, text/event-stream\r\n",
			`{"jsonrpc":"2.0","id":1,"method":`+string(text)+`,"params":{}}`)
		file := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + v +
			"\"\r\nContent-Type: " + v + "\r\n\r\nhello\r\n--b--\r\n"
		add("POST", "/api/v1/upload", keyed+"Content-Type: multipart/form-data; boundary=b\r\n", file)
		add("POST", "/admin/redirects.csv", signed+"Content-Type: text/csv\r\n", "from,to\n/"+v+","+v+"\n")
		all = append(all, v, "GET "+v+" HTTP/1.1\r\nHost: "+v+"\r\n\r\n",
			v+" / HTTP/1.1\r\nHost: {HOST}\r\n\r\n")
	}
	for _, doubled := range []string{"Host: a\r\nHost: b\r\n",
		"Content-Length: 1\r\nContent-Length: 2\r\n", "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
		"Content-Type: application/json\r\nContent-Type: text/plain\r\n", keyed + keyed,
		"Cookie: headless_session=a\r\nCookie: headless_session=b\r\n",
		"X-Forwarded-For: 1.2.3.4\r\nX-Forwarded-For: \xff\r\n", "Expect: 100-continue\r\n",
		"Expect: nothing\r\n", "Upgrade: websocket\r\nConnection: Upgrade\r\n"} {
		add("POST", "/api/v1/posts?page=1&page=2", keyed+doubled, "")
	}
	return all
}

// FuzzRequests sends raw requests over TCP. No request gets a 500 or waits for ever, and none adds
// a header to the answer or a line to the log.
func FuzzRequests(f *testing.F) {
	if testing.Short() {
		f.Skip("takes seconds; make check leaves it out")
	}
	target := newTarget(f)
	fuzzing := flag.Lookup("test.fuzz").Value.String() != ""
	for i, seed := range seeds() {
		if !fuzzing || i%25 == 0 { // go test runs all; a fuzz run would measure each before it begins
			f.Add(seed)
		}
	}
	f.Fuzz(func(t *testing.T, raw string) {
		answer, body, err := target.send(target.fill.Replace(raw))
		must.Do(t, err)
		if answer != nil {
			// net/http itself answers 501 and 505 to other versions of HTTP.
			if s := answer.StatusCode; s >= 500 && s != http.StatusServiceUnavailable &&
				answer.Header.Get("X-Request-Id") != "" || s == http.StatusInternalServerError {
				t.Errorf("%s: %.500s", answer.Status, body)
			}
			if answer.Header.Get("X-Injected") != "" {
				t.Errorf("the header was split: %v", answer.Header)
			}
		}
		for line := range bytes.Lines(target.log.take()) {
			var entry struct{ Level, Msg string }
			if err := json.Unmarshal(line, &entry); err != nil || entry.Level == "ERROR" {
				t.Errorf("log line %q: %v", line, err)
			}
		}
		if text := target.errors.take(); bytes.Contains(text, []byte("panic")) {
			t.Errorf("%s", text)
		}
	})
}
