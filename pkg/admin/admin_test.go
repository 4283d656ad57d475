package admin_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"headless/pkg/access/notices"
	"headless/pkg/access/passkeys"
	"headless/pkg/access/passwords"
	"headless/pkg/admin"
	"headless/pkg/admin/frame"
	"headless/pkg/assets"
	"headless/pkg/assets/inspect"
	"headless/pkg/blob/disk"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/forms"
	"headless/pkg/hooks"
	"headless/pkg/hooks/webhook"
	"headless/pkg/must"
	"headless/pkg/queue/memory"
	"headless/pkg/richtext"
	"headless/pkg/rooms"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

const (
	adminEmail = "admin@example.com"
	password   = "correct horse battery"
)

// site is an admin area on a store of its own, with a clock that tests move.
type site struct {
	http.Handler
	store *rooms.Stores
	on    admin.Services
	blobs *disk.Store
	ahead atomic.Int64 // of the clock, in nanoseconds
}

func (s *site) now() time.Time { return time.Now().Add(time.Duration(s.ahead.Load())) }

func newSite(t *testing.T) *site {
	t.Helper()
	return newSiteOn(t, func(file table.Table) table.Table { return file })
}

// newSiteOn is newSite on what wrap makes of its table.
func newSiteOn(t *testing.T, wrap func(table.Table) table.Table) *site {
	t.Helper()
	s := &site{}
	file, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync(), bolt.WithClock(s.now))
	must.Do(t, err)
	t.Cleanup(func() {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	})
	s.on = s.open(t, wrap(file))
	on := s.on
	must.Do(t, on.Locales.EnsureDefault(context.Background()))
	if created, _, err := on.Users.EnsureFirst(context.Background(), adminEmail, password); err != nil ||
		!created {
		t.Fatal(created, err)
	}
	return s
}

// open starts the admin area on a table, anew where there was one.
func (s *site) open(t *testing.T, tbl table.Table) admin.Services {
	t.Helper()
	s.store = rooms.New(tbl, s.now)
	var err error
	if s.blobs, err = disk.Open(t.TempDir(),
		disk.Options{UploadURL: "https://files.example.com/up", Secret: []byte("secret"), Now: s.now}); err != nil {
		t.Fatal(err)
	}
	files := &assets.Media{
		Store: s.store.Assets, Blobs: s.blobs,
		Inspector: inspect.New(inspect.Policy{Allowed: inspect.DefaultAllowed()}),
		BaseURL:   "https://media.example.com",
		MaxBytes:  1 << 20, DirectMaxBytes: 8 << 20, Log: slog.New(slog.DiscardHandler),
	}
	hooks := &hooks.Deliveries{
		Store: s.store.Hooks, Client: webhook.NewClient(webhook.Policy{AllowInsecure: true},
			webhook.Options{}), Schedule: webhook.DefaultSchedule(),
		Queue: memory.New(s.now, memory.Options{}), Rand: func() float64 { return 0.5 },
		Log: slog.New(slog.DiscardHandler),
	}
	on := admin.NewServices(s.store, passwords.New(64), files,
		&forms.Submissions{Store: s.store.Forms}, hooks) // quick passwords
	files.Locales = on.Locales.All
	on.Entries.HTML = richtext.Local
	on.Grants.Fetch = func(context.Context, string, int64) ([]byte, error) { return nil, errors.New("tests read no URL") }
	on.Passkeys.Party = passkeys.NewParty("http://example.com")
	s.Handler = admin.New(frame.Config{
		Log: slog.New(slog.DiscardHandler), SiteURL: "http://example.com",
		MediaURL: "https://media.example.com", UploadMax: 1 << 20,
		Description: func() []byte { return []byte(`{"error": null}`) },
	}, on)
	return on
}

// mailRecorder keeps the mails of committed and refused changes alike.
type mailRecorder struct{ sent []string }

func (m *mailRecorder) Notify(_ *db.Tx, _ cms.Actor, to string, n cms.Notice) {
	m.sent = append(m.sent, to+": "+n.Subject.Text)
}

// recordMails makes the area send mails to a list, which the function returns: "address: subject".
func (s *site) recordMails() func() []string {
	mails := &mailRecorder{}
	s.on.Sessions.Notices = &notices.Notices{SiteURL: "http://example.com", Mailer: mails}
	s.on.Users.Notices = s.on.Sessions.Notices
	return func() []string { return mails.sent }
}

// answer is a response, with the envelope if it is JSON.
type answer struct {
	*httptest.ResponseRecorder
	Data  any
	Meta  map[string]any
	Error struct {
		Code    string
		Message string
		Details map[string][]string
	}
}

// at reads a value inside data by keys and indexes.
func (a answer) at(t *testing.T, path ...any) any {
	t.Helper()
	v := a.Data
	for _, p := range path {
		switch p := p.(type) {
		case string:
			object, ok := v.(map[string]any)
			if !ok {
				t.Fatalf("no object at %v in %s", path, a.Body)
			}
			v = object[p]
		case int:
			list, ok := v.([]any)
			if !ok || p >= len(list) {
				t.Fatalf("no element at %v in %s", path, a.Body)
			}
			v = list[p]
		}
	}
	return v
}

func (a answer) text(t *testing.T, path ...any) string {
	t.Helper()
	s, ok := a.at(t, path...).(string)
	if !ok {
		t.Fatalf("no text at %v in %s", path, a.Body)
	}
	return s
}

func (s *site) send(t *testing.T, r *http.Request) answer {
	t.Helper()
	a := answer{ResponseRecorder: httptest.NewRecorder()}
	s.ServeHTTP(a, r)
	if a.Header().Get("X-Request-Id") == "" && !strings.Contains(r.URL.Path, "/assets/") {
		t.Errorf("%s %s: no request id", r.Method, r.URL)
	}
	if strings.HasPrefix(a.Header().Get("Content-Type"), "application/json") {
		var envelope struct {
			Data  any
			Meta  map[string]any
			Error json.RawMessage
		}
		if err := json.Unmarshal(a.Body.Bytes(), &envelope); err != nil {
			t.Fatalf("%s %s: %v in %s", r.Method, r.URL, err, a.Body)
		}
		a.Data, a.Meta = envelope.Data, envelope.Meta
		must.Do(t, json.Unmarshal(envelope.Error, &a.Error))
	}
	return a
}

// client is a program with a bearer token.
type client struct {
	*site
	token string
}

func (s *site) as(t *testing.T, email string) client {
	t.Helper()
	a := client{s, ""}.do(t, "POST", "/login", map[string]string{"email": email, "password": password})
	if a.Code != 200 {
		t.Fatalf("sign-in of %s: %d %s", email, a.Code, a.Body)
	}
	return client{s, a.text(t, "token")}
}

// do sends JSON; body may be text, to be sent as it is, or nil for none.
func (c client) do(t *testing.T, method, path string, body any) answer {
	t.Helper()
	var reader io.Reader
	if text, ok := body.(string); ok {
		reader = strings.NewReader(text)
	} else if body != nil {
		raw, err := json.Marshal(body)
		must.Do(t, err)
		reader = bytes.NewReader(raw)
	}
	r := httptest.NewRequest(method, "/admin"+path, reader)
	r.Header.Set("Accept", "application/json")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	return c.send(t, r)
}

// must is do with the status that is expected.
func (c client) must(t *testing.T, status int, method, path string, body any) answer {
	t.Helper()
	a := c.do(t, method, path, body)
	if a.Code != status {
		t.Fatalf("%s %s: %d, want %d: %s", method, path, a.Code, status, a.Body)
	}
	return a
}

// browser is a browser with the cookie of a session.
type browser struct {
	*site
	cookie *http.Cookie
}

func (s *site) browse(t *testing.T) browser {
	t.Helper()
	return s.browseAs(t, adminEmail)
}

func (s *site) browseAs(t *testing.T, email string) browser {
	t.Helper()
	a := browser{s, nil}.post(t, "/login", url.Values{"email": {email}, "password": {password}})
	if a.Code != http.StatusSeeOther || len(a.Result().Cookies()) == 0 {
		t.Fatalf("sign-in: %d %v", a.Code, a.Header())
	}
	return browser{s, a.Result().Cookies()[0]}
}

func (b browser) get(t *testing.T, path string, more ...*http.Cookie) answer {
	t.Helper()
	r := httptest.NewRequest("GET", "/admin"+path, nil)
	r.Header.Set("Accept", "text/html,application/xhtml+xml")
	for _, cookie := range more {
		r.AddCookie(cookie)
	}
	if b.cookie != nil {
		r.AddCookie(b.cookie)
	}
	return b.send(t, r)
}

func (b browser) post(t *testing.T, path string, form url.Values) answer {
	t.Helper()
	r := httptest.NewRequest("POST", "/admin"+path, strings.NewReader(form.Encode()))
	r.Header.Set("Accept", "text/html")
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if b.cookie != nil {
		r.AddCookie(b.cookie)
	}
	return b.send(t, r)
}

// withFiles is a request with a form that has values, and files that all have the same content.
func withFiles(t *testing.T, path string, form url.Values, content []byte, names ...string) *http.Request {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for key, values := range form {
		for _, v := range values {
			must.Do(t, w.WriteField(key, v))
		}
	}
	for _, name := range names {
		part, err := w.CreateFormFile("file", name)
		must.Do(t, err)
		_, err = part.Write(content)
		must.Do(t, err)
	}
	must.Do(t, w.Close())
	r := httptest.NewRequest("POST", "/admin"+path, &body)
	r.Header.Set("Content-Type", w.FormDataContentType())
	return r
}

// postFile is post with a file.
func (b browser) postFile(t *testing.T, path string, form url.Values, content []byte, name string) answer {
	t.Helper()
	r := withFiles(t, path, form, content, name)
	r.Header.Set("Accept", "text/html")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.AddCookie(b.cookie)
	return b.send(t, r)
}

// csrf is the token in a page's form.
func (a answer) csrf(t *testing.T) string {
	t.Helper()
	_, rest, ok := strings.Cut(a.Body.String(), `name="_csrf" value="`)
	token, _, _ := strings.Cut(rest, `"`)
	if !ok || token == "" {
		t.Fatalf("no token in %s", a.Body)
	}
	return token
}

// parallel runs f n times at once.
func parallel(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}
