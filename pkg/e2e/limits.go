package e2e

import (
	"strconv"
	"sync"
	"testing"
)

var limitScenarios = []scenario{
	{name: "limit/key", run: keyLimit},
	{name: "limit/parallel", run: keyLimitParallel},
	{name: "limit/changed", run: keyLimitChanged},
}

func keyLimit(t *testing.T, s *suite) {
	k := s.key(t, obj{"rate_limit": 3})
	model := s.model(t, nil)
	for _, call := range []string{"GET /ping", "GET /" + model, "GET /" + unique("none")} {
		if a := k.do(t, call, nil); a.Status == 429 {
			t.Fatalf("%s: refused within the limit", call)
		}
	}
	// The fixed minute may end between two calls. Then the count starts again, but only once.
	for range 3 {
		if k.do(t, "GET /ping", nil).Status == 429 {
			break
		}
	}
	a := k.step(t, step{call: "GET /ping", status: 429, code: "RATE_LIMITED", header: obj{
		"X-RateLimit-Limit": "3", "X-RateLimit-Remaining": "0", "Retry-After": matches(`^[1-9][0-9]?$`),
	}})
	if seconds, _ := strconv.Atoi(a.Header.Get("Retry-After")); seconds > 60 {
		t.Errorf("Retry-After %d is beyond the minute", seconds)
	}
	t.Run("another key is not concerned", func(t *testing.T) { s.key(t, nil).ok(t, 200, "GET /ping", nil) })
	t.Run("a wrong secret spends nothing", func(t *testing.T) {
		k := s.key(t, obj{"rate_limit": 1})
		for range 3 {
			k.with("X-API-Secret", "sk_wrong").step(t,
				step{call: "GET /ping", status: 401, code: "UNAUTHORIZED"})
		}
		k.ok(t, 200, "GET /ping", nil)
	})
}

func keyLimitParallel(t *testing.T, s *suite) {
	const limit, calls = 20, 50
	k := s.key(t, obj{"rate_limit": limit})
	var wg sync.WaitGroup
	statuses := make([]int, calls)
	for i := range calls {
		wg.Go(func() {
			req, _ := k.request(t, "GET /ping", nil)
			resp, err := k.http.Do(req)
			if err != nil {
				t.Error(err)
				return
			}
			resp.Body.Close()
			statuses[i] = resp.StatusCode
		})
	}
	wg.Wait()
	count := map[int]int{}
	for _, status := range statuses {
		count[status]++
	}
	// The calls may straddle two fixed minutes; then up to twice the limit passes.
	if count[200] < limit || count[200] > 2*limit || count[200]+count[429] != calls {
		t.Errorf("%v of %d calls at a limit of %d", count, calls, limit)
	}
}

func keyLimitChanged(t *testing.T, s *suite) {
	k := s.key(t, obj{"rate_limit": 1})
	k.ok(t, 200, "GET /ping", nil)
	s.admin(t).ok(t, 200, "PUT /keys/"+k.id, obj{"rate_limit": 1000})
	k.ok(t, 200, "GET /ping", nil)
}
