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
	"headless/pkg/db"
	"headless/pkg/table"
)

// TestInvoke hands over the sample event and one record that is none of the outbox.
func TestInvoke(t *testing.T) {
	text, err := os.ReadFile("../../../../events/event-dispatch.json")
	if err != nil {
		t.Fatal(err)
	}
	var e events.DynamoDBEvent
	if err := json.Unmarshal(text, &e); err != nil {
		t.Fatal(err)
	}
	e.Records = append([]events.DynamoDBEventRecord{{Change: events.DynamoDBStreamRecord{SequenceNumber: "1"}}},
		e.Records...)
	var kinds []string
	h := handler{base: &function.Base{Log: slog.New(slog.DiscardHandler)},
		handle: func(_ context.Context, rows []table.Item) []int {
			for _, row := range rows {
				event, err := db.DecodePendingEvent(row)
				if err != nil {
					t.Error(err)
				}
				kinds = append(kinds, event.Kind)
			}
			return []int{0}
		}}
	response, err := h.invoke(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"entry.published"}; !reflect.DeepEqual(kinds, want) {
		t.Errorf("events %v, want %v", kinds, want)
	}
	if want := []events.DynamoDBBatchItemFailure{{ItemIdentifier: "111"}}; !reflect.DeepEqual(response.BatchItemFailures,
		want) {
		t.Errorf("failures %v, want %v", response.BatchItemFailures, want)
	}
}
