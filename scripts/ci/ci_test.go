// Package ci tests the shell scripts of this folder with programs that stand in for AWS's.
package ci

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
)

// checkout is a folder with the scripts, in which the programs that they call only note their
// arguments.
type checkout struct {
	t    *testing.T
	root string
	env  []string
}

func newCheckout(t *testing.T) *checkout {
	t.Helper()
	c := &checkout{t: t, root: t.TempDir()}
	for _, path := range []string{"samconfig.toml", "template.yaml"} {
		c.copy("../../"+path, path)
	}
	scripts, err := filepath.Glob("*.sh")
	must.Do(t, err)
	for _, path := range scripts {
		c.copy(path, "scripts/ci/"+path)
	}
	c.program("bin/go", "")
	c.program("scripts/tools/sam.sh", "")
	c.env = append(os.Environ(), "PATH="+filepath.Join(c.root, "bin")+":"+os.Getenv("PATH"),
		"CALLS="+filepath.Join(c.root, "calls"), "ROOT="+c.root)
	return c
}

func (c *checkout) copy(from, to string) {
	c.t.Helper()
	text, err := os.ReadFile(from)
	must.Do(c.t, err)
	c.write(to, string(text))
}

func (c *checkout) write(path, text string) {
	c.t.Helper()
	path = filepath.Join(c.root, path)
	must.Do(c.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(c.t, os.WriteFile(path, []byte(text), 0o755))
}

// program makes a stand-in that notes its arguments and then runs a few lines of shell.
func (c *checkout) program(path, lines string) {
	c.t.Helper()
	c.write(path, "#!/bin/sh\necho \"$(basename \"$0\") $*\" >>\"$CALLS\"\n"+lines+"\n")
}

// run runs a script and returns what it printed and the calls that it made.
func (c *checkout) run(wantOK bool, script string, args ...string) (printed, calls string) {
	c.t.Helper()
	path := filepath.Join(c.root, "calls")
	os.Remove(path)
	cmd := exec.Command(filepath.Join(c.root, "scripts/ci", script), args...)
	cmd.Dir, cmd.Env = c.root, c.env
	out, err := cmd.CombinedOutput()
	text, _ := os.ReadFile(path)
	if (err == nil) != wantOK {
		c.t.Fatalf("%s %s: %v\n%s\ncalls:\n%s", script, strings.Join(args, " "), err, out, text)
	}
	return string(out), string(text)
}

// TestStage: a stage for one change makes no distributions, the code is compared with the
// processor of the stack before it is deployed, and each stage has a folder of its own for code.
func TestStage(t *testing.T) {
	c := newCheckout(t)
	for name, cdn := range map[string]bool{"pr-12": false, "dev": true, "prod": true} {
		_, calls := c.run(true, "stage.sh", "deploy", name)
		deploy := calls[strings.Index(calls, "sam.sh run deploy"):]
		if strings.Contains(deploy, "MediaCdn=false") == cdn {
			t.Errorf("%s: %s", name, deploy)
		}
		if !strings.Contains(deploy, "--s3-prefix headless-"+name+" ") {
			t.Errorf("%s has no folder of its own: %s", name, deploy)
		}
		build, compared := strings.Index(calls, "sam.sh run build"), strings.Index(calls, "go run ./scripts/built")
		if build < 0 || compared < build || compared > strings.Index(calls, "sam.sh run deploy") {
			t.Errorf("%s: the build is not compared before it is deployed:\n%s", name, calls)
		}
	}
	c.program("bin/go", "exit 1")
	if _, calls := c.run(false, "stage.sh", "deploy", "dev"); strings.Contains(calls, "run deploy") {
		t.Errorf("a build for another processor was deployed:\n%s", calls)
	}
	c.run(false, "stage.sh", "deploy", "PROD")
	c.run(false, "stage.sh", "delete", "prod")
}

// TestRun: steps that run at the same time print their output one after the other, and the last lines name a step that
// failed beside one that did not.
func TestRun(t *testing.T) {
	c := newCheckout(t)
	c.copy("../../.ci/run", ".ci/run")
	c.program("bin/make", `echo "$1 begins"; sleep 0.1; echo "$1 ends"; [ "$1" != test-openapi ]`)
	c.program("bin/go", `[ "$1" = env ] || printf '#!/bin/sh\ncat "$GOTEST_TOTALS"\n' >.build/ci/gotest
		chmod +x .build/ci/gotest`)
	for _, tool := range strings.Fields(
		"moto dynamodb-local versitygw localstack chromium node axe openapi sites firefox") {
		c.program("scripts/tools/"+tool+".sh", "")
	}
	printed, calls := c.run(false, "../../.ci/run")
	for _, target := range strings.Fields(
		"test lint release-here test-aws test-types test-sites test-localstack test-browser") {
		if whole := "\n" + target + " begins\n" + target + " ends\n--- "; !strings.Contains(printed, whole) {
			t.Errorf("%s is not whole in:\n%s", target, printed)
		}
		if !strings.Contains(calls, "make "+target) {
			t.Errorf("%s did not run:\n%s", target, calls)
		}
	}
	_, last, _ := strings.Cut(printed, " s in all\n")
	if last != "failed: test-openapi\n{\"Failed\":1}\n" || strings.Count(printed, "FAILED") != 1 {
		t.Errorf("%s", printed)
	}
	c.program("bin/make", "")
	if printed, _ = c.run(true, "../../.ci/run"); !strings.HasSuffix(printed, " s in all\n") {
		t.Errorf("nothing failed, and yet:\n%s", printed)
	}
}

// fakeAWS answers what restore.sh asks of the AWS CLI. A file stands for each resource.
const fakeAWS = `case "$*" in
*"describe-stacks --stack-name old"*"Parameters[]"*)
  printf 'DomainName\tcms.example.com\nCertificateArn\tarn:x\nMailFrom\tMe <me@example.com>\nLogRetentionDays\t90\n'
  printf 'OriginVerifyVersion\t3\nOriginVerifyAlso\t2\nKmsKey\tarn:key\n' ;;
*"describe-stacks --stack-name old"*KmsKey*) echo arn:key ;;
*"describe-stacks --stack-name old"*TableName*) echo old-Table ;;
*"describe-stacks --stack-name old"*) echo old-bucket ;;
*"describe-stacks --stack-name new"*) [ -e "$ROOT/stack" ] || exit 255; echo new-bucket ;;
*describe-table*TableStatus*) if [ -e "$ROOT/active" ]; then echo ACTIVE; else touch "$ROOT/active"; echo CREATING; fi ;;
*describe-table*SSEDescription*) echo arn:key-of-table ;;
*describe-table*StreamEnabled*) if [ -e "$ROOT/stream" ]; then echo True; else echo None; fi ;;
*describe-table*) [ -e "$ROOT/table" ] || exit 254 ;;
*restore-table-to-point-in-time*) touch "$ROOT/table" ;;
*update-table*) touch "$ROOT/stream" ;;
*describe-time-to-live*) if [ -e "$ROOT/ttl" ]; then echo ENABLED; else echo DISABLED; fi ;;
*update-time-to-live*) touch "$ROOT/ttl" ;;
*execute-change-set*) touch "$ROOT/stack" ;;
esac`

// TestRestore: the steps come in their order with the right names, a second run repeats nothing
// that was done, and a failure ends the run.
func TestRestore(t *testing.T) {
	const at = "2026-11-20T08:00:00Z"
	c := newCheckout(t)
	c.env = append(c.env, "PAUSE=0")
	c.program("bin/aws", fakeAWS)
	c.program("bin/go", `case "$*" in *adopt*) echo '"StreamViewType": "NEW_IMAGE"' ;; esac`)
	_, calls := c.run(true, "restore.sh", "old", "new", at)
	rest := calls
	for _, want := range []string{
		"restore-table-to-point-in-time --source-table-name old-Table --target-table-name new-restored --restore-date-time " +
			at,
		"update-table --table-name new-restored --stream-specification StreamEnabled=true,StreamViewType=NEW_IMAGE",
		"update-time-to-live --table-name new-restored", "update-continuous-backups --table-name new-restored",
		"go run ./scripts/restore secrets -from old -to new -kms-key arn:key", "create-change-set --stack-name new",
		"--parameters ParameterKey=KmsKey,ParameterValue=arn:key-of-table", // which it has
		`"TableName":"new-restored"`, "execute-change-set --stack-name new", "sam.sh run build",
		"sam.sh run deploy --stack-name new", "go run ./scripts/restore files -from old-bucket -to new-bucket -at " + at,
		"go run ./scripts/restore check -table new-restored -bucket new-bucket -stack new",
	} {
		_, after, ok := strings.Cut(rest, want)
		if !ok {
			t.Fatalf("no %q, or not in this order:\n%s", want, calls)
		}
		rest = after
	}
	for parameter, want := range map[string]bool{`MailFrom="Me <me@example.com>"`: true,
		`LogRetentionDays="90"`: true, `KmsKey="arn:key"`: true, "DomainName": false, "CertificateArn": false,
		// The secret that is copied begins with version 1 again.
		"OriginVerifyVersion": false, "OriginVerifyAlso": false} {
		if strings.Contains(calls, parameter) != want {
			t.Errorf("%s among the parameters: %v", parameter, !want)
		}
	}
	_, calls = c.run(true, "restore.sh", "old", "new", at)
	for _, once := range []string{"restore-table", "update-table", "update-time", "create-change-set"} {
		if strings.Contains(calls, once) {
			t.Errorf("a second run calls %s", once)
		}
	}
	c.program("bin/go", `case "$*" in *secrets*) exit 1 ;; esac`)
	if _, calls = c.run(false, "restore.sh", "old", "new", at); strings.Contains(calls, "restore files") {
		t.Errorf("it went on without the secrets:\n%s", calls)
	}
	for _, wrong := range [][]string{{"old", "new"}, {"old", "old", at}, {"old", "new", "yesterday"}} {
		c.run(false, "restore.sh", wrong...)
	}
	c.env = append(c.env, "STEPS=table", "TABLE=nowhere")
	os.Remove(filepath.Join(c.root, "table"))
	if printed, _ := c.run(false, "restore.sh", "old", "new", at); !strings.Contains(printed, "no table nowhere") {
		t.Errorf("a table that is not there: %s", printed)
	}
}

// accountAWS answers what scripts/account asks of the AWS CLI. The file version is the version that
// requests reach.
const accountAWS = `case "$*" in
*"describe-stacks --stack-name headless-first-2"*) exit 255 ;;
*describe-stacks*FunctionName*) echo headless-first-SiteFunction ;;
*describe-stacks*DomainTarget*) echo d1.cloudfront.net ;;
*describe-stacks*Url*) echo https://api ;;
*describe-stacks*) echo name ;;
*get-alias*) cat "$ROOT/version" ;;
*list-versions*) printf '2026-11-20T08:00:00\t3\n' ;;
*update-alias*) echo 3 >"$ROOT/version" ;;
*describe-continuous-backups*) echo 2026-11-20T08:00:00.123+00:00 ;;
*list-object-versions*) [ -e "$ROOT/empty" ] || echo '"VersionId": "null"' ;;
*delete-objects*) touch "$ROOT/empty" ;;
esac`

// TestAccount: the steps come in their order, the canary must fail and the rollback must lead back.
func TestAccount(t *testing.T) {
	c := newCheckout(t)
	c.env = append(c.env, "PAUSE=0.05", "DOMAIN=cdn.example.com", "CERTIFICATE=arn:c")
	c.copy("../account", "scripts/account")
	c.write("scripts/ci/restore.sh", "#!/bin/sh\necho \"restore.sh $*\" >>\"$CALLS\"\n")
	c.write("version", "1\n")
	c.program("bin/aws", accountAWS)
	c.program("bin/curl", "printf 404")
	const deploys = `case "$*" in
*TrustedProxies=0.0.0.0/99*) exit 1 ;;
*"run deploy"*) echo $(($(cat "$ROOT/version") + 1)) >"$ROOT/version" ;;
esac`
	c.program("scripts/tools/sam.sh", deploys)
	printed, calls := c.run(true, "../account", "first")
	rest := calls
	for _, want := range []string{"go run ./scripts/canary", "MediaCdn=true", "update-cost-allocation-tags-status",
		"./scripts/deployed -stack headless-first", "DeliveryDomainName=cdn.example.com DeliveryCertificateArn=arn:c",
		"TrustedProxies=0.0.0.0/99", "ActivityDays=364", "update-alias",
		"restore.sh headless-first headless-first-2 2026-11-20T08:00:00Z", "sam.sh run delete --stack-name headless-first ",
		"delete-table --table-name name", "delete-objects --bucket name", "delete-bucket --bucket name"} {
		_, after, ok := strings.Cut(rest, want)
		if !ok {
			t.Fatalf("no %q, or not in this order:\n%s\n%s", want, calls, printed)
		}
		rest = after
	}
	if n := strings.Count(calls, "./scripts/deployed"); n != 4 {
		t.Errorf("the stack was looked at %d times", n)
	}
	if _, calls = c.run(true, "../account", "first", "bill"); !strings.Contains(calls, "ce get-cost-and-usage") ||
		!strings.Contains(calls, `"headless-first","headless-first-2"`) {
		t.Errorf("the bill: %s", calls)
	}
	c.program("scripts/tools/sam.sh", "")
	if printed, _ = c.run(false, "../account", "first",
		"canary"); !strings.Contains(printed, "cannot start was deployed") {
		t.Errorf("a canary that does not fail: %s", printed)
	}
	c.run(false, "../account", "first", "rollback")
	c.run(false, "../account", "prod")
	c.run(false, "../account", "first", "none")
}
