// Package dynamo keeps the table in Amazon DynamoDB.
//
// One item holds the attributes that package table names (table.AttrPartition and so on). Items
// whose expiry has passed stay until DynamoDB's TTL deletes them, which may take days: they are
// left out of what is read, and conditions count them as absent.
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

// Table is a table.Table on DynamoDB. It retries by itself, because the client's own retries could
// apply a write twice or take its own work for that of others; it turns those off for its calls.
type Table struct {
	client *dynamodb.Client
	name   *string
	now    func() time.Time
	delay  time.Duration // the longest before the first retry; doubled for each further one
}

var _ table.Table = (*Table)(nil)

// Option changes how a Table works.
type Option func(*Table)

// WithClock sets the time by which items expire.
func WithClock(now func() time.Time) Option { return func(t *Table) { t.now = now } }

// WithRetryDelay sets the longest wait before the first retry, which doubles for each further one
// up to half a second. The default is 20 ms.
func WithRetryDelay(d time.Duration) Option { return func(t *Table) { t.delay = d } }

// New uses a table that exists.
func New(client *dynamodb.Client, tableName string, opts ...Option) *Table {
	t := &Table{client: client, name: &tableName, now: time.Now, delay: firstDelay}
	for _, opt := range opts {
		opt(t)
	}
	return t
}

// Close implements table.Table; there is nothing to close.
func (t *Table) Close() error { return nil }

// once turns the client's retries off for a call.
func once(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} }

// sleep waits before a retry with full jitter, so that those who collided do not meet again.
func (t *Table) sleep(ctx context.Context, attempt int) error {
	most := min(t.delay<<min(attempt, 10), longestDelay)
	timer := time.NewTimer(rand.N(most + 1))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
