package function

import (
	"context"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"headless/pkg/queue"
)

// Checked returns a handler of events that fails and changes nothing while the rows of the table
// have another format.
func Checked[In, Out any](b *Base, handle func(context.Context, In) (Out, error)) func(context.Context,
	In) (Out, error) {
	return func(ctx context.Context, in In) (out Out, err error) {
		if err := b.Keys.RequireFormat(ctx); err != nil {
			return out, err
		}
		return handle(ctx, in)
	}
}

// ServeQueue hands the messages of a queue to handle until the function ends. Handle gives the
// positions of those that must come again.
func (b *Base) ServeQueue(handle func(context.Context, []queue.Message) (failed []int)) {
	lambda.Start(Checked(b, queueHandler(handle)))
}

// queueHandler turns the event of a batch into messages, and positions into the answer that names
// the messages.
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
