package fulltext

import (
	"context"
	"errors"
	"slices"

	"headless/pkg/db/waiting"
	"headless/pkg/table"
)

// Drop removes some spaces from the text index of that name, and all pending changes of the index.
// Nobody may write to these spaces any more. It reports whether it did: while a merge or another
// Drop of the index runs, it removes nothing, and the caller tries again later.
func (s *Texts) Drop(ctx context.Context, name string, spaces []string) (dropped bool, err error) {
	items, err := s.Table.Get(ctx, table.Strong, mergesKey(name))
	if err != nil {
		return false, err
	}
	if s.merging(items[0]) {
		return false, nil
	}
	begun, err := waiting.Merge(ctx, s.Table, items[0], table.Item{Key: mergesKey(name)}, s.Clock(),
		func(ctx context.Context, _ table.Item) error { return s.drop(ctx, name, spaces) })
	if errors.Is(err, context.DeadlineExceeded) {
		return false, nil // the next call drops the rest
	}
	return begun && err == nil, err
}

func (s *Texts) drop(ctx context.Context, name string, spaces []string) error {
	var partitions, dictionaries []string
	for _, space := range spaces {
		for _, space := range []string{space, space + PublicText} {
			dictionary := dictionaryOf(space)
			if !slices.Contains(dictionaries, dictionary) {
				dictionaries = append(dictionaries, dictionary)
			}
			runes, err := s.Table.Query(ctx, table.Range{Partition: runesPartition(dictionary)})
			if err != nil {
				return err
			}
			for _, r := range runes {
				partitions = append(partitions, postingPartition(space, r.Sort),
					wordPartition(dictionary, r.Sort))
			}
			partitions = append(partitions, RankKey(space).Partition)
		}
	}
	for _, dictionary := range dictionaries { // last, since a repeated Drop finds the others by them
		partitions = append(partitions, runesPartition(dictionary))
	}
	for _, p := range append(slices.Compact(partitions), PendingPartition(name)) {
		if err := s.DeleteAll(ctx, p); err != nil {
			return err
		}
	}
	return nil
}
