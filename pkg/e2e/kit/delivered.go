package kit

import (
	"fmt"
	"strings"
	"testing"
)

// CacheForever is the Cache-Control of answers that caches keep.
const CacheForever = "public, max-age=0, s-maxage=86400, stale-while-revalidate=60, stale-if-error=86400"

// PublishableKey makes a publishable key and returns a client of its delivery API.
func (s *Suite) PublishableKey(t *testing.T, definition Obj) *Client {
	t.Helper()
	body := Merge(Obj{"name": Unique("pub"), "kind": "publishable", "rate_limit": 100000}, definition)
	a := s.Admin(t).Post(t, "/keys", body)
	return &Client{s: s, HTTP: s.HTTP, base: "/delivery/v1/" + a.Str(t, "data.public_key"),
		ID: a.Str(t, "data.id"), Name: a.Str(t, "data.name")}
}

// Tagged matches a header that has all of the named tags. It must lack a tag that is named with a
// leading exclamation mark.
func Tagged(names ...string) Matcher {
	return func(v any) error {
		have := "," + Str(v) + ","
		for _, name := range names {
			name, absent := strings.CutPrefix(name, "!")
			if strings.Contains(have, ","+name+",") == absent {
				return fmt.Errorf("tags %v: %s present %t", v, name, !absent)
			}
		}
		return nil
	}
}
