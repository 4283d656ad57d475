package oracle_test

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
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
	handler  http.Handler
	admin    http.Header // an administrator
	key      http.Header // a key with the role admin
	readers  []*reader
	people   []*person
	asked    *person           // a key whose publications need approvals
	narrow   *person           // may read what the limited readers see
	listener string            // the id of a webhook
	by       *person           // who makes the changes, nil for the key and the administrator
	match    string            // the entity tag that the next change depends on
	history  []string          // the calls that changed something
	shown    map[string]uint64 // hashes of answers by reader, call and entity tag
	faults   *faults
	errors   errorLog
	close    func() error
}

// errorLog has the first error that the service logs: no answer shows those of timers.
type errorLog chan string

func (l errorLog) Write(line []byte) (int, error) {
	if *faulty && isOfFault(string(line)) {
		return len(line), nil
	}
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
	tag    string // the entity tag
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

// request makes a request that the service answers with JSON.
func request(as http.Header, call, contentType, body string) *http.Request {
	method, path, _ := strings.Cut(call, " ")
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	maps.Copy(r.Header, as)
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Accept", "application/json")
	r.RemoteAddr = "127.0.0.1:4000"
	return r
}

// send calls the service.
func (s *service) send(as http.Header, call, contentType, body string) *httptest.ResponseRecorder {
	w := s.tryAll(as, call, contentType, body)
	s.note(call, body, w)
	return w
}

// note adds a change to the history.
func (s *service) note(call, body string, w *httptest.ResponseRecorder) {
	if w.Code >= 500 {
		fail("%s %s: %d %.300s", call, body, w.Code, w.Body)
	}
	if !strings.HasPrefix(call, "GET ") {
		s.history = append(s.history, fmt.Sprintf("%s %s -> %d", call, body, w.Code))
	}
}

// ask calls the service, which answers with JSON.
func (s *service) ask(as http.Header, call string, body any) (a answer) {
	a = answered(call, s.send(as, call, "application/json", sent(body)))
	if a.tag != "" && !strings.Contains(call, " /admin/") {
		hash := fnv.New64a()
		check(json.NewEncoder(hash).Encode(a.json))
		key := as.Get("X-Api-Key") + call + a.tag
		if had, ok := s.shown[key]; ok && had != hash.Sum64() {
			fail("%s: an answer differs from an earlier one with the same entity tag: %v", call, a.json)
		}
		s.shown[key] = hash.Sum64()
	}
	return a
}

// sent is a body as JSON, "" if it is nil.
func sent(body any) string {
	if body == nil {
		return ""
	}
	return text(body)
}

// answered reads the answer to a call.
func answered(call string, w *httptest.ResponseRecorder) answer {
	a := answer{status: w.Code, tag: w.Header().Get("ETag")}
	if err := json.Unmarshal(w.Body.Bytes(), &a.json); w.Body.Len() > 0 && err != nil {
		fail("%s: %d %.300s", call, w.Code, w.Body)
	}
	return a
}

// apiModel is the beginning of the path of a model in the API.
var apiModel = regexp.MustCompile("/api/v1/([a-z]+)")

// do calls the service as an administrator or with the key, by the path, and checks that it succeeds or is refused for
// one of some reasons. Changes by a person are made by the routes of the admin area, which has the same verbs.
func (s *service) do(call string, body any, why ...string) answer {
	as, call := s.route(call)
	if s.match != "" {
		as = as.Clone()
		as.Set("If-Match", s.match)
		s.match = ""
	}
	a := s.ask(as, call, body)
	if code, _ := a.get("error.code").(string); !isOneOf(code, why) {
		fail("%s %s: %d %v\nwant %v", call, text(body), a.status, a.get("error"), why)
	}
	return a
}

// route returns the credentials and the path of a call, see do.
func (s *service) route(call string) (http.Header, string) {
	as := s.key
	switch admin := strings.Contains(call, " /admin/"); {
	case s.by != nil && s.by == s.asked && !admin:
		as = s.by.header
	case s.by != nil && !strings.HasPrefix(call, "GET "):
		as, call = s.by.header, apiModel.ReplaceAllString(call, "/admin/models/$1/entries")
	case admin:
		as = s.admin
	}
	return as, call
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
	failing := &faults{}
	server, err := embedded.NewOn(cfg,
		slog.New(slog.NewTextHandler(errors, &slog.HandlerOptions{Level: slog.LevelError})), failing.wrap)
	check(err)
	s := &service{handler: server, close: server.Close, errors: errors, shown: map[string]uint64{},
		faults: failing}
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
	s.key = secret(obj{"role": "admin"})
	s.asked = &person{header: secret(obj{"role": "admin", "review": true})}
	for _, r := range []reader{{models: models, locales: locales}, limited} {
		sees := obj{}
		if r.limited {
			sees = obj{"models": r.slugs(), "locales": r.locales}
		}
		byKey, delivered := r, r
		byKey.as, byKey.root = secret(maps.Clone(sees)), "/api/v1"
		maps.Copy(sees, obj{"kind": "publishable"})
		delivered.root = "/delivery/v1/" + key(sees).get("data.public_key").(string)
		s.readers = append(s.readers, &byKey, &delivered)
	}
	s.meet()
	s.listener = s.do("POST /admin/webhooks", obj{"listen": true, "events": heard,
		"models": list{"authors", "posts", "pages"}}).get("data.id").(string)
	s.history = nil
	return s
}
