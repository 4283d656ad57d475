package template

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"headless/pkg/must"
)

// service is the template of this project.
func service(t *testing.T) *Template { return load(t, "template.yaml") }

// load reads a template by its path in the repository.
func load(t *testing.T, path string) *Template {
	t.Helper()
	parsed, err := Load("../../../" + path)
	must.Do(t, err)
	return parsed
}

// TestReadmeListsTheParameters: none is missing in the table of infra/README.md.
func TestReadmeListsTheParameters(t *testing.T) {
	readme, err := os.ReadFile("../../../infra/README.md")
	must.Do(t, err)
	for name := range asMap(service(t).Root["Parameters"]) {
		if !regexp.MustCompile("(?m)^\\|.*`" + name + "`.*\\|").Match(readme) {
			t.Errorf("infra/README.md does not list %s", name)
		}
	}
}

// TestFirstDeployWorksAsWritten: the SAM CLI that a page installs is found by the commands that follow,
// and what was built for another processor is deployed for it. A stack with the wrong one answers
// nothing.
func TestFirstDeployWorksAsWritten(t *testing.T) {
	const path = `export PATH="$PATH:$PWD/.tools/sam/bin"`
	built := regexp.MustCompile(`ARCH=x86_64 sam build`)
	for _, page := range []string{"README.md", "infra/README.md"} {
		text, err := os.ReadFile("../../../" + page)
		must.Do(t, err)
		install, rest, _ := strings.Cut(string(text), "sam.sh install")
		if before, _, found := strings.Cut(rest, "\nsam build"); !found || !strings.Contains(before, path) {
			t.Errorf("%s: sam is not found after its installation", page)
		}
		if strings.Contains(install, "\nsam build") {
			t.Errorf("%s: sam is called before it is installed", page)
		}
		for _, at := range built.FindAllIndex(text, -1) {
			if line, _, _ := strings.Cut(string(text[at[1]:]), "\n"); !strings.Contains(line, "Architecture=x86_64") {
				t.Errorf("%s: functions for x86_64 are deployed for arm64", page)
			}
		}
	}
}

// TestAlarms: each function has its alarms, every alarm is sent to somebody whom it leads to its row in
// infra/OPERATIONS.md, and the dashboard is JSON.
func TestAlarms(t *testing.T) {
	observability := load(t, "infra/observability.yaml")
	alarms := map[string]bool{}
	operations, err := os.ReadFile("../../../infra/OPERATIONS.md")
	must.Do(t, err)
	told := map[string]bool{} // by a composite alarm
	composites := observability.Resources("AWS::CloudWatch::CompositeAlarm")
	for _, r := range composites {
		for _, part := range regexp.MustCompile(`ALARM\("\$\{(\w+)\}"\)`).FindAllStringSubmatch(
			fmt.Sprint(asMap(r.Properties()["AlarmRule"])["Fn::Sub"]), -1) {
			told[part[1]] = true
		}
	}
	const kind = "AWS::CloudWatch::Alarm"
	for _, r := range slices.Concat(observability.Resources(kind), composites,
		load(t, "infra/waf.yaml").Resources(kind), load(t, "infra/backup.yaml").Resources(kind)) {
		alarms[r.ID] = true
		tells := r.Properties()["AlarmActions"] != nil && r.Properties()["OKActions"] != nil
		if tells == told[r.ID] {
			t.Errorf("%s tells nobody that it rings, or that it ended, or is told of twice", r.ID)
		}
		if tells && !strings.Contains(fmt.Sprint(r.Properties()["AlarmDescription"]), "See infra/OPERATIONS.md") {
			t.Errorf("the mail of %s does not say where to read on", r.ID)
		}
		if !regexp.MustCompile("(?m)^\\|[^|]*`" + r.ID + "`").Match(operations) {
			t.Errorf("infra/OPERATIONS.md does not say what to do at %s", r.ID)
		}
	}
	for _, row := range regexp.MustCompile(
		"(?m)^\\| (`[^|]*) \\| (.*) \\| (.*) \\|$").FindAllStringSubmatch(string(operations),
		-1) {
		for _, name := range strings.Split(row[1], ", ") {
			name, _, _ = strings.Cut(name, " of ") // its template, where that is not observability.yaml
			if !alarms[strings.Trim(name, "`")] || row[2] == "" || row[3] == "" {
				t.Errorf("infra/OPERATIONS.md: %s is no alarm, or lacks its meaning or what to do", name)
			}
		}
	}
	for _, r := range service(t).Resources("AWS::Serverless::Function") {
		name := strings.TrimSuffix(r.ID, "Function")
		if !alarms[name+"Errors"] || !alarms[name+"Throttles"] {
			t.Errorf("%s has no alarms", r.ID)
		}
	}
	for _, r := range observability.Resources("AWS::CloudWatch::Dashboard") {
		body, _ := asMap(r.Properties()["DashboardBody"])["Fn::Sub"].([]any)
		if len(body) != 2 || !json.Valid([]byte(fmt.Sprint(body[0]))) {
			t.Errorf("%s is not JSON", r.ID)
		}
	}
}

// TestFunctionsHaveWhatTheyNeed looks at steps that are easily forgotten when a function is added.
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
			// A GET of API Gateway is no HEAD, which another function would refuse.
			if route := asMap(event["Properties"]); route["Path"] != nil && route["Method"] != "ANY" {
				t.Errorf("%s.%s takes %v alone", r.ID, name, route["Method"])
			}
			if kind := event["Type"]; kind == "SQS" || kind == "DynamoDB" {
				if types, _ := asMap(event["Properties"])["FunctionResponseTypes"].([]any); !slices.Contains(types,
					any("ReportBatchItemFailures")) {
					t.Errorf("%s.%s does not take partial failures", r.ID, name)
				}
			}
		}
	}
	for _, f := range folders {
		for _, path := range []string{"functions/" + f + "/main.go", "functions/" + f + "/Makefile",
			"events/" + f + ".json"} {
			if _, err := os.Stat("../../../" + path); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestFunctionsCanBeRead: the local deployments understand all that functions are given.
func TestFunctionsCanBeRead(t *testing.T) {
	parsed := service(t)
	for _, cdn := range []string{"true", "false"} {
		s := Scope{Parameters: map[string]string{"MediaCdn": cdn}, Refs: map[string]string{},
			Attributes: map[string]string{}}
		for _, name := range []string{"AWS::Region", "AWS::AccountId", "AWS::Partition",
			"AWS::URLSuffix", "AWS::StackName"} {
			s.Refs[name] = name
		}
		for id := range asMap(parsed.Root["Resources"]) {
			s.Refs[id] = id
			for _, attribute := range []string{"Arn", "StreamArn", "DomainName", "RegionalDomainName"} {
				s.Attributes[id+"."+attribute] = id
			}
		}
		if _, err := parsed.Functions(s); err != nil {
			t.Errorf("MediaCdn=%s: %v", cdn, err)
		}
	}
}
