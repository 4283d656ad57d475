// Package purge is the function that sends purges to the CDN in front of the delivery API. It reads
// the table's stream.
package purge

import (
	"context"
	"log/slog"
	"os"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"headless/pkg/app/awsconf/awscloudfront"
	"headless/pkg/app/function"
	"headless/pkg/jobs"
	"headless/pkg/purge"
	"headless/pkg/purge/cloudfront"
)

// Start purges until the function ends. The stream only signals that there is work: all pending
// purges are sent together. If the CDN is too busy, the rest waits for the next call or for the
// sweeper, which looks each minute.
func Start(b *function.Base) error {
	purges := New(b)
	lambda.Start(function.Checked(b,
		func(ctx context.Context, _ events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
			return events.DynamoDBEventResponse{BatchItemFailures: []events.DynamoDBBatchItemFailure{}},
				purges.Run(ctx)
		}))
	return nil
}

// New returns the job for the distributions that DISTRIBUTION_ID and MEDIA_DISTRIBUTION_ID name;
// without the first, purges are dropped.
func New(b *function.Base) jobs.Purges {
	purges := jobs.Purges{Store: b.Keys.DB, To: purge.None{}, Log: b.Log, Published: b.Keys.Published}
	if id := b.Getenv("DISTRIBUTION_ID"); id != "" {
		purges.Stack = b.Getenv("STACK_NAME")
		purges.Metrics = slog.New(slog.NewJSONHandler(os.Stdout, nil)) // regardless of LOG_LEVEL
		purges.To = cloudfront.Purger{Client: awscloudfront.New(b.AWS, b.Getenv), Distribution: id,
			Media: b.Getenv("MEDIA_DISTRIBUTION_ID")}
	}
	return purges
}
