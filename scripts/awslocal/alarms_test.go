package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"headless/pkg/must"
	"headless/scripts/internal/template"
)

// A round of traffic stands for a period of five minutes, so time runs 150 times as fast, and
// the limit of the alarm for overdue steps is 6 seconds in place of 900.
const (
	period    = 5 * time.Minute
	roundTime = 2 * time.Second
	few       = 5 // rounds, what all alarms but one look at
	many      = 6 // what that for a silent sweeper looks at
	overdue   = "6"
	slow      = "4000" // milliseconds, in place of 1000: the machine may have other work
)

// fault is something that goes wrong while the service is used.
type fault struct {
	name   string
	idle   string // function whose events nobody reads
	inject func(*world)
	each   func(*world) // in each round
	rounds int          // 0 for few
	rings  []string
}

// The alarms of several functions.
var (
	answering = []string{"Admin", "Content", "Delivery", "Forms", "Image", "Mcp", "Search", "Site", "Upload"}
	// Those behind the answers that go on for longer than two periods. What the stream calls is given up
	// sooner, and then told as a dead letter.
	polling = []string{"MailWorker", "Sweeper", "WebhookWorker"}
)

func alarmsOf(kind string, functions ...[]string) (out []string) {
	for _, name := range slices.Concat(functions...) {
		out = append(out, name+kind)
	}
	return out
}

var faults = []fault{
	{name: "none", rounds: many},
	{name: "receiver is down", inject: func(w *world) { w.receiverDown.Store(true) }},
	{name: "clients err", each: func(w *world) {
		for range 30 {
			w.send("GET", "/api/v1/none/none", nil)
			w.send("POST", "/api/v1/posts", map[string]any{"title": 1})
		}
	}},
	{name: "reads are throttled now and then", inject: func(w *world) { w.throttleSome(isRead, 0.05) },
		rings: []string{"TableReadThrottles"}},
	{name: "writes are throttled now and then", inject: func(w *world) { w.throttleSome(isWrite, 0.15) },
		rings: []string{"TableWriteThrottles"}},
	{name: "the store is slow", inject: func(w *world) {
		w.unscheduled.Store(true) // a sweep would take minutes
		w.delay.Store(int64(1500 * time.Millisecond))
	}, rings: []string{"Latency"}},
	{name: "a poisoned event", rounds: many, inject: func(w *world) { w.poisonOutbox() },
		rings: []string{"DispatchDeadLetters", "SweeperErrors", "WorkFails"}},
	{name: "a poisoned wake-up", rounds: many, inject: func(w *world) { w.poisonQueue("WebhookQueue") },
		rings: []string{"WebhookDeadLetters", "WorkFails"}},
	{name: "a poisoned mail", rounds: many, inject: func(w *world) { w.poisonQueue("MailQueue") },
		rings: []string{"MailDeadLetters", "WorkFails"}},
	{name: "nobody reads the queue", rounds: many, idle: "WebhookWorkerFunction",
		rings: []string{"LongestOverdueStep"}},
	{name: "the CDN refuses", inject: func(w *world) { w.cdnDown.Store(true) },
		rings: []string{"PurgeErrors", "SweeperErrors", "WorkFails"}},
	{name: "the schedule is off", rounds: many, inject: func(w *world) { w.unscheduled.Store(true) },
		rings: []string{"SweeperSilent"}},
	{name: "content may have no copies", inject: func(w *world) {
		w.d.functions["ContentFunction"].Limit(0)
	}, rings: []string{"ContentThrottles", "RequestsFail", "ServerErrors"}},
	{name: "the account has no copies left", rounds: many, inject: func(w *world) {
		for _, f := range w.d.functions {
			f.Limit(0)
		}
		w.poisonAll()
	}, rings: append(alarmsOf("Throttles", answering, polling), "ServerErrors", "RequestsFail", "WorkFails",
		"DispatchDeadLetters", "MailDeadLetters", "WebhookDeadLetters")},
	{name: "all functions fail", rounds: many, inject: func(w *world) { w.breakAll(); w.poisonAll() },
		rings: append(alarmsOf("Errors", answering, polling), "ServerErrors", "RequestsFail", "WorkFails",
			"DispatchDeadLetters", "MailDeadLetters", "WebhookDeadLetters")},
}

// TestAlarms runs the built functions on emulators, once for each fault, and compares the alarms of
// infra/observability.yaml that ring with those that should. `make test-operations` runs it.
func TestAlarms(t *testing.T) {
	e, built := prepare(t)
	for i, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			w := newWorld(t, e, built, fmt.Sprintf("alarms%d", i), f.idle)
			got := w.run(f)
			slices.Sort(f.rings)
			if !slices.Equal(got, f.rings) {
				t.Errorf("these alarms ring: %v\nthese should: %v\n%s", got, f.rings, w.recording.summary())
			}
		})
	}
}

// prepare starts the emulators and builds the functions into a folder.
func prepare(t *testing.T) (*emulators, string) {
	t.Helper()
	if os.Getenv("OPERATIONS") == "" {
		t.Skip("OPERATIONS=1 runs it, which takes some minutes")
	}
	t.Chdir("../..")
	e, err := startEmulators(t.Context())
	must.Do(t, err)
	t.Cleanup(e.stop)
	built, err := filepath.Abs(buildDir)
	must.Do(t, err)
	buildInto(t, built)
	return e, built
}

// buildInto builds the functions of the template into a folder.
func buildInto(t *testing.T, folder string) {
	t.Helper()
	parsed, err := template.Load("template.yaml")
	must.Do(t, err)
	var list []template.Function
	for _, r := range parsed.Resources("AWS::Serverless::Function") {
		list = append(list, template.Function{ID: r.ID, CodeURI: fmt.Sprint(r.Properties()["CodeUri"])})
	}
	must.Do(t, build(t.Context(), list, folder))
}
