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
)

var errUnauthorized = cms.Errorf(cms.CodeUnauthorized, "The API key or secret is missing or invalid.")

// serveKeyed is the pipeline of authenticated routes in the order of specification §5: origin, key
// and secret, limit, log, scope.
//
// A read whose key and configuration this process has seen before is answered speculatively while
// the same round trip reads whether both still are what they were; if not, the answer is thrown
// away and made again. A read whose key it has not seen is answered in the round trip after that
// one, while it is counted. Where the limit is near, a read is counted first.
func (a *API) serveKeyed(c *Call, route Route) {
	answer, err := a.authorized(c, route)
	c.write(answer, err)
	a.logRequest(c, route)
}

func (a *API) authorized(c *Call, route Route) (Answer, error) {
	if err := a.refuseEarly(c); err != nil {
		return Answer{}, err
	}
	ahead := a.speculate(c, route)
	defer func() { ahead.stop() }()
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
	if ahead == nil {
		ahead = a.speculate(c, route) // of a key that was not seen before: count and answer side by side
	}
	if err := a.limit(c, ahead); err != nil {
		return Answer{}, err
	}
	if !c.hasScope(route.Scope) {
		return Answer{}, cms.Errorf(cms.CodeForbidden, "This key lacks the scope %q.", route.Scope)
	}
	if ahead.holds(opening) {
		return ahead.result()
	}
	return a.once(c, route)
}

// valid reports whether a secret opens a key now.
func (a *API) valid(key *apikeys.Key, secret string) bool {
	if key == nil || secret == "" || key.IsPublishable() {
		return false
	}
	now := a.keys.Now()
	return key.Opens(secret, now.Time) && (key.ExpiresAt.IsZero() || now.Before(key.ExpiresAt.Time))
}

// limit counts the request against the key's minute, unless that was done ahead.
func (a *API) limit(c *Call, ahead *speculation) error {
	n, ok, counted, err := ahead.count(c.Key)
	if !counted {
		n, ok, err = a.keys.Count(c.Context(), c.Key.ID, c.Key.RateLimit)
	}
	if err != nil {
		return err
	}
	return a.limitError(c, n, c.Key.RateLimit, ok)
}

// limitError sets the headers of the limit after n requests of a minute, and is nil where the
// request may pass.
func (a *API) limitError(c *Call, n, limit int64, ok bool) error {
	h := c.w.Header()
	h.Set("X-RateLimit-Limit", strconv.FormatInt(limit, 10))
	h.Set("X-RateLimit-Remaining", strconv.FormatInt(max(0, limit-n), 10))
	if ok && n <= limit {
		return nil
	}
	wait := 60 - a.keys.Now().Unix()%60
	return &cms.Error{Code: cms.CodeRateLimited, Message: "Rate limit exceeded for this API key.",
		RetryAfter: time.Duration(wait) * time.Second, Limit: limit}
}

// logRequest puts the request of a known key into its log, behind the answer.
func (a *API) logRequest(c *Call, route Route) {
	took := time.Since(c.start)
	a.log.Info("request", "request_id", c.RequestID, "method", c.R.Method, "route", route.Pattern,
		"status", c.status, "ms", float64(took.Microseconds())/1000)
	if c.Key == nil || a.lines == nil {
		return
	}
	if refused := c.status == http.StatusUnauthorized || c.status == http.StatusTooManyRequests; refused &&
		!a.refusals.allow(c.Key.ID, a.keys.Now().Time) {
		return // the log shows that there are refusals, not each of a flood
	}
	a.lines(db.RequestLine{
		Time: cms.At(c.start), Method: c.R.Method, Path: c.R.URL.Path, Status: c.status,
		LatencyMS: float64(took.Microseconds()) / 1000, Address: c.Address().String(),
		Key: c.Key.Name, RequestID: c.RequestID,
	})
}

// speculation is an answer being made ahead of the checks, and the request's count.
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

// speculate starts answering a read from what this process knows; nil where it knows too little or
// the secret is wrong. Close to the limit it only counts the request.
func (a *API) speculate(c *Call, route Route) *speculation {
	site, key := a.keys.CachedSite(), a.keys.CachedKey(c.R.Header.Get("X-API-Key"))
	if !c.isRead() || site == nil || !a.valid(key, c.R.Header.Get("X-API-Secret")) ||
		!OriginsAllowed(key.Origins, c.R.Header.Values("Origin")) {
		return nil
	}
	request := c.Context() // read before the call is restricted to what its key may reach
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
			s.answer, s.err = a.run(&call, route)
		}()
	}
	go func() {
		defer close(s.counted)
		s.n, s.ok, s.countE = a.keys.Count(request, key.ID, key.RateLimit)
	}()
	return s
}

// stop ends the answer that is under way, which nobody waits for any more.
func (s *speculation) stop() {
	if s != nil {
		s.cancel()
	}
}

// holds reports whether what the speculation assumed was true when it was checked.
func (s *speculation) holds(o apikeys.Opening) bool {
	return s != nil && s.site == o.Site && s.key.SameVersion(o.Key)
}

func (s *speculation) result() (Answer, error) {
	<-s.done
	return s.answer, s.err
}

// count is the request's number in the key's minute, ok false past the limit; counted is false
// where it was not counted ahead for this version of the key.
func (s *speculation) count(key *apikeys.Key) (n int64, ok, counted bool, err error) {
	if s == nil || !s.key.SameVersion(key) {
		return 0, false, false, nil
	}
	<-s.counted
	return s.n, s.ok, true, s.countE
}

var _ http.Handler = (*API)(nil)
