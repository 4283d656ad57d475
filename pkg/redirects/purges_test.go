package redirects_test

import (
	"strconv"
	"strings"
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

// TestManyColumns holds that the problems of a file are not larger than the file: each line may have those of every
// column.
func TestManyColumns(t *testing.T) {
	all := &redirects.Redirects{Store: rooms.New(sim.New(sim.Options{}), time.Now).Redirects}
	names := "from,to"
	for i := range 1000 {
		names += ",x" + strconv.Itoa(i)
	}
	names += "\n"
	for name, file := range map[string]string{
		"cells":       strings.Repeat(",", 100_000),
		"a long name": "from,to," + strings.Repeat("x", 100_000) + "\n" + strings.Repeat("/a,/b,c\n", 100),
		"names":       names + strings.Repeat("/a,/b"+strings.Repeat(",c", 1000)+"\n", 100),
	} {
		done, err := all.Import(t.Context(), cms.Actor{}, []byte(file))
		must.Do(t, err)
		size := 0
		for _, f := range done.Failed {
			size += len(f.Message)
		}
		if done.Created > 0 || size == 0 || size > len(file) {
			t.Errorf("%s: %d bytes of problems in %d lines of a file of %d bytes", name, size, len(done.Failed), len(file))
		}
	}
}
