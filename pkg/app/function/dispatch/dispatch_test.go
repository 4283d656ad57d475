package dispatch

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"reflect"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"headless/pkg/app/function"
	"headless/pkg/must"
	"headless/pkg/table"
)

// TestInvoke hands over the sample event and one record that is none of the outbox.
func TestInvoke(t *testing.T) {
	text, err := os.ReadFile("../../../../events/event-dispatch.json")
	must.Do(t, err)
	var e events.DynamoDBEvent
	must.Do(t, json.Unmarshal(text, &e))
	e.Records = append([]events.DynamoDBEventRecord{{Change: events.DynamoDBStreamRecord{SequenceNumber: "1"}}},
		e.Records...)
	var dispatched []string
	h := handler{base: &function.Base{Log: slog.New(slog.DiscardHandler)},
		handle: func(_ context.Context, keys []table.Key) []int {
			for _, key := range keys {
				dispatched = append(dispatched, key.Partition+"/"+key.Sort)
			}
			return []int{0}
		}}
	response, err := h.invoke(t.Context(), e)
	must.Do(t, err)
	if want := []string{"OUT#0/0197f0c0-0000-7000-8000-000000000000"}; !reflect.DeepEqual(dispatched, want) {
		t.Errorf("rows %v, want %v", dispatched, want)
	}
	if want := []events.DynamoDBBatchItemFailure{{ItemIdentifier: "111"}}; !reflect.DeepEqual(response.BatchItemFailures,
		want) {
		t.Errorf("failures %v, want %v", response.BatchItemFailures, want)
	}
}
