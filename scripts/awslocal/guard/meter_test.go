package guard

import (
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

// TestMeter: each operation takes the units that DynamoDB bills.
func TestMeter(t *testing.T) {
	tbl, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	defer tbl.Close()
	stored := table.Item{Key: table.Key{Partition: "A", Sort: "large"}, Body: make([]byte, 5000)}
	must.Do(t, tbl.BatchWrite(t.Context(), []table.Item{stored}, nil))
	key := func(sort string) string {
		return fmt.Sprintf(`{"pk": {"S": "A"}, "sk": {"B": "%s"}}`,
			base64.StdEncoding.EncodeToString([]byte(sort)))
	}
	item := func(sort string, size int) string {
		body := base64.StdEncoding.EncodeToString(make([]byte, size))
		return strings.TrimSuffix(key(sort), "}") + `, "` + table.AttrBody + `": {"B": "` + body + `"}}`
	}
	for _, c := range []struct {
		operation, body, answer string
		read, write             float64
	}{
		{operation: "GetItem", body: `{"Key": ` + key("large") + `, "ConsistentRead": true}`, read: 2},
		{operation: "GetItem", body: `{"Key": ` + key("large") + `}`, read: 1},
		{operation: "BatchGetItem", body: `{"RequestItems": {"t": {"ConsistentRead": true, "Keys": [` +
			key("large") + `, ` + key("none") + `]}}}`, read: 3},
		{operation: "Query", body: `{"ConsistentRead": true}`,
			answer: `{"Items": [` + item("a", 3000) + `, ` + item("b", 3000) + `]}`, read: 2},
		{operation: "PutItem", body: `{"Item": ` + item("new", 1500) + `}`, write: 2},
		{operation: "PutItem", body: `{"Item": ` + item("large", 10) + `}`, write: 5},
		{operation: "UpdateItem", body: `{"Key": ` + key("none") + `}`, write: 1},
		{operation: "BatchWriteItem", body: `{"RequestItems": {"t": [{"DeleteRequest": {"Key": ` +
			key("large") + `}}, {"PutRequest": {"Item": ` + item("new", 10) + `}}]}}`, write: 6},
		{operation: "TransactWriteItems", body: `{"TransactItems": [{"Put": {"Item": ` +
			item("new", 10) + `}}]}`,
			write: 2},
		{operation: "TransactWriteItems", body: `{"TransactItems": [{"Put": {"Item": ` + item("new", 1500) +
			`}}, {"ConditionCheck": {"Key": ` + key("none") + `}}]}`, write: 6},
	} {
		m := NewMeter(tbl)
		must.Do(t, m.Count(t.Context(), c.operation, []byte(c.body), []byte(c.answer)))
		if got, _ := m.Usage(); got.ReadUnits != c.read || got.WriteUnits != c.write {
			t.Errorf("%s %.80s: %g and %g units, want %g and %g", c.operation, c.body, got.ReadUnits,
				got.WriteUnits, c.read, c.write)
		}
	}
	if err := NewMeter(tbl).Count(t.Context(), "Scan", []byte("{}"), nil); err == nil {
		t.Error("a scan is counted")
	}
}
