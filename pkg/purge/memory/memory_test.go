package memory

import (
	"fmt"
	"testing"
	"time"

	"headless/pkg/purge"
	"headless/pkg/purge/purgetest"
)

func store(c *Cache, key string, tags ...string) bool {
	return c.Begin().Put(key, Entry{Value: key, Tags: tags, Bytes: 100})
}

func cached(c *Cache, key string) bool {
	_, ok := c.Get(key)
	return ok
}

func TestConformance(t *testing.T) {
	purgetest.Run(t, func(*testing.T) purgetest.Subject {
		c := New(1<<20, time.Now)
		return purgetest.Subject{
			Purger: c, Store: func(path string, tags ...string) { store(c, path, tags...) },
			Cached: func(path string) bool { return cached(c, path) },
		}
	})
}

// TestLateAnswers takes the steps of a fill and of a purge in every order: an answer computed
// before the purge is never kept after it.
func TestLateAnswers(t *testing.T) {
	hit := purge.Batch{Tags: []string{"e.1"}}
	for name, test := range map[string]struct {
		steps string // b: begin, p: purge of a tag of the answer, o: purge of another tag, a: purge of all, s: store
		want  bool
	}{
		"purged before":           {"pbs", true},
		"purged while computed":   {"bps", false},
		"all while computed":      {"bas", false},
		"another tag":             {"bos", true},
		"purged and another":      {"bpos", false},
		"purged after":            {"bsp", false},
		"purged before and after": {"pbsp", false},
		"of two, the later one":   {"pobs", true},
	} {
		c := New(1<<20, time.Now)
		other := c.Begin() // keeps the record of purges alive
		var f *Fill
		for _, step := range test.steps {
			switch step {
			case 'b':
				f = c.Begin()
			case 'p':
				_, _ = c.Purge(t.Context(), hit)
			case 'o':
				_, _ = c.Purge(t.Context(), purge.Batch{Tags: []string{"e.2"}})
			case 'a':
				_, _ = c.Purge(t.Context(), purge.Batch{All: true})
			case 's':
				f.Put("/x", Entry{Tags: []string{"k.1", "e.1"}, Bytes: 1})
			}
		}
		if got := cached(c, "/x"); got != test.want {
			t.Errorf("%s: cached %t, want %t", name, got, test.want)
		}
		other.End()
		if len(c.purges) != 0 || len(c.fills) != 0 {
			t.Errorf("%s: %d purges and %d fills are remembered after the last fill", name,
				len(c.purges), len(c.fills))
		}
	}
}

func TestBounds(t *testing.T) {
	now := time.Unix(1000, 0)
	c := New(1000, func() time.Time { return now })
	for i := range 20 {
		store(c, fmt.Sprint(i), "all")
		c.Get("0") // stays the most recently used
	}
	if c.Bytes() > 1000 || !cached(c, "0") || cached(c, "5") || !cached(c, "19") {
		t.Errorf("%d bytes; 0 %t, 5 %t, 19 %t", c.Bytes(), cached(c, "0"), cached(c, "5"), cached(c, "19"))
	}
	if c.Begin().Put("large", Entry{Bytes: 126}) {
		t.Error("an answer of more than an eighth is stored")
	}
	_, _ = c.Purge(t.Context(), purge.Batch{Tags: []string{"all"}})
	if c.Len() != 0 || c.Bytes() != 0 || len(c.tags) != 0 {
		t.Errorf("%d answers, %d bytes and %d tags after the purge", c.Len(), c.Bytes(), len(c.tags))
	}
	c.Begin().Put("short", Entry{Expires: now.Add(time.Second), Bytes: 1})
	if !cached(c, "short") {
		t.Error("not cached before it expires")
	}
	if now = now.Add(time.Second); cached(c, "short") {
		t.Error("cached after it expired")
	}
}
