package template

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// service is the template of this project.
func service(t *testing.T) *Template {
	t.Helper()
	parsed, err := Load("../../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// TestPolicies holds the template to least privilege: what is allowed names its actions, and resources of this stack.
func TestPolicies(t *testing.T) {
	statements := 0
	walk(service(t).Root["Resources"], "", func(at string, m map[string]any) {
		if m["Effect"] != "Allow" {
			return
		}
		statements++
		actions, _ := m["Action"].([]any)
		if actions == nil {
			actions = []any{m["Action"]}
		}
		for _, a := range actions {
			if strings.Contains(fmt.Sprint(a), "*") {
				t.Errorf("%s allows %v", at, a)
			}
		}
		if m["Resource"] == "*" {
			t.Errorf("%s allows %v on every resource", at, actions)
		}
	})
	if statements == 0 {
		t.Error("no statement found")
	}
}

// TestFunctionsHaveWhatTheyNeed looks at what is easily forgotten when a function is added.
func TestFunctionsHaveWhatTheyNeed(t *testing.T) {
	parsed := service(t)
	outputs := asMap(parsed.Root["Outputs"])
	var folders []string
	for _, r := range parsed.Resources("AWS::Serverless::Function") {
		p := r.Properties()
		group := asMap(asMap(p["LoggingConfig"])["LogGroup"])["Ref"]
		if asMap(asMap(parsed.Root["Resources"])[fmt.Sprint(group)])["Type"] != "AWS::Logs::LogGroup" {
			t.Errorf("%s has no log group of its own, so its lines are kept for ever", r.ID)
		}
		if asMap(r.Body["Metadata"])["BuildMethod"] != "makefile" {
			t.Errorf("%s is not built by its Makefile", r.ID)
		}
		if outputs[r.ID+"Name"] == nil {
			t.Errorf("%s has no output for the alarms", r.ID)
		}
		folders = append(folders, filepath.Base(fmt.Sprint(p["CodeUri"])))
		for name, v := range asMap(p["Events"]) {
			event := asMap(v)
			if kind := event["Type"]; kind == "SQS" || kind == "DynamoDB" {
				if types, _ := asMap(event["Properties"])["FunctionResponseTypes"].([]any); !slices.Contains(types, any("ReportBatchItemFailures")) {
					t.Errorf("%s.%s does not take partial failures", r.ID, name)
				}
			}
		}
	}
	for _, f := range folders {
		for _, path := range []string{"functions/" + f + "/main.go", "functions/" + f + "/Makefile", "events/" + f + ".json"} {
			if _, err := os.Stat("../../../" + path); err != nil {
				t.Error(err)
			}
		}
	}
}

// walk calls visit for every mapping below v.
func walk(v any, at string, visit func(at string, m map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		visit(at, v)
		for name, e := range v {
			walk(e, at+"/"+name, visit)
		}
	case []any:
		for i, e := range v {
			walk(e, fmt.Sprintf("%s/%d", at, i), visit)
		}
	}
}
