// Package sqs is the adapter of the queue port for an Amazon SQS standard queue.
//
// It sends and counts messages; SQS invokes the functions that receive them. The group of a message
// becomes its MessageGroupId, which asks a standard queue for fair delivery among groups.
package sqs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"headless/pkg/queue"
)

const (
	batchMessages = 10         // messages in one SendMessageBatch
	batchBytes    = 256 * 1024 // bytes of the bodies in one SendMessageBatch
	attempts      = 4          // attempts to send a message that SQS refuses temporarily
	firstWait     = 50 * time.Millisecond
)

// Queue is a queue.Queue on SQS. It holds two operations of the client and not the client itself: in
// a program that calls methods by name, as html/template does, the linker would then keep all
// operations of SQS.
type Queue struct {
	send       operation[sqs.SendMessageBatchInput, sqs.SendMessageBatchOutput]
	attributes operation[sqs.GetQueueAttributesInput, sqs.GetQueueAttributesOutput]
	url        string
}

type operation[In, Out any] = func(context.Context, *In, ...func(*sqs.Options)) (*Out, error)

// New returns the queue at url. client retries failed requests itself.
func New(client *sqs.Client, url string) *Queue {
	return &Queue{send: client.SendMessageBatch, attributes: client.GetQueueAttributes, url: url}
}

// Send implements queue.Queue. It sends batches of ten, and retries messages that SQS refuses
// temporarily. After a request fails as a whole, it does not send the remaining batches.
func (q *Queue) Send(ctx context.Context, msgs ...queue.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var failed failures
	var batch []int // positions in msgs
	size, down := 0, error(nil)
	flush := func() {
		if down == nil && len(batch) > 0 {
			batch, down = q.sendBatch(ctx, msgs, batch, &failed)
		}
		failed.addFailure(down, batch...)
		batch, size = nil, 0
	}
	for i, m := range msgs {
		if err := m.Check(); err != nil {
			failed.addFailure(err, i)
			continue
		}
		if len(batch) == batchMessages || size+len(m.Body) > batchBytes {
			flush()
		}
		batch = append(batch, i)
		size += len(m.Body)
	}
	flush()
	return failed.err()
}

// Len returns about how many messages wait to be received, without messages that are delayed or
// being handled.
func (q *Queue) Len(ctx context.Context) (int, error) {
	out, err := q.attributes(ctx, &sqs.GetQueueAttributesInput{
		QueueUrl:       &q.url,
		AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameApproximateNumberOfMessages},
	})
	if err != nil {
		return 0, fmt.Errorf("sqs: %w", err)
	}
	n, err := strconv.Atoi(out.Attributes[string(types.QueueAttributeNameApproximateNumberOfMessages)])
	if err != nil {
		return 0, fmt.Errorf("sqs: number of messages: %w", err)
	}
	return n, nil
}

// sendBatch sends the messages at these positions and retries those that SQS refuses temporarily.
// It adds messages that SQS refuses permanently to failed. If a request fails as a whole, it
// returns the error with the remaining positions.
func (q *Queue) sendBatch(ctx context.Context, msgs []queue.Message, batch []int, failed *failures) ([]int, error) {
	wait := firstWait
	for attempt := 1; ; attempt++ {
		in := &sqs.SendMessageBatchInput{QueueUrl: &q.url}
		for id, position := range batch {
			in.Entries = append(in.Entries, batchEntry(id, msgs[position]))
		}
		out, err := q.send(ctx, in)
		if err != nil {
			return batch, err
		}
		var refused []int
		for _, f := range out.Failed {
			id, err := strconv.Atoi(aws.ToString(f.Id))
			if err != nil || id < 0 || id >= len(batch) {
				return batch, fmt.Errorf("sqs: answer about an unknown message %q", aws.ToString(f.Id))
			}
			if f.SenderFault || attempt == attempts {
				failed.addFailure(fmt.Errorf("sqs: message refused: %s", aws.ToString(f.Code)), batch[id])
			} else {
				refused = append(refused, batch[id])
			}
		}
		if len(refused) == 0 {
			return nil, nil
		}
		batch = refused
		if err := pause(ctx, wait); err != nil {
			return batch, err
		}
		wait *= 2
	}
}

// batchEntry returns m as an entry of a batch.
func batchEntry(id int, m queue.Message) types.SendMessageBatchRequestEntry {
	delay := (min(m.Delay, queue.MaxDelay) + time.Second - 1) / time.Second
	e := types.SendMessageBatchRequestEntry{
		Id:           aws.String(strconv.Itoa(id)),
		MessageBody:  aws.String(string(m.Body)),
		DelaySeconds: int32(delay),
	}
	if m.Group != "" {
		e.MessageGroupId = aws.String(m.Group)
	}
	return e
}

// pause waits between half of d and d.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d/2 + rand.N(d/2))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// failures collects the positions of messages that were not accepted.
type failures struct {
	positions []int
	cause     error // of the first
}

func (f *failures) addFailure(cause error, positions ...int) {
	if f.cause == nil && len(positions) > 0 {
		f.cause = cause
	}
	f.positions = append(f.positions, positions...)
}

func (f *failures) err() error {
	if len(f.positions) == 0 {
		return nil
	}
	slices.Sort(f.positions)
	return &queue.SendError{Failed: f.positions, Err: f.cause}
}
