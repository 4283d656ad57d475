package presence

import (
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/table/sim"
)

// TestWindows sees windows come, move on, leave and go silent.
func TestWindows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Store{DB: db.New(sim.New(sim.Options{}), time.Now)}
		say := func(user, window, field string) []Window {
			t.Helper()
			others, err := s.Announce(t.Context(), "e1",
				Window{UserID: user, Name: user, Window: window, Field: field})
			must.Do(t, err)
			return others
		}
		if others := say("ada", "1", "title"); len(others) != 0 {
			t.Errorf("the first one sees %v", others)
		}
		say("ada", "1", "data.body")
		others := say("bob", "1", "")
		if len(others) != 1 || others[0].UserID != "ada" || others[0].Field != "data.body" {
			t.Errorf("bob sees %v", others)
		}
		if others := say("ada", "2", ""); len(others) != 2 {
			t.Errorf("the second window of ada sees %v", others)
		}
		must.Do(t, s.Leave(t.Context(), "e1", "ada", "2"))
		time.Sleep(stay / 2)
		say("bob", "1", "")
		time.Sleep(stay/2 + 2*time.Second)
		list, err := s.List(t.Context(), "e1")
		if err != nil || len(list) != 1 || list[0].UserID != "bob" {
			t.Errorf("left are %v, %v", list, err)
		}
	})
}
