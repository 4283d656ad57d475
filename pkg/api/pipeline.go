package api

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strconv"
	"time"

	"headless/pkg/cms"
	"headless/pkg/store"
)

var errUnauthorized = cms.Errorf(cms.CodeUnauthorized, "The API key or secret is missing or invalid.")

// serveKeyed is the pipeline of authenticated routes in the order of specification §5: origin, key and secret, limit, log, scope.
//
// A read whose key and configuration this process has seen before is answered speculatively while the same round trip
// reads whether both still are what they were; if not, the answer is thrown away and made again. A read whose key it has
// not seen is answered in the round trip after that one, while it is counted.
func (a *API) serveKeyed(c *Call, route Route) {
	ahead := a.speculate(c, route)
	answer, err := a.authorized(c, route, ahead)
	c.write(answer, err)
	a.logRequest(c, route)
}

func (a *API) authorized(c *Call, route Route, ahead *speculation) (Answer, error) {
	opening, err := a.store.Open(c.Context(), c.R.Header.Get("X-API-Key"))
	if err != nil {
		return Answer{}, err
	}
	c.Site, c.Key = opening.Site, opening.Key
	if err := c.checkOrigin(); err != nil {
		return Answer{}, err
	}
	if !a.valid(c.Key, c.R.Header.Get("X-API-Secret")) {
		return Answer{}, errUnauthorized
	}
	if ahead == nil {
		ahead = a.speculate(c, route) // of a key that was not seen before: count and answer side by side
	}
	if err := a.limit(c, ahead); err != nil {
		return Answer{}, err
	}
	if route.Scope != "" && !c.Key.HasScope(route.Scope) {
		return Answer{}, cms.Errorf(cms.CodeForbidden, "This key lacks the scope %q.", route.Scope)
	}
	if ahead.holds(opening) {
		return ahead.result()
	}
	return a.run(c, route)
}

// valid compares the secret in constant time.
func (a *API) valid(key *store.APIKey, secret string) bool {
	if key == nil || secret == "" {
		return false
	}
	sum := sha256.Sum256([]byte(secret))
	if subtle.ConstantTimeCompare(sum[:], key.SecretHash) != 1 {
		return false
	}
	return key.ExpiresAt.IsZero() || a.store.Now().Before(key.ExpiresAt.Time)
}

// limit counts the request against the key's minute, unless that was done ahead.
func (a *API) limit(c *Call, ahead *speculation) error {
	n, ok, err := ahead.count(c.Key)
	if !ok && err == nil {
		n, ok, err = a.store.Count(c.Context(), c.Key.ID, c.Key.RateLimit)
	}
	if err != nil {
		return err
	}
	limit := c.Key.RateLimit
	h := c.w.Header()
	h.Set("X-RateLimit-Limit", strconv.FormatInt(limit, 10))
	h.Set("X-RateLimit-Remaining", strconv.FormatInt(max(0, limit-n), 10))
	if ok && n <= limit {
		return nil
	}
	wait := 60 - a.store.Now().Unix()%60
	return &cms.Error{Code: cms.CodeRateLimited, Message: "This key's requests a minute are used up.", RetryAfter: time.Duration(wait) * time.Second, Limit: limit}
}

// logRequest puts the request of a known key into its log, behind the answer.
func (a *API) logRequest(c *Call, route Route) {
	took := time.Since(c.start)
	a.log.Info("request", "request_id", c.RequestID, "method", c.R.Method, "route", route.Pattern, "status", c.status, "ms", float64(took.Microseconds())/1000)
	if c.Key == nil || a.lines == nil {
		return
	}
	a.lines(store.RequestLine{
		Time: cms.At(c.start), Method: c.R.Method, Path: c.R.URL.Path, Status: c.status,
		LatencyMS: float64(took.Microseconds()) / 1000, Address: c.Address().String(), Key: c.Key.Name, RequestID: c.RequestID,
	})
}

// speculation is an answer being made ahead of the checks, and the request's count.
type speculation struct {
	site   *store.Site
	key    *store.APIKey
	done   chan struct{}
	answer Answer
	err    error

	counted chan struct{}
	n       int64
	ok      bool
	countE  error
}

// speculate starts answering a read from what this process knows; nil where it knows too little or the secret is wrong.
func (a *API) speculate(c *Call, route Route) *speculation {
	site, key := a.store.CachedSite(), a.store.CachedKey(c.R.Header.Get("X-API-Key"))
	if !c.isRead() || site == nil || !a.valid(key, c.R.Header.Get("X-API-Secret")) || !originsAllowed(key, c.R.Header.Values("Origin")) {
		return nil
	}
	s := &speculation{site: site, key: key, done: make(chan struct{}), counted: make(chan struct{})}
	call := *c
	call.Site, call.Key = site, key
	go func() {
		defer close(s.done)
		s.answer, s.err = a.run(&call, route)
	}()
	go func() {
		defer close(s.counted)
		s.n, s.ok, s.countE = a.store.Count(c.Context(), key.ID, key.RateLimit)
	}()
	return s
}

// holds tells whether what the speculation assumed was true when it was checked.
func (s *speculation) holds(o store.Opening) bool {
	return s != nil && s.site == o.Site && s.key.SameVersion(o.Key)
}

func (s *speculation) result() (Answer, error) {
	<-s.done
	return s.answer, s.err
}

// count is the request's number in the key's minute; ok is false where it was not counted ahead for this very version of the key.
func (s *speculation) count(key *store.APIKey) (n int64, ok bool, err error) {
	if s == nil || !s.key.SameVersion(key) {
		return 0, false, nil
	}
	<-s.counted
	return s.n, s.ok, s.countE
}

var _ http.Handler = (*API)(nil)
