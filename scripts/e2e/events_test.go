package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
	"headless/scripts/internal/template"
)

// answers are the statuses of the functions that answer requests, and what their answers to the
// sample events hold.
var answers = map[string]struct {
	status int
	holds  string
}{
	"admin":    {200, "<form"},
	"content":  {200, `"title":"Hello"`},
	"delivery": {404, `"code":"NOT_FOUND"`}, // the key of the sample is unknown
	"forms":    {201, `"data":`},
	"image":    {400, `"code":"BAD_REQUEST"`},
	"mcp":      {200, `"name":"list_models"`},
	"search":   {200, `"title":"Hello"`},
	"site":     {200, `"data":`},
	"upload":   {201, `"note.txt"`},
}

// TestSampleEvents hands each sample event to its built function, as `sam local invoke` would, on a
// table that has the items they name. Only awslocal offers that.
func TestSampleEvents(t *testing.T) {
	if os.Getenv("E2E_TARGET") != "awslocal" {
		return
	}
	parsed, err := template.Load("../../template.yaml")
	must.Do(t, err)
	seed := exec.Command("go", "run", "headless/scripts/samples")
	if out, err := seed.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, r := range parsed.Resources("AWS::Serverless::Function") {
		name := filepath.Base(fmt.Sprint(r.Properties()["CodeUri"]))
		t.Run(name, func(t *testing.T) {
			event, err := os.ReadFile(filepath.Join("../../events", name+".json"))
			must.Do(t, err)
			answer := invoke(t, r.ID, fromCDN(t, event))
			var got struct {
				StatusCode        int    `json:"statusCode"` // of a function that answers requests
				Body              string `json:"body"`
				BatchItemFailures []any  `json:"batchItemFailures"` // of one that works behind
			}
			if err := json.Unmarshal(answer, &got); err != nil {
				t.Fatalf("%v in %.300s", err, answer)
			}
			if want := answers[name]; got.StatusCode != want.status ||
				!strings.Contains(got.Body, want.holds) || len(got.BatchItemFailures) > 0 {
				t.Errorf("got %.600s\nwant %+v", answer, want)
			}
		})
	}
}

// TestOnlyThroughTheCDN: if the CDN serves everything, no function answers at the name
// that API Gateway gives.
func TestOnlyThroughTheCDN(t *testing.T) {
	if os.Getenv("ORIGIN_VERIFY") == "" {
		return
	}
	parsed, err := template.Load("../../template.yaml")
	must.Do(t, err)
	asked := 0
	for _, r := range parsed.Resources("AWS::Serverless::Function") {
		name := filepath.Base(fmt.Sprint(r.Properties()["CodeUri"]))
		if answers[name].status == 0 {
			continue
		}
		event, err := os.ReadFile(filepath.Join("../../events", name+".json"))
		must.Do(t, err)
		asked++
		if got := invoke(t, r.ID, event); !bytes.Contains(got, []byte(`"statusCode":403`)) {
			t.Errorf("%s: %.300s", name, got)
		}
	}
	if asked != len(answers) {
		t.Errorf("%d functions were asked", asked)
	}
}

// fromCDN adds to an event of a request the headers of a CDN that serves everything.
func fromCDN(t *testing.T, event []byte) []byte {
	t.Helper()
	var parsed map[string]any
	must.Do(t, json.Unmarshal(event, &parsed))
	headers, ok := parsed["headers"].(map[string]any)
	if !ok {
		return event
	}
	headers["x-origin-verify"] = os.Getenv("ORIGIN_VERIFY")
	event, err := json.Marshal(parsed)
	must.Do(t, err)
	return event
}

// invoke calls a function and returns its answer; a failed invocation ends the test.
func invoke(t *testing.T, id string, event []byte) []byte {
	t.Helper()
	resp, err := http.Post(os.Getenv("E2E_BASE_URL")+"/_awslocal/invoke/"+id, "application/json",
		bytes.NewReader(event))
	must.Do(t, err)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v: %s", id, resp.Status, err, answer)
	}
	return answer
}
