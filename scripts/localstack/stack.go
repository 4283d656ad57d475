package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"headless/scripts/internal/sam"
	"headless/scripts/internal/template"
)

// buildDir has the derived template, the built functions and the package. Builds for AWS are in
// another folder.
const buildDir = ".build/localstack"

// stack is one deployment on LocalStack.
type stack struct {
	name     string
	endpoint string // URL of LocalStack
	address  string // URL at which the proxy serves it
}

// deploy derives the template, has SAM build the functions and deploys them. The version is stamped
// into the functions.
func (s stack) deploy(ctx context.Context, version string, parameters []string) error {
	source := filepath.Join(buildDir, "template.json")
	if err := writeDerived("template.yaml", source); err != nil {
		return err
	}
	built := filepath.Join(buildDir, "build")
	if err := s.sam(ctx, []string{"ARCH=" + arch(), "SERVICE_VERSION=" + version}, "build",
		"--template-file", source, "--base-dir", ".", "--build-dir", built, "--build-in-source",
		"--parallel"); err != nil {
		return err
	}
	return s.deployTemplate(ctx, filepath.Join(built, "template.yaml"), parameters)
}

// deployPackage makes the package of a release for this machine and deploys it, as who has no Go
// does: with the files of the package alone, and without `sam build`.
func (s stack) deployPackage(ctx context.Context, version string, parameters []string) error {
	dir := filepath.Join(buildDir, "package")
	cmd := exec.CommandContext(ctx, "make", "package", "PACKAGE="+dir, "ARCH="+arch())
	cmd.Env = append(os.Environ(), "SERVICE_VERSION="+version)
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("make package: %w\n%s", err, output)
	}
	source := filepath.Join(dir, "derived.json")
	if err := writeDerived(filepath.Join(dir, "template.yaml"), source); err != nil {
		return err
	}
	return s.deployTemplate(ctx, source, parameters)
}

// arch is the processor of this machine, which runs the functions.
func arch() string {
	if runtime.GOARCH == "arm64" {
		return "arm64"
	}
	return "x86_64"
}

// deployTemplate deploys a template whose functions are built, and waits until the stack is complete.
func (s stack) deployTemplate(ctx context.Context, template string, parameters []string) error {
	args := []string{"deploy", "--template-file", template, "--stack-name", s.name,
		"--resolve-s3", "--capabilities", "CAPABILITY_IAM", "--no-confirm-changeset",
		"--no-fail-on-empty-changeset", "--no-progressbar",
		"--parameter-overrides", "Architecture=" + arch(), "MediaCdn=false", "MailMode=eml",
		"SiteUrl=" + s.address, "MediaBaseUrl=" + s.address + "/media"}
	return s.sam(ctx, nil, append(args, parameters...)...)
}

// writeDerived writes the template for LocalStack, as JSON, which SAM reads too.
func writeDerived(from, to string) error {
	t, err := template.Load(from)
	if err != nil {
		return err
	}
	if err := derive(t); err != nil {
		return err
	}
	text, err := json.MarshalIndent(t.Root, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}

// delete removes the stack. Its table and its bucket stay, as the template says; in LocalStack they
// are removed with its state.
func (s stack) delete(ctx context.Context) error {
	return s.sam(ctx, nil, "delete", "--stack-name", s.name, "--region", region, "--no-prompts")
}

// outputs reads the outputs of the stack.
func (s stack) outputs(ctx context.Context) (map[string]string, error) {
	return sam.Outputs(ctx, s.name, s.environment())
}

const region = "us-east-1"

// sam runs a command of the SAM CLI and shows its output only when it fails.
func (s stack) sam(ctx context.Context, environment []string, args ...string) error {
	cmd := exec.CommandContext(ctx, sam.Script, append([]string{"run"}, args...)...)
	cmd.Env = append(s.environment(), environment...)
	fmt.Fprintf(os.Stderr, "sam %s %s\n", args[0], s.name)
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("sam %s: %w\n%s", args[0], err, output)
	}
	return nil
}

// environment returns this process's environment with the endpoint of LocalStack, which accepts any
// credentials.
func (s stack) environment() []string {
	return append(os.Environ(),
		"AWS_ENDPOINT_URL="+s.endpoint, "AWS_REGION="+region, "AWS_DEFAULT_REGION="+region,
		"AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test")
}

// variables returns the variables of the functions, for a program that runs beside them.
func (s stack) variables(outputs map[string]string) map[string]string {
	return map[string]string{
		"AWS_ENDPOINT_URL": s.endpoint, "AWS_REGION": region, "AWS_ACCESS_KEY_ID": "test",
		"AWS_SECRET_ACCESS_KEY": "test",
		"SITE_URL":              s.address, "MEDIA_BASE_URL": s.address + "/media",
		"DATA_DIR":   buildDir + "-data",
		"TABLE_NAME": outputs["TableName"], "MEDIA_BUCKET": outputs["MediaBucketName"],
		"WEBHOOK_QUEUE_URL": outputs["WebhookQueueUrl"], "MAIL_QUEUE_URL": outputs["MailQueueUrl"],
	}
}
