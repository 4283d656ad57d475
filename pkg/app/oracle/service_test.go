package oracle_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"time"

	"headless/pkg/app"
	"headless/pkg/app/embedded"
)

type (
	obj  = map[string]any
	list = []any
)

// service is the embedded service, called without a network: goroutines that wait for a network would keep the
// clock of the bubble from moving.
type service struct {
	handler     http.Handler
	admin       http.Header // an administrator
	key, public http.Header // a key with the role admin, and one without a role
	delivery    string      // the beginning of the paths of the delivery API
	people      []*person
	asked       *person  // a key whose publications need approvals
	by          *person  // who makes the changes, nil for the key and the administrator
	history     []string // the calls that changed something
	errors      errorLog
	close       func() error
}

// errorLog has the first error that the service logs: no answer shows those of timers.
type errorLog chan string

func (l errorLog) Write(line []byte) (int, error) {
	select {
	case l <- string(line):
	default:
	}
	return len(line), nil
}

// checkLog fails if the service has logged an error.
func (s *service) checkLog() {
	select {
	case line := <-s.errors:
		fail("the service logs %s", line)
	default:
	}
}

// answer is the response to a call.
type answer struct {
	status int
	json   obj
}

// get returns the value at a path of keys, nil if there is none.
func (a answer) get(path string) any { return dig(a.json, path) }

func dig(v any, path string) any {
	for key := range strings.SplitSeq(path, ".") {
		o, _ := v.(obj)
		v = o[key]
	}
	return v
}

// send calls the service.
func (s *service) send(as http.Header, call, contentType, body string) (int, []byte) {
	method, path, _ := strings.Cut(call, " ")
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	maps.Copy(r.Header, as)
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Accept", "application/json")
	r.RemoteAddr = "127.0.0.1:4000"
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	if w.Code >= 500 {
		fail("%s %s: %d %.300s", call, body, w.Code, w.Body)
	}
	if method != http.MethodGet {
		s.history = append(s.history, fmt.Sprintf("%s %s -> %d", call, body, w.Code))
	}
	return w.Code, w.Body.Bytes()
}

// ask calls the service, which answers with JSON.
func (s *service) ask(as http.Header, call string, body any) (a answer) {
	sent := ""
	if body != nil {
		sent = text(body)
	}
	status, read := s.send(as, call, "application/json", sent)
	a.status = status
	if err := json.Unmarshal(read, &a.json); len(read) > 0 && err != nil {
		fail("%s %s: %d %.300s", call, sent, status, read)
	}
	return a
}

// apiModel is the beginning of the path of a model in the API.
var apiModel = regexp.MustCompile("/api/v1/([a-z]+)")

// do calls the service as an administrator or with the key, by the path, and checks that it succeeds or is refused for
// one of some reasons. Changes by a person are made by the routes of the admin area, which has the same verbs.
func (s *service) do(call string, body any, why ...string) answer {
	as := s.key
	switch admin := strings.Contains(call, " /admin/"); {
	case s.by != nil && s.by == s.asked && !admin:
		as = s.by.header
	case s.by != nil && !strings.HasPrefix(call, "GET "):
		as, call = s.by.header, apiModel.ReplaceAllString(call, "/admin/models/$1/entries")
	case admin:
		as = s.admin
	}
	a := s.ask(as, call, body)
	if code, _ := a.get("error.code").(string); !isOneOf(code, why) {
		fail("%s %s: %d %v\nwant %v", call, text(body), a.status, a.get("error"), why)
	}
	return a
}

// isOneOf reports whether a code is one of some reasons for a refusal, or "" where there are none.
func isOneOf(code string, why refusals) bool {
	for _, w := range why {
		if w == code {
			return true
		}
	}
	return len(why) == 0 && code == ""
}

// text is a value as JSON.
func text(v any) string {
	b, err := json.Marshal(v)
	check(err)
	return string(b)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// start starts the service with the locales, models and keys of the test.
func start(dir string) *service {
	cfg, err := app.FromEnv(func(string) string { return "" })
	check(err)
	cfg.DataDir, cfg.Seed, cfg.SiteURL = dir, "none", "http://localhost:3000"
	cfg.MediaBaseURL = cfg.SiteURL + "/media"
	cfg.AdminEmail, cfg.AdminPassword, cfg.PasswordMemory = "root@example.com", "a long enough password", 64
	cfg.SessionTime = 1000 * time.Hour
	errors := make(errorLog, 1)
	server, err := embedded.New(cfg, slog.New(slog.NewTextHandler(errors, &slog.HandlerOptions{Level: slog.LevelError})))
	check(err)
	s := &service{handler: server, close: server.Close, errors: errors}
	login := s.do("POST /admin/login", obj{"email": cfg.AdminEmail, "password": cfg.AdminPassword})
	s.admin = http.Header{"Authorization": {"Bearer " + login.get("data.token").(string)}}
	for i, code := range locales[1:] {
		s.do("POST /admin/locales", obj{"code": code, "name": code, "native_name": code, "direction": "ltr",
			"sort_order": i + 5, "fallback": locales[i]})
	}
	var definitions list
	for _, m := range models {
		definitions = append(definitions, obj{"slug": m.slug, "name": m.slug, "kind": "collection", "url": m.url,
			"home": m.home, "localized": m.localized, "tree": m.tree, "review": m.review, "fields": m.fields()})
	}
	s.apply(obj{"models": definitions})
	s.do("POST /admin/menus", obj{"slug": "main", "name": "Main", "items": obj{}})
	key := func(body obj) answer {
		maps.Copy(body, obj{"name": "key", "rate_limit": 1_000_000})
		return s.do("POST /admin/keys", body)
	}
	secret := func(more obj) http.Header {
		maps.Copy(more, obj{"scopes": list{"read", "write", "delete"}})
		a := key(more)
		return http.Header{"X-Api-Key": {a.get("data.public_key").(string)},
			"X-Api-Secret": {a.get("data.secret").(string)}}
	}
	s.key, s.public = secret(obj{"role": "admin"}), secret(obj{})
	s.asked = &person{header: secret(obj{"role": "admin", "review": true})}
	s.delivery = "/delivery/v1/" + key(obj{"kind": "publishable"}).get("data.public_key").(string)
	s.meet()
	s.history = nil
	return s
}
