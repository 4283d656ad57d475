package site

import (
	"context"
	"slices"

	"headless/pkg/db"
	"headless/pkg/table"
)

// Upgrade brings a table of the format before this one up to date: it does the work and then sets the
// mark of the format. It returns an error for a table of another format. If the work fails or the
// process ends, the next call does it again. Until the end, every other part of the service refuses
// the table. It does not read the configuration of a table that is up to date.
func (s *Store) Upgrade(ctx context.Context, work func(ctx context.Context, now *Site) error) error {
	found, err := s.Table.Get(ctx, table.Strong, ConfigKey(0))
	if err != nil || found[0] == nil {
		return err
	}
	if format := formatOf(found[0]); format != db.Format-1 {
		return db.RequireFormat(format)
	}
	var keys []table.Key
	for shard := range db.Shards {
		keys = append(keys, ConfigKey(shard))
	}
	items, err := s.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return err
	}
	old := Open(s.DB) // so that this store does not remember what it reads meanwhile
	old.upgrading = true
	now, err := old.loadSite(ctx, items[0])
	if err != nil {
		return err
	}
	if err := work(ctx, now); err != nil {
		return err
	}
	var ops []table.Op
	for _, item := range items {
		next := *item
		next.Body = append(slices.Clone(item.Body[:digestBytes]), db.Format)
		ops = append(ops, table.Op{Kind: table.Put, Item: next, If: table.VersionIs, Version: item.Version})
	}
	return s.Table.Write(ctx, ops)
}
