package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"headless/pkg/table"
)

// Query implements table.Table.
func (t *Table) Query(ctx context.Context, r table.Range) ([]table.Item, error) {
	in, end, ok := t.queryInput(r)
	if !ok {
		return nil, ctx.Err()
	}
	var items []table.Item
	now := t.now()
	for {
		if r.Limit > 0 {
			in.Limit = aws.Int32(pageLimit(r.Limit-len(items), end != "" && r.Reverse && in.ExclusiveStartKey == nil))
		}
		var out *dynamodb.QueryOutput
		err := t.retry(ctx, func() (err error) {
			out, err = t.client.Query(ctx, in)
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, m := range out.Items {
			item, err := decodeItem(m)
			if err != nil {
				return nil, err
			}
			if !item.Live(now) || end != "" && item.Sort == end {
				continue
			}
			items = append(items, item)
			if len(items) == r.Limit {
				return items, nil
			}
		}
		if out.LastEvaluatedKey == nil {
			return items, nil
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

// pageLimit asks for one item more where the first may be the excluded end of the range.
func pageLimit(left int, endFirst bool) int32 {
	if endFirst {
		left++
	}
	return int32(min(left, 1<<30))
}

// queryInput converts the range. DynamoDB accepts one condition on the sort key, and BETWEEN
// includes its end: an item with the sort key end, if not empty, is not part of the range. ok is
// false if the range is empty.
func (t *Table) queryInput(r table.Range) (in *dynamodb.QueryInput, end string, ok bool) {
	lo, hi, ok := r.Bounds()
	if !ok {
		return nil, "", false
	}
	text := "#pk = :pk"
	names := map[string]string{"#pk": table.AttrPartition}
	values := attrs{":pk": &types.AttributeValueMemberS{Value: r.Partition}}
	bound := func(alias, key string) {
		names["#sk"] = table.AttrSort
		values[alias] = &types.AttributeValueMemberB{Value: []byte(key)}
	}
	switch {
	case lo != "" && lo == r.Prefix && hi == table.PrefixEnd(r.Prefix):
		text += " AND begins_with(#sk, :lo)"
		bound(":lo", lo)
	case lo != "" && hi != "":
		text += " AND #sk BETWEEN :lo AND :hi"
		bound(":lo", lo)
		bound(":hi", hi)
		end = hi
	case lo != "":
		text += " AND #sk >= :lo"
		bound(":lo", lo)
	case hi != "":
		text += " AND #sk < :hi"
		bound(":hi", hi)
	}
	return &dynamodb.QueryInput{
		TableName: t.name, KeyConditionExpression: &text, ExpressionAttributeNames: names,
		ExpressionAttributeValues: values,
		ScanIndexForward:          aws.Bool(!r.Reverse), ConsistentRead: aws.Bool(!r.Eventual),
	}, end, true
}
