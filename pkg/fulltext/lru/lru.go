// Package lru keeps values in memory, within a number of bytes.
package lru

import (
	"container/list"
	"sync"
)

// Cache keeps the values that were used last. It is safe for concurrent use. Values must not change.
type Cache[K comparable, V any] struct {
	Bytes int // that it keeps at most

	mu   sync.Mutex
	used list.List // of cached, the latest first
	at   map[K]*list.Element
	size int // of all values
}

type cached[K comparable, V any] struct {
	key   K
	value V
	size  int
}

// Get returns the value of a key; ok is false if the cache does not have it.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.at[key]
	if !ok {
		return value, false
	}
	c.used.MoveToFront(e)
	return e.Value.(*cached[K, V]).value, true
}

// Put keeps a value of a size in bytes, unless there is one for the key or it is larger than the cache.
func (c *Cache[K, V]) Put(key K, value V, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at == nil {
		c.at = map[K]*list.Element{}
	}
	if _, ok := c.at[key]; ok || size > c.Bytes {
		return
	}
	c.at[key] = c.used.PushFront(&cached[K, V]{key, value, size})
	for c.size += size; c.size > c.Bytes; {
		oldest := c.used.Remove(c.used.Back()).(*cached[K, V])
		delete(c.at, oldest.key)
		c.size -= oldest.size
	}
}
