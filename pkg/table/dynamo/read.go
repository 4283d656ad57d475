package dynamo

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"headless/pkg/table"
)

const getChunk = 100 // keys in one BatchGetItem

// Get implements table.Table.
func (t *Table) Get(ctx context.Context, c table.Consistency, keys ...table.Key) ([]*table.Item, error) {
	if err := table.CheckKeys(keys); err != nil {
		return nil, err
	}
	items := make([]*table.Item, len(keys))
	strong, now := aws.Bool(c == table.Strong), t.now()
	err := parallel(ctx, chunks(len(keys), getChunk), func(ctx context.Context, part span) error {
		if len(keys) == 1 {
			return t.getOne(ctx, keys[0], strong, now, items)
		}
		return t.getChunk(ctx, keys[part.from:part.to], strong, now, items[part.from:part.to])
	})
	if err != nil {
		return nil, err
	}
	return items, nil
}

func (t *Table) getOne(ctx context.Context, key table.Key, strong *bool, now time.Time,
	into []*table.Item) error {
	in := &dynamodb.GetItemInput{TableName: t.name, Key: encodeKey(key), ConsistentRead: strong}
	return t.retry(ctx, func() error {
		out, err := t.client.GetItem(ctx, in)
		if err != nil || out.Item == nil {
			return err
		}
		item, err := decodeItem(out.Item)
		if err == nil && item.Live(now) {
			into[0] = &item
		}
		return err
	})
}

func (t *Table) getChunk(ctx context.Context, keys []table.Key, strong *bool, now time.Time,
	into []*table.Item) error {
	index := make(map[table.Key]int, len(keys))
	wanted := make([]map[string]types.AttributeValue, len(keys))
	for i, key := range keys {
		index[key], wanted[i] = i, encodeKey(key)
	}
	for idle := 0; len(wanted) > 0; {
		in := &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
			*t.name: {Keys: wanted, ConsistentRead: strong},
		}}
		var out *dynamodb.BatchGetItemOutput
		err := t.retry(ctx, func() (err error) {
			out, err = t.client.BatchGetItem(ctx, in)
			return err
		})
		if err != nil {
			return err
		}
		for _, m := range out.Responses[*t.name] {
			item, err := decodeItem(m)
			if err != nil {
				return err
			}
			if i, ok := index[item.Key]; ok && item.Live(now) {
				into[i] = &item
			}
		}
		left := out.UnprocessedKeys[*t.name].Keys
		if idle, err = t.pace(ctx, idle, len(wanted), len(left)); err != nil {
			return err
		}
		wanted = left
	}
	return nil
}

// pace waits before the unprocessed part of a batch is sent again. It fails if no request makes
// progress. It returns the number of batches in a row of which nothing was processed.
func (t *Table) pace(ctx context.Context, idle, sent, left int) (int, error) {
	if left == 0 {
		return 0, nil
	}
	if left < sent {
		idle = 0
	} else if idle++; idle >= maxAttempts {
		return idle, fmt.Errorf("%w: dynamo: %d items of a batch were not processed", table.ErrUnavailable, left)
	}
	return idle, t.sleep(ctx, idle)
}
