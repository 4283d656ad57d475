package dynamo

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"headless/pkg/table"
)

// maxRevivals is how often a call may find that an expired item appeared or disappeared since its
// last attempt.
const maxRevivals = 10

var errRestless = fmt.Errorf("%w: dynamo: an expired counter keeps changing", table.ErrUnavailable)

// transact applies the operations with an idempotency token, so that a retry cannot apply them
// twice.
//
// An update expression cannot reset an expired item. So an Add requires a live or absent item; if
// that fails, the next attempt replaces the item.
func (t *Table) transact(ctx context.Context, ops []table.Op) error {
	revive := make(map[int]bool)
	for range maxRevivals {
		now := t.now().Unix()
		in, lost := t.transaction(ops, now, revive), false
		err := t.retry(ctx, func() error {
			_, err := t.client.TransactWriteItems(ctx, in)
			lost = lost || err != nil && outcomeOf(err) == unsure
			if inTheWay(err) && !lost && table.Evade(ctx) {
				in = t.transaction(ops, now, revive)
			}
			return err
		})
		var canceled *types.TransactionCanceledException
		if !errors.As(err, &canceled) {
			return err
		}
		changed := false
		for i, reason := range canceled.CancellationReasons {
			switch {
			case aws.ToString(reason.Code) != "ConditionalCheckFailed":
			case i < len(ops) && ops[i].Kind == table.Add && ops[i].If == table.Always:
				revive[i], changed = !revive[i], true
			default:
				return &table.ConditionError{Index: i}
			}
		}
		if !changed {
			return canceledError(err, canceled)
		}
	}
	return errRestless
}

func (t *Table) transaction(ops []table.Op, now int64,
	revive map[int]bool) *dynamodb.TransactWriteItemsInput {
	token := uuid.NewString()
	in := &dynamodb.TransactWriteItemsInput{ClientRequestToken: &token,
		TransactItems: make([]types.TransactWriteItem, len(ops))}
	for i := range ops {
		in.TransactItems[i] = t.transactItem(&ops[i], now, revive[i])
	}
	return in
}

// inTheWay reports whether a transaction was refused, and not applied, because another one has
// locked an item.
func inTheWay(err error) bool {
	var canceled *types.TransactionCanceledException
	return errors.As(err, &canceled) && canceledOutcome(canceled) == conflict
}

// canceledError returns the error for reasons other than conditions, such as an item over the size
// limit.
func canceledError(err error, canceled *types.TransactionCanceledException) error {
	for _, reason := range canceled.CancellationReasons {
		if aws.ToString(reason.Code) == "ValidationError" && isSizeMessage(aws.ToString(reason.Message)) {
			return fmt.Errorf("%w: %w", table.ErrTooLarge, err)
		}
	}
	return err
}

func (t *Table) transactItem(op *table.Op, now int64, revive bool) types.TransactWriteItem {
	e := condition(op, now)
	switch op.Kind {
	case table.Delete:
		return types.TransactWriteItem{Delete: &types.Delete{
			TableName: t.name, Key: encodeKey(op.Item.Key),
			ConditionExpression: e.text, ExpressionAttributeNames: e.names,
			ExpressionAttributeValues: e.values,
		}}
	case table.Check:
		return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
			TableName: t.name, Key: encodeKey(op.Item.Key),
			ConditionExpression: e.text, ExpressionAttributeNames: e.names,
			ExpressionAttributeValues: e.values,
		}}
	case table.Add:
		return t.transactAdd(op, e, now, revive)
	}
	return t.transactPut(&op.Item, e)
}

func (t *Table) transactPut(item *table.Item, e expr) types.TransactWriteItem {
	return types.TransactWriteItem{Put: &types.Put{
		TableName: t.name, Item: encodeItem(item),
		ConditionExpression: e.text, ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values,
	}}
}

func (t *Table) transactAdd(op *table.Op, e expr, now int64, revive bool) types.TransactWriteItem {
	afresh := &table.Item{Key: op.Item.Key, Count: op.Item.Count, Expires: op.Item.Expires}
	switch {
	case op.If == table.Absent:
		return t.transactPut(afresh, e)
	case revive:
		return t.transactPut(afresh, withTime(isDead, now))
	case op.If == table.Always:
		e = withTime(isLive, now)
	}
	update := addition(&e, op.Item.Count, op.Item.Expires)
	return types.TransactWriteItem{Update: &types.Update{
		TableName: t.name, Key: encodeKey(op.Item.Key), UpdateExpression: update,
		ConditionExpression: e.text, ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values,
	}}
}
