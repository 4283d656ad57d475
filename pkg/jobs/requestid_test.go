package jobs_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/forms"
	"headless/pkg/must"
)

// TestRequestIDs: what a request caused names it, in the delivery's record and in the log lines of
// its webhooks and mails.
func TestRequestIDs(t *testing.T) {
	w := newMailWorld(t)
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(server.Close)
	hook := w.subscribe(server.URL, cms.EventFormSubmissionCreated)
	var log bytes.Buffer
	w.deliverer.Deliveries.Log, w.notifier.Mails.Log = newLog(&log), newLog(&log)
	visitor := cms.Actor{Source: cms.SourceAPI, RequestID: "the-request"}
	if _, err := w.submissions.Submit(t.Context(), visitor, nil, "contact",
		map[string]any{"email": "ada@example.com", "message": "Hello"}, forms.Visitor{Address: "192.0.2.1"}); err != nil {
		t.Fatal(err)
	}
	w.dispatch()
	w.work()
	w.workMail()
	detail, _, err := w.hooks.Detail(t.Context(), hook, "")
	if err != nil || len(detail.Deliveries) != 1 || detail.Deliveries[0].RequestID != "the-request" {
		t.Errorf("deliveries %+v, error %v", detail.Deliveries, err)
	}
	lines := map[string]int{}
	for decoder := json.NewDecoder(&log); decoder.More(); {
		var line struct {
			Msg       string `json:"msg"`
			RequestID string `json:"request_id"`
		}
		must.Do(t, decoder.Decode(&line))
		lines[line.Msg+" of "+line.RequestID]++
	}
	want := map[string]int{"webhook attempt of the-request": 1, "mail sent of the-request": 2}
	if !maps.Equal(lines, want) {
		t.Errorf("log lines %v, want %v", lines, want)
	}
}
