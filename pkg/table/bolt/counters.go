package bolt

import (
	"cmp"
	"hash/maphash"
	"sync"
	"time"

	"headless/pkg/table"
)

const counterShards = 64

// counters are the counters of Table.Add. They are in memory only, since they are short-lived
// limits.
type counters struct {
	seed   maphash.Seed
	shards [counterShards]counterShard
}

type counterShard struct {
	mu sync.Mutex
	m  map[table.Key]counter
}

type counter struct{ count, expires int64 }

func newCounters() *counters {
	c := &counters{seed: maphash.MakeSeed()}
	for i := range c.shards {
		c.shards[i].m = make(map[table.Key]counter)
	}
	return c
}

func (c *counters) addDelta(key table.Key, delta, limit, expires int64, now time.Time) (int64, error) {
	s := &c.shards[maphash.Comparable(c.seed, key)%counterShards]
	s.mu.Lock()
	defer s.mu.Unlock()
	have := s.m[key]
	if have.isExpired(now) {
		have = counter{}
	}
	if have.count+delta > limit {
		return 0, table.ErrLimit
	}
	have.count += delta
	have.expires = cmp.Or(have.expires, expires)
	s.m[key] = have
	return have.count, nil
}

func (c *counters) purge(now time.Time) {
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		for key, have := range s.m {
			if have.isExpired(now) {
				delete(s.m, key)
			}
		}
		s.mu.Unlock()
	}
}

func (c counter) isExpired(now time.Time) bool { return c.expires != 0 && c.expires <= now.Unix() }
