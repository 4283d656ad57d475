package db

import (
	"context"
	"math/rand/v2"
	"sync"

	"golang.org/x/sync/errgroup"

	"headless/pkg/table"
)

// ShardLimit returns how many items to read of each shard to get about limit of all.
func ShardLimit(limit int) int { return (limit + Shards - 1) / Shards }

// SpreadLimit is ShardLimit for items that are spread at random, of which a shard may have more than its share.
func SpreadLimit(limit int) int { return limit/Shards + limit/(4*Shards) + 8 }

// QueryShards reads a range of the partition of each shard, so many at once.
func (s *DB) QueryShards(ctx context.Context, partition func(shard int) string, r table.Range,
	atOnce int) ([][]table.Item, error) {
	parts := make([][]table.Item, Shards)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(atOnce)
	for shard := range parts {
		g.Go(func() (err error) {
			r := r
			r.Partition = partition(shard)
			parts[shard], err = s.Table.Query(ctx, r)
			return err
		})
	}
	return parts, g.Wait()
}

// DynamoDB refuses a transaction while another one uses one of its items. An item that many
// transactions check is therefore stored several times, as equal items called shards. Each commit
// takes a shard number that its process has used before and that is free, or a random one if there
// is none. A process reuses its numbers until it conflicts with another process. So about as many
// shards are used as there are concurrent writers, and few writers are refused.
const (
	fewShards = 32 // from which a process chooses at first
	// MaxShards is how many it chooses from after a conflict with another process.
	MaxShards = 128
)

// shards holds the shard numbers of a process.
type shards struct {
	mu   sync.Mutex
	free []int // not used by a commit now
	met  bool  // had a conflict with another process
}

func (s *shards) takeShard() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := len(s.free) - 1; last >= 0 {
		shard := s.free[last]
		s.free = s.free[:last]
		return shard
	}
	return s.chooseShard()
}

func (s *shards) chooseShard() int {
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

// another chooses a new number after a conflict with another transaction.
func (s *shards) another() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.met = true
	return s.chooseShard()
}

// DoSpread is Do for one of several equal items. key returns the key of the item for a shard number
// from 0 to MaxShards-1.
func (t *Tx) DoSpread(op table.Op, key func(shard int) table.Key, failure error) {
	t.spread[len(t.Ops)], op.Item.Key = key, key(0)
	t.Do(op, failure)
}

// writeOps applies operations. spread has functions for the operations whose keys depend on the shard.
func (s *DB) writeOps(ctx context.Context, ops []table.Op, spread map[int]func(shard int) table.Key) error {
	if len(spread) == 0 {
		return s.Table.Write(ctx, ops)
	}
	place := func(shard int) {
		for i, key := range spread {
			ops[i].Item.Key = key(shard)
		}
	}
	shard := s.shards.takeShard()
	defer func() { s.shards.release(shard) }()
	place(shard)
	return s.Table.Write(table.WithEvasion(ctx, func() {
		shard = s.shards.another()
		place(shard)
	}), ops)
}
