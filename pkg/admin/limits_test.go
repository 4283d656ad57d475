package admin_test

import (
	"net/http"
	"strconv"
	"sync"
	"testing"
)

// TestLimitsOfSimultaneousCreations makes items of each kind that has a maximum until there is room for one, and then
// several at once.
func TestLimitsOfSimultaneousCreations(t *testing.T) {
	for path, kind := range map[string]struct {
		max  int
		body map[string]any
	}{
		"/webhooks":             {100, map[string]any{"url": "http://localhost:1/"}},
		"/targets":              {50, map[string]any{"provider": "url", "build_url": "http://localhost:1/"}},
		"/tokens":               {100, map[string]any{"scope": "read"}},
		"/releases":             {2000, map[string]any{"items": []any{}}},
		"/models/pages/views":   {500, map[string]any{"query": map[string]any{"sort": "title"}}},
		"/models/pages/presets": {50, map[string]any{"values": map[string]any{}}},
	} {
		t.Run(path[1:], func(t *testing.T) {
			c := newSite(t).as(t, adminEmail)
			c.must(t, 201, "POST", "/models", map[string]any{"slug": "pages", "name": "Pages"})
			create := func(n int) answer {
				body := map[string]any{"name": "N" + strconv.Itoa(n)}
				for key, v := range kind.body {
					body[key] = v
				}
				return c.do(t, "POST", path, body)
			}
			for n := range kind.max - 1 {
				if a := create(n); a.Code != http.StatusCreated {
					t.Fatalf("the creation of %d: %d %s", n, a.Code, a.Body)
				}
			}
			const together = 8
			answers := make([]answer, together)
			var wg sync.WaitGroup
			for i := range answers {
				wg.Go(func() { answers[i] = create(kind.max + i) })
			}
			wg.Wait()
			made := 0
			for _, a := range answers {
				if a.Code == http.StatusCreated {
					made++
				} else if a.Code != http.StatusConflict {
					t.Errorf("a creation ends with %d %s", a.Code, a.Body)
				}
			}
			if made != 1 {
				t.Errorf("%d are made where there is room for one", made)
			}
		})
	}
}
