package pipeline

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"headless/pkg/apikeys"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/web"
)

var errUnauthorized = cms.Errorf(cms.CodeUnauthorized, "X-API-Key or X-API-Secret is missing or invalid.")

// serveKeyed runs the pipeline of authenticated routes in the order of specification §5: origin,
// key and secret, limit, log, scope.
//
// A read is answered speculatively if this process has the key and the configuration in its cache.
// In parallel, one round trip checks that both are current; if not, the answer is discarded and
// made again. If the key was not in the cache, the request is counted and answered in parallel
// after that round trip. Near the limit, a read is counted before it is answered.
func (a *API) serveKeyed(c *Call, route Route) {
	answer, err := a.answerAuthorized(c, route)
	c.writeAnswer(answer, err)
	a.logRequest(c, route)
}

func (a *API) answerAuthorized(c *Call, route Route) (Answer, error) {
	if v := c.visitor(); v != nil {
		return a.answerVisitor(c, route, v)
	}
	if err := a.refuseEarly(c); err != nil {
		return Answer{}, err
	}
	prefetched := a.speculate(c, route)
	defer func() { prefetched.stop() }()
	opening, err := a.keys.Open(c.Context(), c.R.Header.Get("X-API-Key"))
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
	if prefetched == nil {
		prefetched = a.speculate(c, route) // the key was not in the cache: count and answer in parallel
	}
	if err := a.limit(c, prefetched); err != nil {
		return Answer{}, err
	}
	if err := c.CheckScope(route.Scope); err != nil {
		return Answer{}, err
	}
	if prefetched.holds(opening) {
		return prefetched.result()
	}
	if prefetched == nil { // reads have no body
		web.AskAgain(c.R, func() error { return a.stillOpens(c) })
	}
	return a.idempotent(c, route)
}

// stillOpens returns an error if the key of a call was deleted, or got another secret or other rights, since the call
// began.
func (a *API) stillOpens(c *Call) error {
	again, err := a.keys.Open(c.Context(), c.R.Header.Get("X-API-Key"))
	switch {
	case err != nil:
	case !a.valid(again.Key, c.R.Header.Get("X-API-Secret")):
		err = errUnauthorized
	case !again.Key.SameRights(c.Key.Key):
		err = web.ErrOtherRights
	}
	return err
}

// answerVisitor is answerAuthorized for a visitor, whom the caller has checked.
func (a *API) answerVisitor(c *Call, route Route, v *Visitor) (answer Answer, err error) {
	c.Key = &v.Key
	if c.Site, err = a.keys.Site(c.Context()); err != nil {
		return Answer{}, err
	}
	if err := a.limit(c, nil); err != nil {
		return Answer{}, err
	}
	if err := c.CheckScope(route.Scope); err != nil {
		return Answer{}, err
	}
	return a.idempotent(c, route)
}

// valid reports whether a secret is currently valid for a key.
func (a *API) valid(key *apikeys.Key, secret string) bool {
	if key == nil || secret == "" || key.IsPublishable() {
		return false
	}
	now := a.keys.Now()
	return key.Opens(secret, now.Time) && (key.ExpiresAt.IsZero() || now.Before(key.ExpiresAt.Time))
}

// limit counts the request in the key's minute, unless the speculation counted it.
func (a *API) limit(c *Call, prefetched *speculation) error {
	n, ok, counted, err := prefetched.countRequest(c.Key)
	if !counted {
		n, ok, err = a.keys.Count(c.Context(), c.Key.ID, c.Key.RateLimit)
	}
	if err != nil {
		return err
	}
	return a.limitError(c, n, c.Key.RateLimit, ok)
}

// limitError sets the headers of the limit after n requests of a minute. It returns nil if the
// request may pass.
func (a *API) limitError(c *Call, n, limit int64, ok bool) error {
	h := c.W.Header()
	h.Set("X-RateLimit-Limit", strconv.FormatInt(limit, 10))
	h.Set("X-RateLimit-Remaining", strconv.FormatInt(max(0, limit-n), 10))
	if ok && n <= limit {
		return nil
	}
	wait := 60 - a.keys.Now().Unix()%60
	return &cms.Error{Code: cms.CodeRateLimited, Message: "Rate limit exceeded for this API key.",
		RetryAfter: time.Duration(wait) * time.Second, Limit: limit}
}

// logRequest logs a request of a known key, after the answer was sent.
func (a *API) logRequest(c *Call, route Route) {
	took := c.Milliseconds()
	a.log.Info("request", "request_id", c.RequestID, "method", c.R.Method, "route", route.Pattern,
		"status", c.Status, "ms", took)
	if c.Key == nil || a.lines == nil {
		return
	}
	if refused := c.Status == http.StatusUnauthorized || c.Status == http.StatusTooManyRequests; refused &&
		!a.refusals.allow(c.Key.ID, a.keys.Now().Time) {
		return // log only some of many refusals
	}
	a.lines(db.RequestLine{
		Time: cms.At(c.Start), Method: c.R.Method, Path: c.R.URL.Path, Status: c.Status,
		LatencyMS: took, Address: c.AddressText(),
		Key: c.Key.Name, RequestID: c.RequestID,
	})
}

// speculation is an answer that is made before the checks are complete, and the count of the
// request.
type speculation struct {
	site   *site.Site
	key    *apikeys.Key
	cancel context.CancelFunc
	done   chan struct{}
	answer Answer
	err    error

	counted chan struct{}
	n       int64
	ok      bool
	countE  error
}

// speculate starts to answer a read from cached data. It returns nil if something is not in the
// cache or the secret is wrong. Near the limit it only counts the request.
func (a *API) speculate(c *Call, route Route) *speculation {
	site, key := a.keys.CachedSite(), a.keys.CachedKey(c.R.Header.Get("X-API-Key"))
	if !c.IsRead() || site == nil || !a.valid(key, c.R.Header.Get("X-API-Secret")) ||
		!OriginsAllowed(key.Origins, c.R.Header.Values("Origin")) {
		return nil
	}
	request := c.Context() // the context before the call is restricted to its key's models and locales
	ctx, cancel := context.WithCancel(request)
	s := &speculation{key: key, cancel: cancel, counted: make(chan struct{})}
	if a.keys.Allowance(key.ID, key.RateLimit) == apikeys.AllowanceOpen {
		s.site, s.done = site, make(chan struct{})
		call := *c
		call.Site, call.Key, call.R = site, key, c.R.WithContext(ctx)
		if c.Tags != nil {
			call.Tags = cms.NewTags()
		}
		go func() {
			defer close(s.done)
			s.answer, s.err = a.runHandler(&call, route)
		}()
	}
	go func() {
		defer close(s.counted)
		s.n, s.ok, s.countE = a.keys.Count(request, key.ID, key.RateLimit)
	}()
	return s
}

// stop cancels a running answer that is no longer needed.
func (s *speculation) stop() {
	if s != nil {
		s.cancel()
	}
}

// holds reports whether the assumptions of the speculation turned out to be true.
func (s *speculation) holds(o apikeys.Opening) bool {
	return s != nil && s.site == o.Site && s.key.SameVersion(o.Key)
}

func (s *speculation) result() (Answer, error) {
	<-s.done
	return s.answer, s.err
}

// countRequest returns the request's number in the key's minute; ok is false above the limit. counted is
// false if the speculation did not count for this version of the key.
func (s *speculation) countRequest(key *apikeys.Key) (n int64, ok, counted bool, err error) {
	if s == nil || !s.key.SameVersion(key) {
		return 0, false, false, nil
	}
	<-s.counted
	return s.n, s.ok, true, s.countE
}

var _ http.Handler = (*API)(nil)
