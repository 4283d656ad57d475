package db

import (
	"context"
	"math/rand/v2"
	"sync"

	"headless/pkg/table"
)

// DynamoDB refuses a transaction that meets another one at an item. What many transactions check is
// therefore spread over equal items, its shards. Each commit under way has a shard number to itself
// among those of its process, and a process keeps to its numbers until it meets another process
// there. So there are about as many items as there are writers at a time, and few writers are
// refused.
const (
	fewShards = 32 // that a process chooses among
	// MaxShards is how many it chooses among after it met another one.
	MaxShards = 128
)

// shards are the numbers of a process.
type shards struct {
	mu   sync.Mutex
	free []int // that no commit under way has
	met  bool  // another process
}

func (s *shards) take() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := len(s.free) - 1; last >= 0 {
		shard := s.free[last]
		s.free = s.free[:last]
		return shard
	}
	return s.choose()
}

func (s *shards) choose() int {
	if s.met {
		return rand.IntN(MaxShards)
	}
	return rand.IntN(fewShards)
}

func (s *shards) release(shard int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, shard)
}

// another gives a number in place of one where another transaction was in the way.
func (s *shards) another() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.met = true
	return s.choose()
}

// DoSpread is Do for one of equal items, from 0 to MaxShards-1, that key names.
func (t *Tx) DoSpread(op table.Op, key func(shard int) table.Key, failure error) {
	t.spread[len(t.Ops)], op.Item.Key = key, key(0)
	t.Do(op, failure)
}

// write applies operations, some of which have a key for each shard.
func (s *DB) write(ctx context.Context, ops []table.Op, spread map[int]func(shard int) table.Key) error {
	if len(spread) == 0 {
		return s.Table.Write(ctx, ops)
	}
	place := func(shard int) {
		for i, key := range spread {
			ops[i].Item.Key = key(shard)
		}
	}
	shard := s.shards.take()
	defer func() { s.shards.release(shard) }()
	place(shard)
	return s.Table.Write(table.WithEvasion(ctx, func() {
		shard = s.shards.another()
		place(shard)
	}), ops)
}
