package function

import (
	"context"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"headless/pkg/queue"
)

// Checked returns a handler of events that fails without changes if the rows of the table have
// another format.
func Checked[In, Out any](b *Base, handle func(context.Context, In) (Out, error)) func(context.Context,
	In) (Out, error) {
	return func(ctx context.Context, in In) (out Out, err error) {
		if err := b.Keys.RequireFormat(ctx); err != nil {
			return out, err
		}
		return handle(ctx, in)
	}
}

// ServeQueue passes the messages of a queue to handle until the function ends. handle returns the
// positions of messages to retry.
func (b *Base) ServeQueue(handle func(context.Context, []queue.Message) (failed []int)) {
	lambda.Start(Checked(b, queueHandler(handle)))
}

// queueHandler converts the event of a batch to messages, and failed positions to the response that
// names the messages.
func queueHandler(handle func(context.Context, []queue.Message) []int) func(context.Context,
	events.SQSEvent) (events.SQSEventResponse, error) {
	return func(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
		messages := make([]queue.Message, len(e.Records))
		for i, r := range e.Records {
			messages[i] = queue.Message{Body: []byte(r.Body), Group: r.Attributes["MessageGroupId"]}
		}
		response := events.SQSEventResponse{BatchItemFailures: []events.SQSBatchItemFailure{}}
		for _, i := range handle(ctx, messages) {
			response.BatchItemFailures = append(response.BatchItemFailures,
				events.SQSBatchItemFailure{ItemIdentifier: e.Records[i].MessageId})
		}
		return response, nil
	}
}
