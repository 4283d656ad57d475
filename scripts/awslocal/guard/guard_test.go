package guard

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"headless/pkg/must"
	"headless/scripts/internal/template"
)

// serve returns a guard with the policies of template.yaml, before a table that answers everything.
func serve(t *testing.T) *Guard {
	t.Helper()
	parsed, err := template.Load("../../../template.yaml")
	must.Do(t, err)
	scope := template.Scope{Attributes: map[string]string{"Table.Arn": "arn:table"}}
	policies := map[string][]template.Statement{}
	for _, r := range parsed.Resources("AWS::Serverless::Function") {
		if policies[r.ID], err = parsed.Statements(r.ID, "dynamodb", scope); err != nil {
			t.Fatal(err)
		}
	}
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, err := io.ReadAll(r.Body); err != nil || len(body) == 0 || r.URL.Path != "/" {
			t.Errorf("the table got %s with %q, %v", r.URL, body, err)
		}
	}))
	t.Cleanup(backend.Close)
	g, err := New(backend.URL, policies, map[string]string{"rows": "arn:table"})
	must.Do(t, err)
	return g
}

// request makes a request of an operation for an item with the key pk.
func request(operation, pk string) string {
	key := `{"pk":{"S":"` + pk + `"},"sk":{"B":"eA=="}}`
	switch operation {
	case "Query":
		return `{"TableName":"rows","KeyConditionExpression":"#pk = :pk AND #sk >= :lo","ExpressionAttributeNames":{"#pk":"pk","#sk":"sk"},` +
			`"ExpressionAttributeValues":{":pk":{"S":"` + pk + `"},":lo":{"B":"eA=="}}}`
	case "BatchGetItem":
		return `{"RequestItems":{"rows":{"Keys":[{"pk":{"S":"CONFIG#1"}},` + key + `]}}}`
	case "BatchWriteItem":
		return `{"RequestItems":{"rows":[{"PutRequest":{"Item":{"pk":{"S":"LIMIT#1"}}}},{"DeleteRequest":{"Key":` +
			key + `}}]}}`
	case "TransactWriteItems":
		return `{"TransactItems":[{"ConditionCheck":{"TableName":"rows","Key":{"pk":{"S":"X#1"}}}},{"Put":{"TableName":"rows","Item":` +
			key + `}}]}`
	case "PutItem":
		return `{"TableName":"rows","Item":` + key + `}`
	}
	return `{"TableName":"rows","Key":` + key + `}`
}

// call sends a request as a function and reports whether it was refused.
func call(t *testing.T, g *Guard, function, operation, body string) (refused bool) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/"+function+"/", strings.NewReader(body))
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	if w.Code == http.StatusOK {
		return false
	}
	if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "#AccessDeniedException") {
		t.Fatalf("%s: %s %s: %d %s", function, operation, body, w.Code, w.Body)
	}
	return true
}

var (
	operations = []string{"GetItem", "Query", "BatchGetItem", "PutItem", "UpdateItem", "DeleteItem",
		"BatchWriteItem", "TransactWriteItems"}
	writes = operations[3:]
	// public are the functions that answer anybody, and those that work behind without a use for
	// accounts and webhooks.
	public = []string{"SiteFunction", "SearchFunction", "FormsFunction", "ContentFunction",
		"DeliveryFunction", "UploadFunction", "ImageFunction", "PurgeFunction", "MailWorkerFunction",
		"McpFunction"}
)

// TestAttemptsAreRefused tries the attacks of somebody who has taken over a function.
func TestAttemptsAreRefused(t *testing.T) {
	g := serve(t)
	attempts := []struct {
		what       string
		functions  []string
		operations []string
		keys       []string
	}{
		{"password hashes, sessions and tokens",
			append([]string{"EventDispatchFunction", "WebhookWorkerFunction", "SweeperFunction"},
				public...), operations,
			[]string{"D#user", "N#user#a@example.com", "SESSION#1", "USESS#1", "D#token",
				"N#token#1", "RESET#1", "BROWSER#1", "D#invitation"}},
		{"secrets of webhooks", public, operations, []string{"D#webhook"}},
		{"the configuration", append([]string{"EventDispatchFunction"}, public...), writes,
			[]string{"D#site", "CONFIG#3", "KEY#pk_1", "D#key", "D#role", "SECRETS"}},
		{"the key of preview links", []string{"SiteFunction", "SearchFunction", "FormsFunction",
			"ContentFunction", "DeliveryFunction", "UploadFunction", "ImageFunction", "PurgeFunction",
			"MailWorkerFunction", "EventDispatchFunction"}, writes, []string{"PREVIEWKEY"}},
		{"content by functions that only read", []string{"SiteFunction", "SearchFunction",
			"DeliveryFunction", "ImageFunction"}, writes,
			[]string{"E#1#2", "S#1#en#a", "OUT#1", "L#activity#2026-01#1", "F#1#2"}},
		{"the whole table", append([]string{"AdminFunction"}, public...),
			[]string{"Scan", "DeleteTable", "UpdateTable", "ExecuteStatement"}, []string{"E#1#2"}},
	}
	count := 0
	for _, a := range attempts {
		for _, function := range a.functions {
			for _, operation := range a.operations {
				for _, key := range a.keys {
					count++
					if !call(t, g, function, operation, request(operation, key)) {
						t.Errorf("%s: %s may %s %s", a.what, function, operation, key)
					}
				}
			}
		}
	}
	if !call(t, g, "ContentFunction", "GetItem", strings.ReplaceAll(request("GetItem", "E#1#2"),
		"rows", "other")) {
		t.Error("another table is open")
	}
	if len(g.Refused()) == 0 || count < 500 {
		t.Errorf("%d attempts, %d kinds are noted", count, len(g.Refused()))
	}
}

// TestWorkIsAllowed: what functions do is not refused, so that the refusals mean something.
func TestWorkIsAllowed(t *testing.T) {
	g := serve(t)
	for _, w := range []struct{ function, operation, key string }{
		{"ContentFunction", "BatchGetItem", "KEY#pk_1"}, {"ContentFunction", "Query", "D#site"},
		{"ContentFunction", "TransactWriteItems", "E#1#2"},
		{"ContentFunction", "BatchWriteItem", "X#1#2"}, {"SiteFunction", "UpdateItem", "LIMIT#1#2"},
		{"SearchFunction", "BatchWriteItem", "L#request#2026-01#1"},
		{"FormsFunction", "TransactWriteItems", "F#1#2"},
		{"DeliveryFunction", "GetItem", "PREVIEWKEY"}, {"AdminFunction", "GetItem", "D#user"},
		{"AdminFunction", "TransactWriteItems", "D#site"},
		{"McpFunction", "TransactWriteItems", "E#1#2"}, {"McpFunction", "TransactWriteItems", "PREVIEWKEY"},
		{"WebhookWorkerFunction", "GetItem", "D#webhook"},
		{"WebhookWorkerFunction", "TransactWriteItems", "D#webhook"},
		{"WebhookWorkerFunction", "TransactWriteItems", "CONFIG#0"},
		{"EventDispatchFunction", "Query", "D#webhook"}, {"SweeperFunction", "TransactWriteItems", "D#site"},
	} {
		if call(t, g, w.function, w.operation, request(w.operation, w.key)) {
			t.Errorf("%s may not %s %s", w.function, w.operation, w.key)
		}
	}
}

func TestUnknownConditionsAreErrors(t *testing.T) {
	policies := map[string][]template.Statement{"F": {{Conditions: []template.Condition{{Operator: "StringEquals",
		Key: "dynamodb:LeadingKeys"}}}}}
	if _, err := New("http://127.0.0.1", policies, nil); err == nil {
		t.Error("a condition that is not understood is taken")
	}
}

// TestThrottle: the client of the table takes the answers for what DynamoDB says at a limit.
func TestThrottle(t *testing.T) {
	g := serve(t)
	g.Before = func(function, operation string) bool {
		return function == "ContentFunction" && operation != "GetItem"
	}
	for _, c := range []struct{ function, operation, want string }{
		{"ContentFunction", "GetItem", ""}, {"SiteFunction", "Query", ""},
		{"ContentFunction", "Query", `#ThrottlingException"`},
		{"ContentFunction", "TransactWriteItems",
			`"CancellationReasons":[{"Code":"ThrottlingError"},{"Code":"ThrottlingError"}]`},
	} {
		r := httptest.NewRequest(http.MethodPost, "/"+c.function+"/",
			strings.NewReader(request(c.operation, "E#1")))
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+c.operation)
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		if (w.Code == http.StatusOK) != (c.want == "") || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s %s: %d %s", c.function, c.operation, w.Code, w.Body)
		}
	}
}
