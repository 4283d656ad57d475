package lru

import "testing"

func TestCache(t *testing.T) {
	c := Cache[string, int]{Bytes: 10}
	c.Put("a", 1, 4)
	c.Put("b", 2, 4)
	c.Put("a", 9, 4) // it is there already
	c.Put("huge", 3, 11)
	_, _ = c.Get("a") // so b is the one that was used first
	c.Put("c", 4, 4)
	for key, want := range map[string]int{"a": 1, "b": 0, "c": 4, "huge": 0} {
		if got, ok := c.Get(key); got != want || ok != (want > 0) {
			t.Errorf("%s: %d %t, want %d", key, got, ok, want)
		}
	}
}
