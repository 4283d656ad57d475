package people

import (
	"strings"
	"sync"
	"testing"

	"headless/pkg/e2e/kit"
)

// changesAtOnce: requests that change one account at the same moment wait for each other.
func changesAtOnce(t *testing.T, s *kit.Suite) {
	_, _, c := s.User(t, "editor")
	for range 3 {
		c.Post(t, "/tokens", kit.Obj{"name": "ends with the password"})
	}
	c.Put(t, "/profile", kit.Obj{"password": kit.Password + " 2", "current_password": kit.Password})
	p := registerProgram(t, s, kit.Unique("Agent"))
	consent := kit.Obj{"level": "read", "decision": "allow"}
	for name, values := range p.query() {
		consent[name] = values[0]
	}
	for call, body := range map[string]kit.Obj{
		"POST /tokens":           {"name": "CLI"}, // each deletes the ones that have ended
		"POST /totp":             {"password": kit.Password + " 2"},
		"POST /grants/authorize": consent,
	} {
		t.Run(strings.TrimPrefix(call, "POST /"), func(t *testing.T) {
			var all sync.WaitGroup
			for range 5 {
				all.Go(func() {
					if a := c.Do(t, call, body); a.Status != 200 && a.Status != 201 {
						t.Errorf("%d %s", a.Status, a.Raw)
					}
				})
			}
			all.Wait()
		})
	}
}
