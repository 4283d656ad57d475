package pump

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"headless/pkg/table"
)

// Queue invokes a function with the messages of a queue. Messages that the function reports as
// failed, and all messages of a batch whose invocation failed, become visible again after the
// visibility timeout of the queue. The queue handles dead letters.
type Queue struct {
	Client    *sqs.Client
	URL, ARN  string
	BatchSize int
	Pollers   int // batches at a time
	Invoke    Invoke
	Log       *slog.Logger
}

// queuePoll is the interval between reads of an empty queue.
const queuePoll = 100 * time.Millisecond

// Run invokes the function until ctx ends. One poller reads an empty queue; the others read it as long
// as it has messages, as Lambda adds pollers. Five that read an empty queue took the emulator half a
// processor.
func (q Queue) Run(ctx context.Context) {
	var pollers sync.WaitGroup
	more := make(chan struct{}, max(1, q.Pollers))
	callAnother := func() {
		select {
		case more <- struct{}{}:
		default: // every poller is called already
		}
	}
	poll := func() {
		for ctx.Err() == nil && q.next(ctx, callAnother) > 0 {
		}
	}
	for range q.Pollers - 1 {
		pollers.Go(func() {
			for {
				select {
				case <-more:
					poll()
				case <-ctx.Done():
					return
				}
			}
		})
	}
	for ctx.Err() == nil {
		poll()
		_ = table.Pause(ctx, queuePoll)
	}
	pollers.Wait()
}

// next handles one batch and returns how many messages it had. It calls found before it handles them.
func (q Queue) next(ctx context.Context, found func()) int {
	out, err := q.Client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{
		QueueUrl: &q.URL, MaxNumberOfMessages: int32(min(10, max(1, q.BatchSize))),
		MessageSystemAttributeNames: []types.MessageSystemAttributeName{types.MessageSystemAttributeNameAll},
		MessageAttributeNames:       []string{"All"},
	})
	if err != nil {
		if ctx.Err() == nil {
			q.Log.Warn("queue", "error", err.Error())
		}
		return 0
	}
	if len(out.Messages) == 0 {
		return 0
	}
	found()
	payload, err := json.Marshal(q.event(out.Messages))
	if err != nil {
		q.Log.Error("queue event", "error", err.Error())
		return len(out.Messages)
	}
	answer, err := q.Invoke(ctx, payload)
	if err != nil {
		q.Log.Error("queue batch failed", "messages", len(out.Messages), "error", err.Error())
		return len(out.Messages)
	}
	q.remove(ctx, out.Messages, failures(answer))
	return len(out.Messages)
}

func (q Queue) event(messages []types.Message) events.SQSEvent {
	var e events.SQSEvent
	for _, m := range messages {
		e.Records = append(e.Records, events.SQSMessage{
			MessageId: aws.ToString(m.MessageId), ReceiptHandle: aws.ToString(m.ReceiptHandle),
			Body:      aws.ToString(m.Body),
			Md5OfBody: aws.ToString(m.MD5OfBody), Attributes: m.Attributes,
			MessageAttributes: map[string]events.SQSMessageAttribute{},
			EventSource:       "aws:sqs", EventSourceARN: q.ARN, AWSRegion: "us-east-1",
		})
	}
	return e
}

// remove deletes the handled messages.
func (q Queue) remove(ctx context.Context, messages []types.Message, failed map[string]bool) {
	var entries []types.DeleteMessageBatchRequestEntry
	for _, m := range messages {
		if !failed[aws.ToString(m.MessageId)] {
			entries = append(entries, types.DeleteMessageBatchRequestEntry{Id: m.MessageId,
				ReceiptHandle: m.ReceiptHandle})
		}
	}
	if len(entries) == 0 {
		return
	}
	// Even after an interrupt: handled messages must not be delivered again.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	batch := &sqs.DeleteMessageBatchInput{QueueUrl: &q.URL, Entries: entries}
	if _, err := q.Client.DeleteMessageBatch(ctx, batch); err != nil {
		q.Log.Warn("queue", "error", err.Error())
	}
}
