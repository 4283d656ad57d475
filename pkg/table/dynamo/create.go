package dynamo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"headless/pkg/table"
)

const createTimeout = time.Minute

// Create creates a table like that of template.yaml, for emulators: on demand, with TTL and, if
// withStream is set, a stream of keys. It returns when the table can be used, and at
// once if the table exists.
func Create(ctx context.Context, client *dynamodb.Client, name string, withStream bool) error {
	in := &dynamodb.CreateTableInput{
		TableName:   &name,
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String(table.AttrPartition), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String(table.AttrSort), AttributeType: types.ScalarAttributeTypeB},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String(table.AttrPartition), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String(table.AttrSort), KeyType: types.KeyTypeRange},
		},
	}
	if withStream {
		in.StreamSpecification = &types.StreamSpecification{
			StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeKeysOnly,
		}
	}
	_, err := client.CreateTable(ctx, in)
	if _, ok := errors.AsType[*types.ResourceInUseException](err); ok {
		return nil
	}
	if err != nil {
		return fmt.Errorf("dynamo: create table %s: %w", name, err)
	}
	waiter := dynamodb.NewTableExistsWaiter(client, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = 100*time.Millisecond, time.Second
	})
	if err := waiter.Wait(ctx, &dynamodb.DescribeTableInput{TableName: &name}, createTimeout); err != nil {
		return fmt.Errorf("dynamo: wait for table %s: %w", name, err)
	}
	_, err = client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName: &name,
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String(table.AttrExpires),
			Enabled: aws.Bool(true)},
	})
	if err != nil {
		return fmt.Errorf("dynamo: expiry of table %s: %w", name, err)
	}
	return nil
}
