package redirects_test

import (
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/must"
	"headless/pkg/redirects"
	"headless/pkg/rooms"
	"headless/pkg/table/sim"
)

// TestPurgesOfASameSave holds that a save that changes nothing purges nothing (extensions §8).
func TestPurgesOfASameSave(t *testing.T) {
	store := rooms.New(sim.New(sim.Options{}), time.Now).Redirects
	all := &redirects.Redirects{Store: store, SiteURL: "https://site.example"}
	made, err := all.Create(t.Context(), cms.Actor{}, map[string]any{"from": "/a", "to": "/b"})
	must.Do(t, err)
	for _, step := range []struct {
		to   string
		rows int
	}{{"/b", 1}, {"/c", 2}} {
		_, err := all.Update(t.Context(), cms.Actor{}, made.ID, map[string]any{"to": step.to}, nil)
		must.Do(t, err)
		if rows, err := store.Purges(t.Context(), 10); err != nil || len(rows) != step.rows {
			t.Errorf("after a save of %s %d purges wait (%v), want %d", step.to, len(rows), err, step.rows)
		}
	}
}
