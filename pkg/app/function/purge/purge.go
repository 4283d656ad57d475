// Package purge is the function that hands purges over to the CDN in front of the delivery API. It
// reads the table's stream.
package purge

import (
	"context"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"headless/pkg/app/awsconf/awscloudfront"
	"headless/pkg/app/function"
	"headless/pkg/jobs"
	"headless/pkg/purge"
	"headless/pkg/purge/cloudfront"
)

// Start purges until the function ends. The stream only says that there is something to do: all
// that is pending is handed over together, and what the CDN is too busy for waits for the next call
// or the sweeper.
func Start(b *function.Base) error {
	purges := New(b)
	lambda.Start(function.Checked(b,
		func(ctx context.Context, _ events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
			return events.DynamoDBEventResponse{BatchItemFailures: []events.DynamoDBBatchItemFailure{}},
				purges.Run(ctx)
		}))
	return nil
}

// again is longer than the gateway waits for an answer and CloudFront for the gateway: 30 seconds
// each.
const again = 75 * time.Second

// New makes the job of the distributions that DISTRIBUTION_ID and MEDIA_DISTRIBUTION_ID name;
// without the first, purges are dropped. The sweeper, which runs it every minute, hands purges over
// once more.
func New(b *function.Base) jobs.Purges {
	purges := jobs.Purges{Store: b.Keys.DB, To: purge.None{}, Log: b.Log}
	if id := b.Getenv("DISTRIBUTION_ID"); id != "" {
		purges.RepeatAfter = again
		purges.To = cloudfront.Purger{Client: awscloudfront.New(b.AWS, b.Getenv), Distribution: id,
			Media: b.Getenv("MEDIA_DISTRIBUTION_ID")}
	}
	return purges
}
