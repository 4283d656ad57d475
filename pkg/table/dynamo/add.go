package dynamo

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"headless/pkg/table"
)

// Add implements table.Table with one plain update. If the response is lost, it returns
// ErrUnavailable without a retry, since a second update would count twice.
func (t *Table) Add(ctx context.Context, key table.Key, delta, limit, expires int64) (int64, error) {
	if err := key.Validate(); err != nil {
		return 0, err
	}
	for range maxRevivals {
		count, expired, err := t.addLive(ctx, key, delta, limit, expires)
		if !expired || err != nil {
			return count, err
		}
		if delta > limit {
			return 0, table.ErrLimit
		}
		replaced, err := t.addAfresh(ctx, &table.Item{Key: key, Count: delta, Expires: expires})
		if err != nil {
			return 0, err
		}
		if replaced {
			return delta, nil
		}
	}
	return 0, errRestless
}

// addLive adds to a live item or creates one. expired means that an expired item prevents that.
func (t *Table) addLive(ctx context.Context, key table.Key, delta, limit,
	expires int64) (count int64, expired bool, err error) {
	now := t.now()
	e := boundedCondition(delta, limit, now.Unix())
	update := addition(&e, delta, expires)
	in := &dynamodb.UpdateItemInput{
		TableName: t.name, Key: encodeKey(key), UpdateExpression: update,
		ConditionExpression: e.text, ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values,
		ReturnValues:                        types.ReturnValueUpdatedNew,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	err = t.retry(ctx, func() error {
		out, err := t.client.UpdateItem(ctx, in)
		var failed *types.ConditionalCheckFailedException
		switch {
		case errors.As(err, &failed):
			old, err := decodeItem(failed.Item)
			if err != nil {
				return err
			}
			if expired = !old.Live(now); expired {
				return nil
			}
			return table.ErrLimit
		case err != nil:
			return ifApplied(err)
		}
		item, err := decodeItem(out.Attributes)
		count = item.Count
		return err
	})
	return count, expired, err
}

// addAfresh replaces an expired item. It does nothing if the item is no longer there or no longer
// expired.
func (t *Table) addAfresh(ctx context.Context, item *table.Item) (replaced bool, err error) {
	e := withTime(isDead, t.now().Unix())
	in := &dynamodb.PutItemInput{
		TableName: t.name, Item: encodeItem(item),
		ConditionExpression: e.text, ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values,
	}
	err = t.retry(ctx, func() error {
		_, err := t.client.PutItem(ctx, in)
		if _, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
			return nil
		}
		replaced = err == nil
		return ifApplied(err)
	})
	return replaced, err
}

// ifApplied makes an error final if the call may have been applied. It has the cause as text, so
// that nothing retries it.
func ifApplied(err error) error {
	if err != nil && outcomeOf(err) == unsure {
		return fmt.Errorf("%w: dynamo: count may have been added: %v", table.ErrUnavailable, err)
	}
	return err
}
