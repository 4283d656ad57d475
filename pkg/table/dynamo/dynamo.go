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
	client *dynamodb.Client
	name   *string
	now    func() time.Time
	delay  time.Duration // maximum before the first retry; doubled for each further one
}

var _ table.Table = (*Table)(nil)

// Option changes how a Table works.
type Option func(*Table)

// WithClock sets the clock by which items expire.
func WithClock(now func() time.Time) Option { return func(t *Table) { t.now = now } }

// WithRetryDelay sets the maximum delay before the first retry. It doubles for each further retry,
// up to half a second. The default is 20 ms.
func WithRetryDelay(d time.Duration) Option { return func(t *Table) { t.delay = d } }

// New returns a Table for an existing table.
func New(client *dynamodb.Client, tableName string, opts ...Option) *Table {
	t := &Table{client: client, name: &tableName, now: time.Now, delay: firstDelay}
	for _, opt := range opts {
		opt(t)
	}
	return t
}

// Close implements table.Table; there is nothing to close.
func (t *Table) Close() error { return nil }

// withoutRetries turns off the client's retries for a call.
func withoutRetries(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} }

// sleep waits before a retry with full jitter, so that colliding calls do not collide again.
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
