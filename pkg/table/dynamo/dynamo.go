// Package dynamo stores the table in Amazon DynamoDB.
//
// An item has the attributes that package table names (table.AttrPartition and so on). Expired
// items stay until DynamoDB's TTL deletes them, which may take days. Reads leave them out, and
// conditions count them as absent.
package dynamo

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"headless/pkg/table"
)

const (
	firstDelay   = 20 * time.Millisecond
	longestDelay = 500 * time.Millisecond
)

// Table is a table.Table on DynamoDB. It turns off the client's retries and retries itself. The
// client could apply a write twice, or mistake its own first attempt for a write of another
// process.
type Table struct {
	client operations
	name   *string
	now    func() time.Time
	delay  time.Duration // maximum before the first retry; doubled for each further one
}

var _ table.Table = (*Table)(nil)

// operations has the operations of a client that a Table calls. A Table does not hold the client
// itself: in a program that calls methods by name, as html/template does, the linker would then keep
// all 57 operations of DynamoDB, which are 2 MB of the admin area.
type operations struct {
	BatchGetItem       operation[dynamodb.BatchGetItemInput, dynamodb.BatchGetItemOutput]
	BatchWriteItem     operation[dynamodb.BatchWriteItemInput, dynamodb.BatchWriteItemOutput]
	GetItem            operation[dynamodb.GetItemInput, dynamodb.GetItemOutput]
	PutItem            operation[dynamodb.PutItemInput, dynamodb.PutItemOutput]
	Query              operation[dynamodb.QueryInput, dynamodb.QueryOutput]
	TransactWriteItems operation[dynamodb.TransactWriteItemsInput, dynamodb.TransactWriteItemsOutput]
	UpdateItem         operation[dynamodb.UpdateItemInput, dynamodb.UpdateItemOutput]
}

type operation[In, Out any] = func(context.Context, *In, ...func(*dynamodb.Options)) (*Out, error)

func operationsOf(client *dynamodb.Client) operations {
	return operations{
		BatchGetItem:       client.BatchGetItem,
		BatchWriteItem:     client.BatchWriteItem,
		GetItem:            client.GetItem,
		PutItem:            client.PutItem,
		Query:              client.Query,
		TransactWriteItems: client.TransactWriteItems,
		UpdateItem:         client.UpdateItem,
	}
}

// Option changes how a Table works.
type Option func(*Table)

// WithClock sets the clock by which items expire.
func WithClock(now func() time.Time) Option { return func(t *Table) { t.now = now } }

// WithRetryDelay sets the maximum delay before the first retry. It doubles for each further retry,
// up to half a second. The default is 20 ms.
func WithRetryDelay(d time.Duration) Option { return func(t *Table) { t.delay = d } }

// New returns a Table for an existing table.
func New(client *dynamodb.Client, tableName string, opts ...Option) *Table {
	once := dynamodb.New(client.Options(), func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} })
	t := &Table{client: operationsOf(once), name: &tableName, now: time.Now, delay: firstDelay}
	for _, opt := range opts {
		opt(t)
	}
	return t
}

// Close implements table.Table; there is nothing to close.
func (t *Table) Close() error { return nil }

// sleep waits before a retry with full jitter, so that colliding calls do not collide again.
func (t *Table) sleep(ctx context.Context, attempt int) error {
	most := min(t.delay<<min(attempt, 10), longestDelay)
	return table.Pause(ctx, rand.N(most+1))
}
