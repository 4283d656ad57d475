// Package memory is the cache of the embedded server. It keeps answers in memory, finds them by
// key, removes them by tag, and evicts the least recently used ones when the cache is full.
//
// An answer that was computed before a change must not be stored after the purge of that change. So
// a caller calls Begin before it computes an answer, and Put of the returned Fill refuses the
// answer if one of its tags was purged in between.
package memory

import (
	"container/list"
	"context"
	"slices"
	"sync"
	"time"

	"headless/pkg/purge"
)

// Entry is a stored answer.
type Entry struct {
	Value   any
	Tags    []string
	Bytes   int       // its size in the limit of the cache
	Stored  time.Time // when it was computed
	Expires time.Time // zero means never
}

// Cache is safe for concurrent use.
type Cache struct {
	max int
	now func() time.Time

	mu      sync.Mutex
	entries map[string]*list.Element // of item
	recent  *list.List               // the most recently used first
	tags    map[string]map[*list.Element]struct{}
	bytes   int
	purges  []record // purges since the oldest running fill began, in order
	gen     int64    // of the latest purge
	fills   map[*Fill]struct{}
}

type item struct {
	key string
	Entry
}

// record is a purge.
type record struct {
	gen  int64
	tags map[string]struct{}
	all  bool
}

// Fill is an answer that is being computed. The caller must call Put or End.
type Fill struct {
	c   *Cache
	gen int64
}

// New returns an empty cache of at most max bytes.
func New(max int, now func() time.Time) *Cache {
	return &Cache{
		max: max, now: now, entries: map[string]*list.Element{}, recent: list.New(),
		tags: map[string]map[*list.Element]struct{}{}, fills: map[*Fill]struct{}{},
	}
}

// Get returns the answer of a key; false if there is none or it has expired.
func (c *Cache) Get(key string) (Entry, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	el := c.entries[key]
	if el == nil {
		return Entry{}, false
	}
	e := &el.Value.(*item).Entry
	if !e.Expires.IsZero() && !c.now().Before(e.Expires) {
		c.removeAnswer(el)
		return Entry{}, false
	}
	c.recent.MoveToFront(el)
	return *e, true
}

// Now returns the time of the cache's clock.
func (c *Cache) Now() time.Time { return c.now() }

// Begin starts a fill. Call it before reading anything for the answer.
func (c *Cache) Begin() *Fill {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := &Fill{c: c, gen: c.gen}
	c.fills[f] = struct{}{}
	return f
}

// Generation changes with every purge: requests of one generation may share an answer.
func (c *Cache) Generation() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gen
}

// End ends a fill, whether its answer was stored or not. It may be called more than once.
func (f *Fill) End() {
	f.c.mu.Lock()
	defer f.c.mu.Unlock()
	f.c.endFill(f)
}

func (c *Cache) endFill(f *Fill) {
	delete(c.fills, f)
	oldest := c.gen
	for other := range c.fills {
		oldest = min(oldest, other.gen)
	}
	n := 0
	for n < len(c.purges) && c.purges[n].gen <= oldest {
		n++
	}
	c.purges = append([]record(nil), c.purges[n:]...)
}

// Put stores an answer, ends the fill, and reports whether the answer was stored. It is not stored
// if one of its tags was purged since the fill began, or if it is larger than an eighth of the
// cache.
func (f *Fill) Put(key string, e Entry) bool {
	c := f.c
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.endFill(f)
	if _, running := c.fills[f]; !running || e.Bytes > c.max/8 {
		return false
	}
	for _, p := range c.purges {
		if p.gen > f.gen && p.hits(e.Tags) {
			return false
		}
	}
	if el := c.entries[key]; el != nil {
		c.removeAnswer(el)
	}
	el := c.recent.PushFront(&item{key, e})
	c.entries[key] = el
	for _, tag := range e.Tags {
		if c.tags[tag] == nil {
			c.tags[tag] = map[*list.Element]struct{}{}
		}
		c.tags[tag][el] = struct{}{}
	}
	for c.bytes += e.Bytes; c.bytes > c.max; {
		c.removeAnswer(c.recent.Back())
	}
	return true
}

func (p *record) hits(tags []string) bool {
	return p.all || slices.ContainsFunc(tags, func(tag string) bool {
		_, ok := p.tags[tag]
		return ok
	})
}

// removeAnswer removes an answer. The caller holds the lock.
func (c *Cache) removeAnswer(el *list.Element) {
	it := c.recent.Remove(el).(*item)
	delete(c.entries, it.key)
	c.bytes -= it.Bytes
	for _, tag := range it.Tags {
		if delete(c.tags[tag], el); len(c.tags[tag]) == 0 {
			delete(c.tags, tag)
		}
	}
}

// Purge removes answers at once (purge.Purger).
func (c *Cache) Purge(_ context.Context, b purge.Batch) (purge.Batch, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gen++
	if len(c.fills) > 0 {
		p := record{gen: c.gen, all: b.All, tags: make(map[string]struct{}, len(b.Tags))}
		for _, tag := range b.Tags {
			p.tags[tag] = struct{}{}
		}
		c.purges = append(c.purges, p)
	}
	if b.All {
		for c.recent.Len() > 0 {
			c.removeAnswer(c.recent.Back())
		}
		return purge.Batch{}, nil
	}
	for _, tag := range b.Tags {
		for el := range c.tags[tag] {
			c.removeAnswer(el)
		}
	}
	return purge.Batch{}, nil
}

// Len returns how many answers are stored.
func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.recent.Len()
}

// Bytes returns the size of the stored answers.
func (c *Cache) Bytes() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}
