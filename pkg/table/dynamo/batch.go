package dynamo

import (
	"context"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"headless/pkg/table"
)

const (
	writeChunk  = 25 // requests in one BatchWriteItem
	parallelism = 8  // chunks at the same time
)

// BatchWrite implements table.Table.
func (t *Table) BatchWrite(ctx context.Context, puts []table.Item, deletes []table.Key) error {
	if err := table.CheckBatch(puts, deletes); err != nil {
		return err
	}
	return parallel(ctx, chunks(len(puts)+len(deletes), writeChunk), func(ctx context.Context, part span) error {
		requests := make([]types.WriteRequest, 0, writeChunk)
		for i := part.from; i < part.to; i++ {
			if i < len(puts) {
				requests = append(requests,
					types.WriteRequest{PutRequest: &types.PutRequest{Item: encodeItem(&puts[i])}})
			} else {
				requests = append(requests,
					types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: encodeKey(deletes[i-len(puts)])}})
			}
		}
		return t.batchWrite(ctx, requests)
	})
}

func (t *Table) batchWrite(ctx context.Context, requests []types.WriteRequest) error {
	for idle := 0; len(requests) > 0; {
		in := &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{*t.name: requests}}
		var out *dynamodb.BatchWriteItemOutput
		err := t.retry(ctx, func() (err error) {
			out, err = t.client.BatchWriteItem(ctx, in)
			return err
		})
		if err != nil {
			return err
		}
		left := out.UnprocessedItems[*t.name]
		if idle, err = t.pace(ctx, idle, len(requests), len(left)); err != nil {
			return err
		}
		requests = left
	}
	return nil
}

// span is the part [from, to) of a list.
type span struct{ from, to int }

func chunks(n, size int) []span {
	var parts []span
	for from := 0; from < n; from += size {
		parts = append(parts, span{from, min(from+size, n)})
	}
	return parts
}

// parallel runs work on the parts, a few at a time. At the first error it cancels all of them and
// returns the error.
func parallel(ctx context.Context, parts []span, work func(context.Context, span) error) error {
	if len(parts) == 1 {
		return work(ctx, parts[0])
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	slots := make(chan struct{}, parallelism)
	for _, part := range parts {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if inner.Err() != nil {
				return
			}
			if err := work(inner, part); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return context.Cause(inner)
}
