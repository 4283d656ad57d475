package api

import (
	"strconv"
	"sync"
	"testing"

	"headless/pkg/e2e/kit"
)

// Limits has the scenarios of the calls that a key may make in a minute.
var Limits = []kit.Scenario{
	{Name: "limit/key", Run: keyLimit},
	{Name: "limit/parallel", Run: keyLimitParallel},
	{Name: "limit/changed", Run: keyLimitChanged},
}

func keyLimit(t *testing.T, s *kit.Suite) {
	k := s.Key(t, kit.Obj{"rate_limit": 3})
	model := s.Model(t, nil)
	for _, call := range []string{"GET /ping", "GET /" + model, "GET /" + kit.Unique("none")} {
		if a := k.Do(t, call, nil); a.Status == 429 {
			t.Fatalf("%s: refused within the limit", call)
		}
	}
	// The fixed minute may end between two calls. Then the count starts again, but only once.
	for range 3 {
		if k.Do(t, "GET /ping", nil).Status == 429 {
			break
		}
	}
	a := k.Step(t, kit.Step{Call: "GET /ping", Code: "RATE_LIMITED", Header: kit.Obj{
		"X-RateLimit-Limit": "3", "X-RateLimit-Remaining": "0", "Retry-After": kit.Matches(`^[1-9][0-9]?$`),
	}})
	if seconds, _ := strconv.Atoi(a.Header.Get("Retry-After")); seconds > 60 {
		t.Errorf("Retry-After %d is beyond the minute", seconds)
	}
	t.Run("another key is not concerned", func(t *testing.T) { s.Key(t, nil).Get(t, "/ping") })
	t.Run("a wrong secret spends nothing", func(t *testing.T) {
		k := s.Key(t, kit.Obj{"rate_limit": 1})
		for range 3 {
			k.With("X-API-Secret", "sk_wrong").Step(t, kit.Step{Call: "GET /ping", Code: "UNAUTHORIZED"})
		}
		k.Get(t, "/ping")
	})
}

func keyLimitParallel(t *testing.T, s *kit.Suite) {
	const limit, calls = 20, 50
	k := s.Key(t, kit.Obj{"rate_limit": limit})
	var wg sync.WaitGroup
	statuses := make([]int, calls)
	for i := range calls {
		wg.Go(func() {
			req, _ := k.NewRequest(t, "GET /ping", nil)
			resp, err := k.HTTP.Do(req)
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

func keyLimitChanged(t *testing.T, s *kit.Suite) {
	k := s.Key(t, kit.Obj{"rate_limit": 1})
	k.Get(t, "/ping")
	s.Admin(t).Put(t, "/keys/"+k.ID, kit.Obj{"rate_limit": 1000})
	k.Get(t, "/ping")
}
