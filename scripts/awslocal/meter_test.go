package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

// meter counts the DynamoDB units of requests, by the formulas of package table, because DynamoDB
// Local counts transactions wrongly.
type meter struct {
	counting *table.Counting

	mu     sync.Mutex
	failed error // error of the first request that could not be counted
}

// newMeter returns a meter that reads the items that writes replace from a table.
func newMeter(t table.Table) *meter { return &meter{counting: table.NewCounting(rehearsal{t})} }

// usage returns the units of all requests so far. An error means that the count is incomplete.
func (m *meter) usage() (table.Usage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.counting.Snapshot(), m.failed
}

// measure forwards a request to next and counts it: writes before they are made, since the cost
// depends on the replaced items, and reads with their response.
func (m *meter) measure(w http.ResponseWriter, r *http.Request, operation string, body []byte, next http.Handler) {
	ctx := context.WithoutCancel(r.Context()) // cancelled requests are billed too
	isQuery := operation == "Query"
	if !isQuery {
		m.noteError(m.countRequest(ctx, operation, body, nil))
	}
	answer := &recorder{ResponseWriter: w}
	next.ServeHTTP(answer, r)
	if isQuery && answer.status == http.StatusOK {
		m.noteError(m.countRequest(ctx, operation, body, answer.body.Bytes()))
	}
}

func (m *meter) noteError(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failed = cmp.Or(m.failed, err)
}

// recorder keeps the response that it forwards.
type recorder struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	r.body.Write(b)
	return r.ResponseWriter.Write(b)
}

// rehearsal is a table for counting calls that are made elsewhere. It writes nothing, and its
// queries return the items in the responses to those calls.
type rehearsal struct{ table.Table }

type answerKey struct{}

func withAnswer(ctx context.Context, items []table.Item) context.Context {
	return context.WithValue(ctx, answerKey{}, items)
}

func (rehearsal) Query(ctx context.Context, _ table.Range) ([]table.Item, error) {
	items, _ := ctx.Value(answerKey{}).([]table.Item)
	return items, nil
}

func (rehearsal) Write(context.Context, []table.Op) error { return nil }

func (rehearsal) BatchWrite(context.Context, []table.Item, []table.Key) error { return nil }

// attributes are an item or a key in DynamoDB's JSON.
type attributes map[string]struct {
	S, N string
	B    []byte
}

func (a attributes) item() (table.Item, error) {
	item := table.Item{Key: table.Key{Partition: a[table.AttrPartition].S,
		Sort: string(a[table.AttrSort].B)}, Body: a[table.AttrBody].B}
	for name, into := range map[string]*int64{table.AttrVersion: &item.Version,
		table.AttrCount: &item.Count, table.AttrExpires: &item.Expires} {
		if text := a[name].N; text != "" {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return item, err
			}
			*into = n
		}
	}
	return item, nil
}

// writeRequest is an operation that changes an item, alone or in a batch or transaction. Updates only
// change counters, so they do not change the size of the item.
type writeRequest struct{ Key, Item attributes }

func (w writeRequest) item() (table.Item, error) {
	if w.Item != nil {
		return w.Item.item()
	}
	return w.Key.item()
}

// countRequest counts a request by its body, and a query also by its response.
func (m *meter) countRequest(ctx context.Context, operation string, body, answer []byte) error {
	switch operation {
	case "Query":
		return m.query(ctx, body, answer)
	case "GetItem":
		var in readRequest
		if err := json.Unmarshal(body, &in); err != nil {
			return err
		}
		in.Keys = []attributes{in.Key}
		return m.get(ctx, in)
	case "BatchGetItem":
		var in struct{ RequestItems map[string]readRequest }
		if err := json.Unmarshal(body, &in); err != nil {
			return err
		}
		for _, r := range in.RequestItems {
			if err := m.get(ctx, r); err != nil {
				return err
			}
		}
		return nil
	case "BatchWriteItem":
		var in struct {
			RequestItems map[string][]struct{ PutRequest, DeleteRequest *writeRequest }
		}
		if err := json.Unmarshal(body, &in); err != nil {
			return err
		}
		var list []writeRequest
		for _, requests := range in.RequestItems {
			for _, r := range requests {
				list = append(list, *cmp.Or(r.PutRequest, r.DeleteRequest))
			}
		}
		return m.plain(ctx, list)
	case "PutItem", "UpdateItem", "DeleteItem":
		var in writeRequest
		if err := json.Unmarshal(body, &in); err != nil {
			return err
		}
		return m.plain(ctx, []writeRequest{in})
	case "TransactWriteItems":
		return m.transaction(ctx, body)
	}
	return fmt.Errorf("%s is not metered", operation)
}

// readRequest is a request for items by key.
type readRequest struct {
	Key            attributes
	Keys           []attributes
	ConsistentRead bool
}

func (m *meter) get(ctx context.Context, in readRequest) error {
	keys := make([]table.Key, len(in.Keys))
	for i, k := range in.Keys {
		item, err := k.item()
		if err != nil {
			return err
		}
		keys[i] = item.Key
	}
	_, err := m.counting.Get(ctx, table.Consistency(!in.ConsistentRead), keys...)
	return err
}

func (m *meter) query(ctx context.Context, body, answer []byte) error {
	var in struct{ ConsistentRead bool }
	var out struct{ Items []attributes }
	if err := errors.Join(json.Unmarshal(body, &in), json.Unmarshal(answer, &out)); err != nil {
		return err
	}
	found := make([]table.Item, len(out.Items))
	for i, a := range out.Items {
		var err error
		if found[i], err = a.item(); err != nil {
			return err
		}
	}
	_, err := m.counting.Query(withAnswer(ctx, found), table.Range{Eventual: !in.ConsistentRead})
	return err
}

// plain counts writes outside of a transaction: each by the larger size of the item before and
// after.
func (m *meter) plain(ctx context.Context, list []writeRequest) error {
	items := make([]table.Item, len(list))
	for i, w := range list {
		var err error
		if items[i], err = w.item(); err != nil {
			return err
		}
	}
	return m.counting.BatchWrite(ctx, items, nil)
}

func (m *meter) transaction(ctx context.Context, body []byte) error {
	var in struct{ TransactItems []map[string]writeRequest }
	if err := json.Unmarshal(body, &in); err != nil {
		return err
	}
	var ops []table.Op
	for _, one := range in.TransactItems {
		for _, w := range one {
			item, err := w.item()
			if err != nil {
				return err
			}
			ops = append(ops, table.Op{Kind: table.Put, Item: item})
		}
	}
	if len(ops) == 1 { // a transaction with one put, which the port does not count as one
		ops[0].Kind = table.Check
	}
	return m.counting.Write(ctx, ops)
}

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
		m := newMeter(tbl)
		must.Do(t, m.countRequest(t.Context(), c.operation, []byte(c.body), []byte(c.answer)))
		if got, _ := m.usage(); got.ReadUnits != c.read || got.WriteUnits != c.write {
			t.Errorf("%s %.80s: %g and %g units, want %g and %g", c.operation, c.body, got.ReadUnits,
				got.WriteUnits, c.read, c.write)
		}
	}
	if err := newMeter(tbl).countRequest(t.Context(), "Scan", []byte("{}"), nil); err == nil {
		t.Error("a scan is counted")
	}
}
