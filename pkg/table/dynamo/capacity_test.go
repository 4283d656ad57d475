package dynamo_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/table/dynamo"
)

// meter asks DynamoDB to report the capacity that every request consumes, and adds it up.
type meter struct {
	mu     sync.Mutex
	usage  table.Usage
	client http.Client
}

func (m *meter) Do(r *http.Request) (*http.Response, error) {
	asked, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	asked = append([]byte(`{"ReturnConsumedCapacity":"TOTAL",`),
		asked[1:]...) // the emulator checks no signature
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(asked)), int64(len(asked))
	response, err := m.client.Do(r)
	if err != nil {
		return nil, err
	}
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(answer))
	return response, m.add(r.Header.Get("X-Amz-Target"), answer)
}

// add reads the consumed capacity, which is a list for batches.
func (m *meter) add(target string, answer []byte) error {
	type capacity struct{ CapacityUnits float64 }
	var list struct{ ConsumedCapacity []capacity }
	if err := json.Unmarshal(answer, &list); err != nil {
		var one struct{ ConsumedCapacity capacity }
		if err := json.Unmarshal(answer, &one); err != nil {
			return err
		}
		list.ConsumedCapacity = []capacity{one.ConsumedCapacity}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.usage.Calls++
	for _, c := range list.ConsumedCapacity {
		if strings.Contains(target, "Get") || strings.Contains(target, "Query") {
			m.usage.ReadUnits += c.CapacityUnits
		} else {
			m.usage.WriteUnits += c.CapacityUnits
		}
	}
	return nil
}

func (m *meter) take() table.Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	u := m.usage
	m.usage = table.Usage{}
	return u
}

// testCapacity compares the units that table.Counting computes with those of the emulator. The
// counting runs on another table with the same data, so that its own reads are not metered. Left
// out are the cases that the emulator gets wrong: transactions, empty queries and absent items of a
// batch get (nothing, where AWS takes the least unit), absent items of a batch delete (2 units).
func testCapacity(t *testing.T, endpoint string) {
	m := &meter{}
	accessKey := rand.Text()
	c := client(endpoint, accessKey)
	for _, name := range []string{"metered", "counted"} {
		must.Do(t, dynamo.Create(t.Context(), c, name, false))
	}
	metered := dynamo.New(dynamodb.New(c.Options(), func(o *dynamodb.Options) { o.HTTPClient = m }),
		"metered")
	counted := table.NewCounting(dynamo.New(c, "counted"))
	ctx := t.Context()
	item := func(sort string, size int) table.Item {
		return table.Item{Key: table.Key{Partition: "p", Sort: sort}, Version: 1234, Body: make([]byte, size)}
	}
	put := func(i table.Item) func(table.Table) error {
		return func(tab table.Table) error { return tab.Write(ctx, []table.Op{{Kind: table.Put, Item: i}}) }
	}
	get := func(how table.Consistency, sorts ...string) func(table.Table) error {
		return func(tab table.Table) error {
			var keys []table.Key
			for _, s := range sorts {
				keys = append(keys, table.Key{Partition: "p", Sort: s})
			}
			_, err := tab.Get(ctx, how, keys...)
			return err
		}
	}
	query := func(r table.Range) func(table.Table) error {
		return func(tab table.Table) error { _, err := tab.Query(ctx, r); return err }
	}
	edge := item("edge", 0)
	edge.Body = make([]byte, 4096-edge.Size()-1)
	over := item("over", len(edge.Body)+1)
	for _, step := range []struct {
		name string
		call func(table.Table) error
	}{
		{"put small", put(item("a", 10))},
		{"put exactly 4 KB", put(edge)},
		{"put one more", put(over)},
		{"put large", put(item("large", 100_000))},
		{"replace large by small", put(item("large", 100))},
		{"put numbers",
			put(table.Item{Key: table.Key{Partition: "p", Sort: "n"}, Version: -123456789012,
				Count: 9_000_000, Expires: 4e9, Body: make([]byte, 980)})},
		{"put large again", put(item("large", 50_000))},
		{"get small", get(table.Strong, "a")},
		{"get exactly 4 KB", get(table.Strong, "edge")},
		{"get one more", get(table.Strong, "over")},
		{"get one more eventually", get(table.Eventual, "over")},
		{"get absent", get(table.Strong, "none")},
		{"get absent eventually", get(table.Eventual, "none")},
		{"get several", get(table.Strong, "a", "edge", "over", "large")},
		{"get several eventually", get(table.Eventual, "a", "edge", "over", "large")},
		{"query all", query(table.Range{Partition: "p"})},
		{"query all eventually", query(table.Range{Partition: "p", Eventual: true, Reverse: true})},
		{"query two", query(table.Range{Partition: "p", Limit: 2})},
		{"query prefix", query(table.Range{Partition: "p", Prefix: "o"})},
		{"add", func(tab table.Table) error {
			_, err := tab.Add(ctx, table.Key{Partition: "c", Sort: "s"}, 5, 10, 4e9)
			return err
		}},
		{"batch", func(tab table.Table) error {
			return tab.BatchWrite(ctx, []table.Item{item("b1", 1500), item("b2", 10),
				item("large", 10)}, []table.Key{edge.Key})
		}},
		{"delete",
			func(tab table.Table) error {
				return tab.Write(ctx,
					[]table.Op{{Kind: table.Delete, Item: over}})
			}},
		{"put with condition", func(tab table.Table) error {
			return tab.Write(ctx,
				[]table.Op{{Kind: table.Put, Item: item("a", 10), If: table.VersionIs, Version: 1234}})
		}},
	} {
		m.take()
		counted.Reset()
		if err := step.call(metered); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if err := step.call(counted); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		got, want := counted.Snapshot(), m.take()
		got.RoundTrips = 0
		if got != want {
			t.Errorf("%s: counted %+v, the emulator reports %+v", step.name, got, want)
		}
	}
}
