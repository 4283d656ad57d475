package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"headless/pkg/must"
	"headless/pkg/table"
	"headless/scripts/awslocal/pump"
	"headless/scripts/awslocal/runtime"
	"headless/scripts/internal/service"
)

var (
	reindexed = flag.Int("reindexed", 2000, "entries whose index TestReindex builds anew")
	sweepTime = flag.Duration("sweep", 75*time.Second,
		"timeout of the sweeper in TestReindex, of which tasks leave a minute; the template's is 290s")
)

// TestReindex has the built functions build the index of a model anew, and says how long that takes
// and what memory and processor time. The admin area begins behind its answer, and the sweeper goes on,
// call after call. `make bench-reindex` runs it.
func TestReindex(t *testing.T) {
	e, built := prepare(t)
	w := startWorld(t, e, built, "reindex")
	w.countUnits()
	sweeper := w.d.functions["SweeperFunction"]
	sweeper.Timeout = *sweepTime
	w.d.pump(w.ctx, time.Hour)
	w.firstUser()
	w.admin = service.SignIn(t, w.d.address)
	key := w.admin.MakeKey(map[string]any{"name": "entries", "rate_limit": 100000, "scopes": []string{"read", "write"}})
	w.headers = map[string]string{"X-API-Key": key.PublicKey, "X-API-Secret": key.Secret}
	model := func(searchable bool) map[string]any {
		return map[string]any{"slug": "things", "name": "Things", "fields": []any{
			map[string]any{"name": "text", "label": "Text", "type": "text", "searchable": searchable},
			map[string]any{"name": "num", "label": "Number", "type": "number"},
			map[string]any{"name": "flag", "label": "Flag", "type": "boolean"},
			map[string]any{"name": "day", "label": "Day", "type": "date"}}}
	}
	w.admin.Do("POST", "/admin/models", model(false), nil)
	start := time.Now()
	w.makeThings(*reindexed)
	w.quiet()
	w.sweep() // what making them left behind
	w.quiet()
	t.Logf("%d entries made in %v", *reindexed, time.Since(start).Round(time.Second))
	before, done, start := w.bill().table, len(w.builds()), time.Now()
	w.admin.Do("PUT", "/admin/models/things", model(true), nil)
	calls := w.sweepUntilBuilt(sweeper)
	took := time.Since(start)
	w.quiet()
	units := w.bill().table
	var list struct{ Meta struct{ Total int } }
	status, answer := w.ask("GET", "/api/v1/things?per_page=1&q=words", "")
	if err := json.Unmarshal(answer, &list); err != nil || list.Meta.Total != *reindexed {
		t.Errorf("%d %s", status, answer)
	}
	memory, processor, ended := 0, int64(0), map[string]int{}
	for _, r := range w.builds()[done:] {
		memory = max(memory, r.Metrics.MaxMemoryUsedMB)
		processor += r.Metrics.ProcessorMs
		ended[r.Status]++
	}
	each := 1 / float64(*reindexed)
	t.Logf("%d entries: %v in %d sweeps of at most %v, %.1f read and %.1f write units and %.1f ms of a processor each, "+
		"at most %d MB of %d", *reindexed, took.Round(time.Second), calls, *sweepTime,
		(units.ReadUnits-before.ReadUnits)*each,
		(units.WriteUnits-before.WriteUnits)*each, float64(processor)*each, memory, sweeper.MemorySize)
	if len(ended) != 1 || ended["success"] < calls {
		t.Errorf("%d sweeps ended as %v", calls, ended)
	}
	if least := (*sweepTime - 65*time.Second) * time.Duration(calls-1); took < least {
		t.Errorf("%d sweeps took %v: they leave most of their time unused", calls, took)
	}
	if memory > sweeper.MemorySize/2 {
		t.Errorf("%d MB is too near to the %d MB of the function", memory, sweeper.MemorySize)
	}
}

// sweepUntilBuilt calls the sweeper until the new index serves, and returns the number of calls. Lists
// and searches of few entries are right before. The former index is then noted as gone.
func (w *world) sweepUntilBuilt(sweeper *runtime.Function) (calls int) {
	w.t.Helper()
	for {
		if _, err := sweeper.Invoke(w.ctx, pump.Scheduled(time.Now())); err != nil {
			w.t.Fatal(err)
		}
		calls++
		gone, err := w.d.cloud.Tables.Query(w.ctx, &dynamodb.QueryInput{
			TableName:              aws.String(w.d.scope.Refs["Table"]),
			KeyConditionExpression: aws.String(table.AttrPartition + " = :gone"),
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":gone": &types.AttributeValueMemberS{Value: "INDEXGONE"}}})
		must.Do(w.t, err)
		if gone.Count > 0 {
			return calls
		}
		if calls > 3+*reindexed/100 {
			w.t.Fatalf("not built after %d sweeps", calls)
		}
	}
}

// makeThings makes entries with the fields of those of scripts/benchsim. It tries again what a busy
// machine refuses, which may have been made nevertheless.
func (w *world) makeThings(n int) {
	var clients sync.WaitGroup
	for c := range 4 {
		clients.Go(func() {
			for i := c; i < n; i += 4 {
				body := fmt.Sprintf(`{"title": "Entry %d", "slug": "entry-%d", "status": "published",
					"data": {"text": "some words", "num": %d, "flag": true}}`, i, i, i%7)
				status, answer := http.StatusServiceUnavailable, []byte(nil)
				for try := 0; status == http.StatusServiceUnavailable && try < 10; try++ {
					status, answer = w.ask("POST", "/api/v1/things", body)
				}
				if status != http.StatusCreated && status != http.StatusConflict {
					w.t.Errorf("%d %s", status, answer)
				}
			}
		})
	}
	clients.Wait()
}

// builds returns the reports in the log of the two functions that build indexes.
func (w *world) builds() (records []runtime.Record) {
	w.t.Helper()
	text, err := os.ReadFile(w.log)
	must.Do(w.t, err)
	for line := range bytes.Lines(text) {
		var l runtime.Line
		if json.Unmarshal(line, &l) == nil && l.Type == runtime.ReportType &&
			(l.Function == "SweeperFunction" || l.Function == "AdminFunction") {
			records = append(records, *l.Record)
		}
	}
	return records
}
