package template

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
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

// TestTimesOfQueues: a message comes again only when the call that took it must have ended, six timeouts as
// Lambda advises, and is kept longer among the dead letters than in its queue, since it keeps its age there.
func TestTimesOfQueues(t *testing.T) {
	parsed := service(t)
	resources, read := asMap(parsed.Root["Resources"]), 0
	queue := func(v any) map[string]any {
		names := strings.Fields(strings.Trim(fmt.Sprint(asMap(v)["Fn::GetAtt"]), "[]"))
		if len(names) != 2 {
			t.Fatalf("%v is no queue", v)
		}
		return asMap(asMap(resources[names[0]])["Properties"])
	}
	number := func(v any) int { n, _ := v.(int); return n }
	for _, r := range parsed.Resources("AWS::Serverless::Function") {
		timeout, answers := number(r.Properties()["Timeout"]), false
		for name, v := range asMap(r.Properties()["Events"]) {
			answers = answers || asMap(v)["Type"] == "HttpApi"
			if asMap(v)["Type"] != "SQS" {
				continue
			}
			read++
			q := queue(asMap(asMap(v)["Properties"])["Queue"])
			redrive := asMap(q["RedrivePolicy"])
			dead := queue(redrive["deadLetterTargetArn"])
			if timeout == 0 || number(q["VisibilityTimeout"]) < 6*timeout {
				t.Errorf("%s.%s: a message comes again after %v seconds, %d are a call", r.ID, name,
					q["VisibilityTimeout"], timeout)
			}
			if number(redrive["maxReceiveCount"]) < 5 ||
				number(dead["MessageRetentionPeriod"]) <= number(q["MessageRetentionPeriod"]) {
				t.Errorf("%s.%s: dead letters after %v calls, kept for %v of %v seconds", r.ID, name,
					redrive["maxReceiveCount"], dead["MessageRetentionPeriod"], q["MessageRetentionPeriod"])
			}
		}
		if answers && timeout > 29 {
			t.Errorf("%s answers after the gateway gave up", r.ID)
		}
	}
	if read != 2 {
		t.Errorf("%d queues are read, want 2", read)
	}
}
