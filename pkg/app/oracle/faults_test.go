package oracle_test

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"headless/pkg/table"
)

// faults makes calls to the table fail: those of some requests, and some behind them. They are not made, or their
// answers are lost, up to 16 one after another. Other clients leave between two calls.
//
// An answer is the right one or 503. After a 503, either nothing was changed, and the request is repeated until it has
// another answer, or all was. A repeat with an Idempotency-Key gets the first answer. What was claimed may be held for
// a minute. All else is as without faults once the sweeps have repaired it: the state, what the service does later,
// and the events.
type faults struct {
	on     bool
	waited bool        // for a lease in this step, in which nothing fails any more
	hit    atomic.Bool // something failed of the last request
	met    atomic.Bool // something failed since the last repair

	mu     sync.Mutex
	random *rand.Rand // of requests
	behind *rand.Rand // of calls behind them
	rate   int        // percent of the calls behind requests that fail now
}

// begin makes the faults of a step depend on it alone, as far as the service makes its calls in the same order.
func (f *faults) begin(seed uint64, step int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.random = rand.New(rand.NewPCG(seed, 1<<32+uint64(step+1)))
	f.behind = rand.New(rand.NewPCG(seed, 1<<33+uint64(step+1)))
}

// fault is a fault of a request: some of its calls to the table fail, one after another.
type fault struct {
	kind   table.FaultKind
	writes bool // only calls that write
	after  int  // so many calls
	times  int
	leave  func() // if not nil, the client leaves instead
}

type faultKey struct{}

// tick is the time between two moments at which something may be planned.
func tick() time.Duration {
	if *faulty {
		return 3 * time.Minute // all faults have been repaired by then
	}
	return time.Minute
}

// isOfFault reports whether a line of the log is about a fault of this test.
func isOfFault(line string) bool {
	return strings.Contains(line, "by a test") || strings.Contains(line, context.Canceled.Error()) ||
		strings.Contains(line, "some items failed and will be retried") // each has a line
}

func (f *faults) wrap(t table.Table) table.Table { return table.NewFaulty(t, f.next) }

// next is the fault of the next call to the table.
func (f *faults) next(c table.Call) table.Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	writes := c.Method != "Get" && c.Method != "Query"
	if one, ok := c.Context.Value(faultKey{}).(*fault); ok {
		if one.writes && !writes {
			return table.Fault{}
		}
		if one.after--; one.after >= 0 || one.after < -one.times {
			return table.Fault{}
		}
		f.met.Store(true)
		f.hit.Store(true)
		return table.Fault{Kind: one.kind, Before: one.leave}
	}
	if f.rate == 0 || f.behind.IntN(100) >= f.rate {
		return table.Fault{}
	}
	return table.Fault{Kind: kind(f.behind)}
}

func kind(r *rand.Rand) table.FaultKind {
	return []table.FaultKind{table.Throttled, table.AnswerLost}[r.IntN(2)]
}

// of returns a request with a fault in its context, or the request as it is.
func (f *faults) of(r *http.Request) *http.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.on || f.waited {
		return r
	}
	percent, writes := 60, f.random.IntN(2) == 0
	if r.Method == http.MethodGet {
		percent, writes = 8, false
	}
	if f.random.IntN(100) >= percent {
		return r
	}
	one := &fault{kind: kind(f.random), writes: writes, after: f.random.IntN(12), times: 1 << f.random.IntN(5)}
	if writes {
		one.after = f.random.IntN(4)
	}
	ctx := context.WithValue(r.Context(), faultKey{}, one)
	if f.random.IntN(5) == 0 {
		one.kind = table.NoFault
		ctx, one.leave = context.WithCancel(ctx)
	}
	return r.WithContext(ctx)
}

// pass lets some time pass in which calls behind the answers fail, until shortly after a time.
func (f *faults) pass(at time.Time) {
	if !f.on {
		return
	}
	fail := func(span time.Duration) {
		f.mu.Lock()
		f.rate = []int{0, 3, 10, 40}[f.random.IntN(4)]
		f.mu.Unlock()
		time.Sleep(span)
		f.mu.Lock()
		f.rate = 0
		f.mu.Unlock()
	}
	fail(10 * time.Second)
	time.Sleep(time.Until(at))
	fail(10 * time.Second)
}

// repair waits until all faults have been repaired.
func (w *world) repair() {
	if w.faults.met.Load() {
		w.wait(1)
		w.faults.met.Store(false)
	}
	w.faults.waited = false
}

// tryAll makes a request, again and again while it is answered with 503, and returns the answer to the one that made
// the change.
func (s *service) tryAll(as http.Header, call, contentType, body string) *httptest.ResponseRecorder {
	key, was := "", ""
	if as.Get("X-Api-Key") != "" && strings.HasPrefix(call, "POST ") && len(s.history)%2 == 0 {
		key = text(len(s.history))
	}
	if s.faults.on {
		was = s.unrecorded(as, call)
	}
	for {
		r, w := request(as, call, contentType, body), httptest.NewRecorder()
		if key != "" && s.faults.on {
			r.Header.Set("Idempotency-Key", key)
		}
		s.faults.hit.Store(false)
		s.handler.ServeHTTP(w, s.faults.of(r))
		leased := w.Code == http.StatusServiceUnavailable && !s.faults.hit.Load() ||
			key != "" && strings.Contains(w.Body.String(), "is still running")
		switch {
		case !s.faults.on || !leased && w.Code != http.StatusServiceUnavailable:
			return w
		case leased && s.faults.waited:
			fail("%s %s: a lease is held for more than a minute: %d %s", call, body, w.Code, w.Body)
		case leased:
			s.faults.waited = true
			time.Sleep(time.Minute)
		}
		if w.Code == http.StatusServiceUnavailable && w.Header().Get("Retry-After") == "" {
			fail("%s: 503 without Retry-After", call)
		}
		if r.Method == http.MethodGet {
			continue
		}
		s.history = append(s.history, time.Now().Format(time.TimeOnly)+" "+call+" "+body+" -> "+w.Body.String())
		if key != "" || strings.HasSuffix(call, "/previews") {
			continue
		}
		if id, made := s.made(w.Header().Get("X-Request-Id"), call+body); made || s.unrecorded(as, call) != was {
			return s.answerFor(as, call, id)
		}
	}
}

// calmly runs something without faults.
func (s *service) calmly(run func()) {
	defer func(on bool) { s.faults.on = on }(s.faults.on)
	s.faults.on = false
	run()
}

// made reports whether a request made or changed something, and returns the id of that. It goes by the activity
// records.
func (s *service) made(request, change string) (id string, made bool) {
	path, _, withChildren := strings.Cut(change, "children=")
	s.calmly(func() {
		for _, r := range s.ask(s.admin, "GET /admin/activity?filter[request_id]="+request, nil).get("data").(list) {
			of, _ := dig(r, "subject_id").(string)
			switch {
			case strings.HasSuffix(dig(r, "event").(string), ".created"):
				id, made = of, true
			case strings.Contains(change, `"translation_of":"`+of): // which got shared values
			case withChildren && !strings.Contains(path, of): // one of those below
			case id == "":
				id, made = of, true
			}
		}
	})
	return id, made
}

// unrecorded is the state that a change without an activity record changes: the version of a draft, or the status of a
// release.
func (s *service) unrecorded(as http.Header, call string) (state string) {
	s.calmly(func() {
		method, path, _ := strings.Cut(call, " ")
		of, saves := strings.CutSuffix(path, "/draft")
		of, _, restores := strings.Cut(of, "/revisions/d")
		if method == "PUT" && saves || restores {
			of = apiModel.ReplaceAllString(of, "/admin/models/$1/entries")
			state = text(s.ask(s.admin, "GET "+of+"/revisions?per_page=100", nil).get("data"))
		}
		path, ok := strings.CutPrefix(call, "POST /admin/releases/")
		if id, publishes := strings.CutSuffix(path, "/publish"); ok && publishes {
			state = text(s.ask(as, "GET /admin/releases/"+id, nil).get("data.status"))
		}
	})
	return state
}

// answerFor returns those parts of the answer to a change that the histories read.
func (s *service) answerFor(as http.Header, call, id string) *httptest.ResponseRecorder {
	data, w := obj{"id": id}, httptest.NewRecorder()
	if path, ok := strings.CutSuffix(strings.TrimPrefix(call, "PUT "), "/tree"); ok {
		s.calmly(func() { data["position"] = s.ask(as, "GET "+path+"/entries/"+id, nil).get("data.position") })
	}
	_, err := w.WriteString(text(obj{"data": data}))
	check(err)
	return w
}
