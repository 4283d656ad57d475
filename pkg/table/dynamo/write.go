package dynamo

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"headless/pkg/table"
)

// Write implements table.Table. A single Put is a plain request at half the cost of a transaction, and a
// single unconditional Delete a batch of one, so that functions need not link one more operation.
func (t *Table) Write(ctx context.Context, ops []table.Op) error {
	if err := table.CheckOps(ops); err != nil {
		return err
	}
	if len(ops) == 0 {
		return ctx.Err()
	}
	if len(ops) == 1 && ops[0].Plain() {
		if ops[0].Kind == table.Put {
			return t.putOne(ctx, &ops[0])
		}
		return t.BatchWrite(ctx, nil, []table.Key{ops[0].Item.Key})
	}
	return t.transact(ctx, ops)
}

// putOne recognizes its own write after a lost response: if a retry finds that the condition no
// longer holds, but that the item is equal to the one it wrote, the write has succeeded.
func (t *Table) putOne(ctx context.Context, op *table.Op) error {
	e := condition(op, t.now().Unix())
	in := &dynamodb.PutItemInput{
		TableName: t.name, Item: encodeItem(&op.Item),
		ConditionExpression: e.text, ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values,
	}
	if e.text != nil {
		in.ReturnValuesOnConditionCheckFailure = types.ReturnValuesOnConditionCheckFailureAllOld
	}
	lost := false
	return t.retry(ctx, func() error {
		_, err := t.client.PutItem(ctx, in)
		if failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
			if lost && isSame(failed.Item, &op.Item) {
				return nil
			}
			return &table.ConditionError{Index: 0}
		}
		lost = lost || err != nil && outcomeOf(err) == unsure
		return err
	})
}

func isSame(have attrs, want *table.Item) bool {
	item, err := decodeItem(have)
	return err == nil && item.Key == want.Key && item.Version == want.Version && item.Count == want.Count &&
		item.Expires == want.Expires && string(item.Body) == string(want.Body)
}
