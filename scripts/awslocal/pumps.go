package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"headless/scripts/awslocal/pump"
	"headless/scripts/internal/template"
)

// pollers is the number of batches of one queue that are processed at the same time. Lambda begins
// with five.
const pollers = 5

// pump starts the event sources of the functions: the table's stream, the queues and the schedules.
// Unless every is 0, it replaces the intervals of schedules.
func (d *deployment) pump(ctx context.Context, every time.Duration) {
	for _, f := range d.specs {
		for _, e := range f.Events {
			if err := d.source(ctx, f, e, every); err != nil {
				d.log.Error("event source", "function", f.ID, "event", e.Name, "error", err.Error())
			}
		}
	}
}

func (d *deployment) source(ctx context.Context, f template.Function, e template.Event,
	every time.Duration) error {
	invoke := d.functions[f.ID].Invoke
	switch e.Type {
	case "DynamoDB":
		filters, err := filters(e.Properties)
		if err != nil {
			return err
		}
		s := pump.Stream{
			Client: d.cloud.Streams, ARN: fmt.Sprint(e.Properties["Stream"]), Filters: filters,
			Invoke: invoke, Log: d.log,
			BatchSize:   number(e.Properties["BatchSize"], 100),
			Parallel:    number(e.Properties["ParallelizationFactor"], 1),
			MaxAttempts: 1 + number(e.Properties["MaximumRetryAttempts"], 10),
			DeadLetter:  d.deadLetter(e.Properties),
		}
		go s.Run(ctx)
	case "SQS":
		arn := fmt.Sprint(e.Properties["Queue"])
		url, ok := d.queueURL(arn)
		if !ok {
			return fmt.Errorf("no queue %s", arn)
		}
		q := pump.Queue{Client: d.cloud.Queues, URL: url, ARN: arn,
			BatchSize: number(e.Properties["BatchSize"], 10), Pollers: pollers, Invoke: invoke, Log: d.log}
		go q.Run(ctx)
	case "Schedule":
		rate, err := pump.Rate(fmt.Sprint(e.Properties["Schedule"]))
		if err != nil {
			return err
		}
		if every > 0 {
			rate = every
		}
		var input []byte
		if text, ok := e.Properties["Input"].(string); ok {
			input = []byte(text)
		}
		go pump.Schedule{Every: rate, Input: input, Invoke: invoke, Log: d.log}.Run(ctx)
	case "HttpApi":
	default:
		return fmt.Errorf("events of type %s are not known here", e.Type)
	}
	return nil
}

// filters reads the filter patterns of an event source.
func filters(properties map[string]any) ([]pump.Filter, error) {
	criteria, _ := properties["FilterCriteria"].(map[string]any)
	list, _ := criteria["Filters"].([]any)
	var out []pump.Filter
	for _, v := range list {
		f, _ := v.(map[string]any)
		parsed, err := pump.ParseFilter(fmt.Sprint(f["Pattern"]))
		if err != nil {
			return nil, err
		}
		out = append(out, parsed)
	}
	return out, nil
}

// deadLetter returns a function that sends a batch to the dead letter queue of an event source, nil
// if it has none.
func (d *deployment) deadLetter(properties map[string]any) func(context.Context, []byte) error {
	config, _ := properties["DestinationConfig"].(map[string]any)
	failure, _ := config["OnFailure"].(map[string]any)
	url, ok := d.queueURL(fmt.Sprint(failure["Destination"]))
	if !ok {
		return nil
	}
	return func(ctx context.Context, batch []byte) error {
		body := string(batch)
		_, err := d.cloud.Queues.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &url, MessageBody: &body})
		return err
	}
}

// queueURL returns the URL of the queue with an ARN.
func (d *deployment) queueURL(arn string) (string, bool) {
	for name, value := range d.scope.Attributes {
		if value == arn {
			if id, ok := strings.CutSuffix(name, ".Arn"); ok {
				url, ok := d.scope.Refs[id]
				return url, ok
			}
		}
	}
	return "", false
}

// number reads a number of the template.
func number(v any, fallback int) int {
	if n, ok := v.(int); ok {
		return n
	}
	return fallback
}
