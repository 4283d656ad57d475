// Package dispatch is the function that turns committed events into deliveries and wakes the mail
// worker. It reads the stream of the table.
package dispatch

import (
	"context"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"headless/pkg/app/function"
	"headless/pkg/app/function/deliveries"
	"headless/pkg/app/function/mails"
	"headless/pkg/app/function/timers"
	"headless/pkg/db"
	"headless/pkg/jobs"
	"headless/pkg/table"
	"headless/pkg/table/dynamo/stream"
)

// Start dispatches until the function ends.
func Start(b *function.Base) error {
	d, err := deliveries.New(b)
	if err != nil {
		return err
	}
	mail, err := mails.New(b)
	if err != nil {
		return err
	}
	h := handler{base: b, handle: jobs.Dispatcher{Deliveries: d, OnEvent: jobs.Announce(mail)}.Handle,
		announce: timers.New(b, d).Announce}
	lambda.Start(function.Checked(b, h.invoke))
	return nil
}

type handler struct {
	base   *function.Base
	handle func(context.Context, []table.Key) (failed []int)
	// announce wakes workers for new timers.
	announce func(context.Context, ...db.Timer) error
}

// invoke dispatches the outbox rows of a batch. The stream has only their keys. It ignores other
// records, for which a retry would not help.
func (h handler) invoke(ctx context.Context, e events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
	var rows []table.Key
	var numbers []string
	var due []db.Timer
	for _, r := range e.Records {
		key, err := stream.Key(r.Change.Keys)
		if err != nil {
			h.base.Log.Error("stream record", "sequence", r.Change.SequenceNumber, "error", err.Error())
			continue
		}
		if timer, ok := db.DecodeTimer(key); ok {
			due = append(due, timer)
			continue
		}
		rows, numbers = append(rows, key), append(numbers, r.Change.SequenceNumber)
	}
	if len(due) > 0 {
		if err := h.announce(ctx, due...); err != nil { // the sweeper wakes the remaining workers
			h.base.Log.Warn("timers", "error", err.Error())
		}
	}
	response := events.DynamoDBEventResponse{BatchItemFailures: []events.DynamoDBBatchItemFailure{}}
	for _, i := range h.handle(ctx, rows) {
		response.BatchItemFailures = append(response.BatchItemFailures,
			events.DynamoDBBatchItemFailure{ItemIdentifier: numbers[i]})
	}
	return response, nil
}
