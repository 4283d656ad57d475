package pump

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"headless/pkg/must"
)

const outbox = `{"eventName":["INSERT"],"dynamodb":{"Keys":{"pk":{"S":[{"prefix":"OUT#"}]}}}}`

// change is a stream record of an item in a partition.
func change(t *testing.T, number int, name types.OperationType, partition string) types.Record {
	t.Helper()
	return types.Record{EventName: name, EventID: aws.String("e"), Dynamodb: &types.StreamRecord{
		SequenceNumber: aws.String(fmt.Sprint(number)), StreamViewType: types.StreamViewTypeKeysOnly,
		Keys: map[string]types.AttributeValue{
			"pk": &types.AttributeValueMemberS{Value: partition},
			"sk": &types.AttributeValueMemberB{Value: []byte{0, 0xff}},
		},
	}}
}

func TestFilter(t *testing.T) {
	f, err := ParseFilter(outbox)
	must.Do(t, err)
	for _, c := range []struct {
		name      types.OperationType
		partition string
		want      bool
	}{
		{types.OperationTypeInsert, "OUT#3", true},
		{types.OperationTypeModify, "OUT#3", false},
		{types.OperationTypeInsert, "E#1", false},
	} {
		r, err := convert(change(t, 1, c.name, c.partition))
		must.Do(t, err)
		if got := f.Matches(r.decoded); got != c.want {
			t.Errorf("%s of %s: %t, want %t", c.name, c.partition, got, c.want)
		}
	}
	for _, bad := range []string{`{"a":[{"exists":true}]}`, `{"a":"x"}`, `[`} {
		if _, err := ParseFilter(bad); err == nil {
			t.Errorf("no error for %s", bad)
		}
	}
}

func TestRecordsAsLambdaWritesThem(t *testing.T) {
	r, err := convert(change(t, 7, types.OperationTypeInsert, "OUT#1"))
	must.Do(t, err)
	want := `{"dynamodb":{"Keys":{"pk":{"S":"OUT#1"},"sk":{"B":"AP8="}},"SequenceNumber":"7","StreamViewType":"KEYS_ONLY"},` +
		`"eventID":"e","eventName":"INSERT","eventSource":"aws:dynamodb","eventVersion":"1.1"}`
	if string(r.text) != want {
		t.Errorf("got  %s\nwant %s", r.text, want)
	}
}

// stream delivers five records to invoke and returns the sequence numbers of each call and of the
// dead letters.
func stream(t *testing.T, invoke func(numbers []string) (string, error)) (calls [][]string, dead []string) {
	t.Helper()
	numbers := func(payload []byte) (out []string) {
		var e struct {
			Records []struct {
				Dynamodb struct{ SequenceNumber string }
			}
		}
		must.Do(t, json.Unmarshal(payload, &e))
		for _, r := range e.Records {
			out = append(out, r.Dynamodb.SequenceNumber)
		}
		return out
	}
	s := Stream{
		BatchSize: 4, MaxAttempts: 3, Log: slog.New(slog.DiscardHandler),
		Invoke: func(_ context.Context, payload []byte) ([]byte, error) {
			calls = append(calls, numbers(payload))
			answer, err := invoke(calls[len(calls)-1])
			return []byte(answer), err
		},
		DeadLetter: func(_ context.Context, batch []byte) error {
			dead = append(dead, numbers(batch)...)
			return nil
		},
	}
	var records []types.Record
	for i := range 5 {
		records = append(records, change(t, i+1, types.OperationTypeInsert, "OUT#1"))
	}
	s.deliver(t.Context(), records)
	return calls, dead
}

func TestStreamBatches(t *testing.T) {
	calls, dead := stream(t, func([]string) (string, error) { return `{"batchItemFailures":[]}`, nil })
	if want := [][]string{{"1", "2", "3", "4"}, {"5"}}; !reflect.DeepEqual(calls, want) || dead != nil {
		t.Errorf("got %v, dead %v", calls, dead)
	}
}

func TestStreamGoesOnFromTheReportedRecord(t *testing.T) {
	failed := false
	calls, dead := stream(t, func([]string) (string, error) {
		if failed {
			return `{}`, nil
		}
		failed = true
		return `{"batchItemFailures":[{"itemIdentifier":"3"}]}`, nil
	})
	if want := [][]string{{"1", "2", "3", "4"}, {"3", "4"}, {"5"}}; !reflect.DeepEqual(calls,
		want) || dead != nil {
		t.Errorf("got %v, dead %v", calls, dead)
	}
}

func TestStreamHalvesUntilTheBadRecordIsAlone(t *testing.T) {
	_, dead := stream(t, func(numbers []string) (string, error) {
		if strings.Contains(strings.Join(numbers, ","), "3") {
			return "", errors.New("bad record")
		}
		return `{}`, nil
	})
	if want := []string{"3"}; !reflect.DeepEqual(dead, want) {
		t.Errorf("dead letters %v, want %v", dead, want)
	}
}

// TestStreamLanes blocks the batch of one partition until that of another one is delivered.
func TestStreamLanes(t *testing.T) {
	other := make(chan struct{})
	s := Stream{
		BatchSize: 4, Parallel: 4, MaxAttempts: 1, Log: slog.New(slog.DiscardHandler),
		Invoke: func(ctx context.Context, payload []byte) ([]byte, error) {
			if strings.Contains(string(payload), "OUT#2") {
				close(other)
				return []byte(`{}`), nil
			}
			select {
			case <-other:
				return []byte(`{}`), nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		},
		DeadLetter: func(context.Context, []byte) error {
			t.Error("a batch waited for that of another partition")
			return nil
		},
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	s.deliver(ctx, []types.Record{change(t, 1, types.OperationTypeInsert, "OUT#1"),
		change(t, 2, types.OperationTypeInsert, "OUT#2")})
}

func TestRate(t *testing.T) {
	for expression, want := range map[string]time.Duration{"rate(5 minutes)": 5 * time.Minute,
		"rate(1 hour)": time.Hour, "rate(2 days)": 48 * time.Hour} {
		if got, err := Rate(expression); err != nil || got != want {
			t.Errorf("%s is %s, %v", expression, got, err)
		}
	}
	for _, bad := range []string{"rate(0 minutes)", "cron(0 12 * * ? *)", "rate(5)", ""} {
		if _, err := Rate(bad); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}
