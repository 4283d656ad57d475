package table

import (
	"context"
	"slices"
)

// GetVersions reads rows as a consistent read does. versions are those that the rows have at least, 0 where it is
// not known. If all are known, it reads eventually, for half the cost, and then reads those rows again that came
// in another version.
func GetVersions(ctx context.Context, t Table, keys []Key, versions []int64) ([]*Item, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	if slices.Contains(versions, 0) {
		return t.Get(ctx, Strong, keys...)
	}
	items, err := t.Get(ctx, Eventual, keys...)
	if err != nil {
		return nil, err
	}
	var stale []Key
	for i, item := range items {
		if item == nil || item.Version != versions[i] {
			stale = append(stale, keys[i])
		}
	}
	if len(stale) == 0 {
		return items, nil
	}
	fresh, err := t.Get(ctx, Strong, stale...)
	for i := range items {
		if len(fresh) > 0 && keys[i] == stale[len(stale)-len(fresh)] {
			items[i], fresh = fresh[0], fresh[1:]
		}
	}
	return items, err
}

// Eventually returns a table whose reads may miss the latest writes, and cost half.
func Eventually(t Table) Table { return eventual{t} }

type eventual struct{ Table }

func (t eventual) Get(ctx context.Context, _ Consistency, keys ...Key) ([]*Item, error) {
	return t.Table.Get(ctx, Eventual, keys...)
}

func (t eventual) Query(ctx context.Context, r Range) ([]Item, error) {
	r.Eventual = true
	return t.Table.Query(ctx, r)
}
