package table

import "context"

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
