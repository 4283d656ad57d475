package template

import (
	"reflect"
	"slices"
	"testing"
)

// TestPlacesForRequests: a new account runs 10 functions at a time, so by default few work behind
// the answers; an account that raises the number of workers has more for everything.
func TestPlacesForRequests(t *testing.T) {
	parsed := service(t)
	for workers, dispatchers := range map[string]int{"": 1, "20": 4} {
		parameters := map[string]string{}
		if workers != "" {
			parameters["WorkerConcurrency"] = workers
		}
		resources := asMap(parsed.Root["Resources"])
		events := asMap(asMap(asMap(resources["EventDispatchFunction"])["Properties"])["Events"])
		factor := asMap(asMap(events["Outbox"])["Properties"])["ParallelizationFactor"]
		got, err := parsed.Eval(factor, Scope{Parameters: parameters})
		if err != nil || got != dispatchers {
			t.Errorf("WorkerConcurrency %q has %v dispatchers for a shard, want %d, %v", workers, got,
				dispatchers, err)
		}
	}
}

// TestQueuesMayBeSentTo: a function that is told the address of a queue may send to it, and those
// that commit mails or deliveries are told.
func TestQueuesMayBeSentTo(t *testing.T) {
	policies := map[string]string{"MAIL_QUEUE_URL": "MailSendPolicy",
		"WEBHOOK_QUEUE_URL": "WebhookSendPolicy"}
	told := map[string][]string{}
	for _, r := range service(t).Resources("AWS::Serverless::Function") {
		p := r.Properties()
		granted, _ := p["Policies"].([]any)
		for name := range asMap(asMap(p["Environment"])["Variables"]) {
			policy := policies[name]
			if policy == "" {
				continue
			}
			told[name] = append(told[name], r.ID)
			if !slices.ContainsFunc(granted,
				func(v any) bool { return reflect.DeepEqual(asMap(v)["Ref"], policy) }) {
				t.Errorf("%s has %s and not %s", r.ID, name, policy)
			}
		}
	}
	for name := range policies {
		for _, id := range []string{"AdminFunction", "EventDispatchFunction", "SweeperFunction"} {
			if !slices.Contains(told[name], id) {
				t.Errorf("%s has no %s", id, name)
			}
		}
	}
}
