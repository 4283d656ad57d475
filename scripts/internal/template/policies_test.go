package template

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"headless/pkg/must"
)

// TestPolicies holds the templates to least privilege: each permission names its actions, and
// resources of the stack.
func TestPolicies(t *testing.T) {
	count := 0
	for _, path := range []string{"template.yaml", "infra/observability.yaml"} {
		for _, s := range statements(load(t, path).Root["Resources"]) {
			count++
			for _, action := range s.actions {
				if strings.Contains(action, "*") {
					t.Errorf("%s: %s allows %s", path, s.at, action)
				}
			}
			if slices.Contains(s.resources, any("*")) {
				t.Errorf("%s: %s allows %v on every resource", path, s.at, s.actions)
			}
		}
	}
	if count == 0 {
		t.Error("no statement found")
	}
}

// TestCustomerKey: with a key of the customer, everything that is stored is encrypted with it, and
// the functions use it for that alone. After a change of the key they still read what the former one
// encrypted: files stay as they are, and the secrets are read to be encrypted anew.
func TestCustomerKey(t *testing.T) {
	parsed := service(t)
	with := map[string]string{ // the property of a type that names the key
		"AWS::DynamoDB::Table": "SSESpecification", "AWS::S3::Bucket": "BucketEncryption",
		"AWS::SQS::Queue": "KmsMasterKeyId", "AWS::Logs::LogGroup": "KmsKeyId"}
	for kind, property := range with {
		for _, r := range parsed.Resources(kind) {
			for key, want := range map[string]bool{"arn:key": true, "": false} {
				s := Scope{Parameters: map[string]string{"KmsKey": key}, Refs: map[string]string{"AWS::NoValue": ""}}
				v, err := parsed.Eval(r.Properties()[property], s)
				if err != nil || strings.Contains(fmt.Sprint(v), "arn:key") != want {
					t.Errorf("%s of %s with the key %q is %v, %v", property, r.ID, key, v, err)
				}
			}
		}
	}
	uses := 0
	for _, s := range statements(parsed.Root["Resources"]) {
		via := fmt.Sprint(asMap(s.condition["StringEquals"])["kms:ViaService"])
		if !strings.HasPrefix(s.actions[0], "kms:") {
			continue
		}
		if via == "<nil>" || strings.Contains(via, "ssm.") != strings.Contains(s.at, "SecretsPolicy") {
			t.Errorf("%s may use the key by way of %s", s.at, via)
		}
		uses++
	}
	if uses != 2 {
		t.Errorf("%d statements let functions use the key, want 2", uses)
	}
	for _, policy := range []string{"RowsPolicy", "SecretsPolicy"} {
		for keys, want := range map[[2]string]string{{"", ""}: "", {"arn:b", ""}: "arn:b", {"arn:b", "arn:a"}: "arn:b arn:a",
			{"", "arn:a"}: "arn:a"} {
			s := Scope{Parameters: map[string]string{"KmsKey": keys[0], "KmsKeyFormer": keys[1]},
				Refs: map[string]string{"AWS::NoValue": "", "AWS::Region": "r", "AWS::Partition": "p", "AWS::AccountId": "a",
					"AWS::StackName": "n"}, Attributes: map[string]string{"Table.Arn": "table"}}
			resource := asMap(asMap(parsed.Root["Resources"])[policy])
			document, err := parsed.Eval(asMap(resource["Properties"])["PolicyDocument"], s)
			must.Do(t, err)
			got := ""
			for _, s := range statements(document) {
				if strings.HasPrefix(s.actions[0], "kms:") {
					got = strings.Trim(fmt.Sprint(s.resources), "[ ]")
				}
			}
			if got != want {
				t.Errorf("with the keys %q %s has %q", keys, policy, got)
			}
		}
	}
}

// TestFormerVersions: what was replaced or deleted is kept for some days, and what can be made
// again or was never a file is not.
func TestFormerVersions(t *testing.T) {
	parsed := service(t)
	bucket := Resource{ID: "MediaBucket", Body: asMap(asMap(parsed.Root["Resources"])["MediaBucket"])}.Properties()
	for days, want := range map[string]string{"": "Enabled 35", "7": "Enabled 7", "0": "Suspended 1"} {
		s := Scope{Parameters: map[string]string{}}
		if days != "" {
			s.Parameters["MediaVersionDays"] = days
		}
		status, err := parsed.Eval(asMap(bucket["VersioningConfiguration"])["Status"], s)
		must.Do(t, err)
		rules, err := parsed.Eval(asMap(bucket["LifecycleConfiguration"])["Rules"], s)
		must.Do(t, err)
		for _, v := range asList(rules) {
			rule := asMap(v)
			kept, ok := asMap(rule["NoncurrentVersionExpiration"])["NoncurrentDays"]
			switch {
			case rule["Prefix"] == nil && ok:
				if got := fmt.Sprint(status, " ", kept); got != want {
					t.Errorf("MediaVersionDays %q: %s, want %s", days, got, want)
				}
			case rule["Prefix"] != nil && fmt.Sprint(kept) != "1":
				t.Errorf("former versions of %v are kept for %v days", rule["Prefix"], kept)
			}
		}
	}
}

// TestKeysOfSecrets: no function opens sealed secrets but those that need some.
func TestKeysOfSecrets(t *testing.T) {
	parsed := service(t)
	s := Scope{Parameters: map[string]string{"KmsKey": "arn:key"},
		Refs: map[string]string{"AWS::Partition": "aws", "AWS::Region": "r", "AWS::AccountId": "1",
			"AWS::StackName": "headless"}}
	var opens []string
	for _, r := range parsed.Resources("AWS::Serverless::Function") {
		statements, err := parsed.Statements(r.ID, "ssm", s)
		must.Do(t, err)
		if len(statements) > 0 {
			opens = append(opens, r.ID)
		}
		for _, statement := range statements {
			const root = "arn:aws:ssm:r:1:parameter/headless/headless/"
			name, _ := strings.CutPrefix(statement.Resources[0], root)
			if len(statement.Resources) != 1 || name != "secrets" &&
				(name != "oidc-client-secret" || r.ID != "AdminFunction") {
				t.Errorf("%s may read the parameters %q", r.ID, statement.Resources)
			}
		}
	}
	slices.Sort(opens)
	if want := []string{"AdminFunction", "FormsFunction", "McpFunction",
		"WebhookWorkerFunction"}; !slices.Equal(opens, want) {
		t.Errorf("%q may read the keys that seal secrets, want %q", opens, want)
	}
}

// TestRoleOfCI holds the role that deploys to its limits: it must not get more rights than it has
// by way of the roles that it makes.
func TestRoleOfCI(t *testing.T) {
	ci := load(t, "infra/ci-role.yaml")
	all := asMap(ci.Root["Resources"])
	grants := []string{"iam:CreateRole", "iam:PutRolePermissionsBoundary", "iam:AttachRolePolicy",
		"iam:PutRolePolicy"}
	boundary := map[string]any{"Ref": "FunctionBoundary"}
	var names []string // patterns of roles and policies
	for _, s := range statements(all["ExecutionRole"]) {
		for _, action := range s.actions {
			if action == "iam:DeleteRolePermissionsBoundary" || strings.HasPrefix(action, "iam:*") {
				t.Errorf("%s allows %s", s.at, action)
			}
			if strings.Contains(action, "*") && slices.Contains(s.resources, any("*")) {
				t.Errorf("%s allows %s on every resource", s.at, action)
			}
			equals := asMap(s.condition["StringEquals"])
			if slices.Contains(grants, action) &&
				!reflect.DeepEqual(equals["iam:PermissionsBoundary"], boundary) {
				t.Errorf("%s allows %s without the boundary", s.at, action)
			}
			services := []any{"lambda.amazonaws.com", "codedeploy.amazonaws.com"}
			if action == "iam:PassRole" && !slices.Contains(services, equals["iam:PassedToService"]) {
				t.Errorf("%s allows %s for any service", s.at, action)
			}
			if strings.HasPrefix(action, "iam:") && action != "iam:CreateServiceLinkedRole" {
				for _, r := range s.resources {
					arn := fmt.Sprint(asMap(r)["Fn::Sub"])
					names = append(names, strings.ReplaceAll(arn[strings.LastIndex(arn, ":")+1:],
						"${ServiceStack}", "headless-prod"))
				}
			}
		}
	}
	covered := func(name string) bool {
		return slices.ContainsFunc(names,
			func(pattern string) bool { ok, err := filepath.Match(pattern, name); return ok && err == nil })
	}
	for id := range all {
		for _, kind := range []string{"role/", "policy/"} {
			if name := kind + "headless-ci-" + id + "-ABCDEF123456"; covered(name) {
				t.Errorf("the role may change %s, which is its own", name)
			}
		}
	}
	parsed := service(t)
	for _, r := range parsed.Resources("AWS::Serverless::Function") {
		if name := "role/headless-prod-" + r.ID + "Role-ABCDEF123456"; !covered(name) ||
			len(path.Base(name)) > 64 {
			t.Errorf("the role cannot make %s", name)
		}
	}
	for _, r := range parsed.Resources("AWS::IAM::ManagedPolicy") {
		if name := "policy/headless-prod-" + r.ID + "-ABCDEF123456"; !covered(name) {
			t.Errorf("the role cannot make %s", name)
		}
	}
}

// TestStagesApart: a role may change what carries the name of its stack, or that name and a hyphen,
// so the role of headless-dev reaches nothing of headless-prod or headless-dev2.
func TestStagesApart(t *testing.T) {
	ci := load(t, "infra/ci-role.yaml")
	if p := asMap(asMap(ci.Root["Parameters"])["ServiceStack"]); p["Default"] != nil ||
		regexp.MustCompile("^"+fmt.Sprint(p["AllowedPattern"])+"$").MatchString("headless") {
		t.Error("the role may be made for headless, whose name begins those of all stages")
	}
	found := 0
	text, err := os.ReadFile("../../../infra/ci-role.yaml")
	must.Do(t, err)
	for _, after := range strings.Split(string(text), "${ServiceStack}")[1:] {
		found++
		if after[0] != '-' && after[0] != '/' {
			t.Errorf("a pattern goes on with %.30q", after)
		}
	}
	if found < 20 {
		t.Errorf("%d patterns found", found)
	}
}

// TestStageCanBeDeleted: before `sam delete` deletes a stack, it deletes the code that was uploaded for it,
// and ends where it may not.
func TestStageCanBeDeleted(t *testing.T) {
	for _, s := range statements(asMap(load(t, "infra/ci-role.yaml").Root["Resources"])["DeployRole"]) {
		if slices.Contains(s.actions, "s3:PutObject") && !slices.Contains(s.actions, "s3:DeleteObject") {
			t.Errorf("%s allows %v", s.at, s.actions)
		}
	}
}

// TestBoundary: the boundary of the functions' roles leaves them all that the template and SAM give
// them.
func TestBoundary(t *testing.T) {
	allowed := map[string]bool{}
	for _, s := range statements(asMap(load(t, "infra/ci-role.yaml").Root["Resources"])["FunctionBoundary"]) {
		for _, action := range s.actions {
			allowed[action] = true
		}
	}
	needed := []string{ // by the policies that SAM attaches: logs, the stream, the queues
		"logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents",
		"dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator", "dynamodb:ListStreams",
		"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:SendMessage",
	}
	resources := maps.Clone(asMap(service(t).Root["Resources"]))
	delete(resources, "MediaBucketPolicy") // is no role's
	for _, s := range statements(resources) {
		needed = append(needed, s.actions...)
	}
	for _, action := range needed {
		if !allowed[action] {
			t.Errorf("the boundary forbids %s", action)
		}
	}
}

// statement allows something.
type statement struct {
	at        string
	actions   []string
	resources []any
	condition map[string]any
}

// statements finds all statements below v that allow something.
func statements(v any) (out []statement) {
	list := func(v any) []any {
		if l, ok := v.([]any); ok {
			return l
		}
		return []any{v}
	}
	walk(v, "", func(at string, m map[string]any) {
		if m["Effect"] != "Allow" {
			return
		}
		s := statement{at: at, resources: list(m["Resource"]), condition: asMap(m["Condition"])}
		for _, action := range list(m["Action"]) {
			s.actions = append(s.actions, fmt.Sprint(action))
		}
		out = append(out, s)
	})
	return out
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
