// Command localstack deploys the service to LocalStack and serves it at a root URL.
//
//	go run ./scripts/localstack                        deploy to the LocalStack on port 4566 and serve until interrupted
//	go run ./scripts/localstack -start                 the same on a LocalStack of its own, run without containers
//	go run ./scripts/localstack -start -- go test ...  serve while a command runs, delete the stack, exit with its status
//	go run ./scripts/localstack -start -package        the same with the package of a release
//	go run ./scripts/localstack -delete                delete the stack
//
// It derives LocalStack's template from template.yaml, runs `sam build` (or `make package`) and `sam
// deploy`, and replaces what the edition without a licence lacks: a root URL for the API, and the CDN (paths
// below /media come from the bucket). A command finds the URLs in E2E_BASE_URL and
// AWS_ENDPOINT_URL, the names of the resources in TABLE_NAME and MEDIA_BUCKET, and all outputs of
// the stack as STACK_<OutputKey>.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"headless/scripts/internal/emulator"
	"headless/scripts/internal/local"
	"headless/scripts/internal/program"
)

// options are the options of the command line.
type options struct {
	endpoint, listen, stack string
	start, delete           bool
	packaged, upgrade       bool
	parameters              []string
	command                 []string
}

func main() {
	var o options
	flag.StringVar(&o.endpoint, "endpoint", "http://127.0.0.1:4566", "address of a running LocalStack")
	flag.StringVar(&o.listen, "listen", "127.0.0.1:8080", "address to serve the stack at")
	flag.StringVar(&o.stack, "stack", "headless", "name of the stack")
	flag.BoolVar(&o.start, "start", false, "start a LocalStack for the time being (scripts/tools/localstack.sh)")
	flag.BoolVar(&o.delete, "delete", false, "delete the stack and exit")
	flag.BoolVar(&o.packaged, "package", false, "deploy the package of a release (make package) in place of sam build's")
	flag.BoolVar(&o.upgrade, "upgrade", false,
		"after the command, deploy a changed version over the stack and run the command again with E2E_AFTER_UPGRADE set "+
			"to its name")
	flag.Func("param", "template parameter as Name=value; may be repeated", func(v string) error {
		o.parameters = append(o.parameters, v)
		return nil
	})
	flag.Parse()
	o.command = flag.Args()
	program.Main("localstack", func(ctx context.Context) error { return run(ctx, o) })
}

// run deploys, serves, and cleans up what it started.
func run(ctx context.Context, o options) (err error) {
	if o.start {
		host, err := startHost(ctx)
		if err != nil {
			return err
		}
		defer host.Stop()
		o.endpoint = host.URL
	}
	s := stack{name: o.stack, endpoint: o.endpoint}
	if o.delete {
		return s.delete(ctx)
	}
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return err
	}
	// A host name, as in `make dev`: passkeys do not work with an IP address.
	s.address = "http://localhost:" + strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	deploy := s.deploy
	if o.packaged {
		deploy = s.deployPackage
	}
	if err := deploy(ctx, "one", o.parameters); err != nil {
		return err
	}
	server := &http.Server{Handler: s.proxy(), ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	defer server.Close()
	if len(o.command) == 0 {
		outputs, err := s.outputs(ctx)
		if err != nil {
			return err
		}
		if err := local.Ready(ctx, s.variables(outputs), os.Stdout); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case err := <-served:
			return err
		}
	}
	fmt.Printf("ready %s\n", s.address)
	return s.test(ctx, o)
}

// startHost runs LocalStack and waits until it answers.
func startHost(ctx context.Context) (*emulator.Emulator, error) {
	host, err := emulator.Start("localstack")
	if err != nil {
		return nil, err
	}
	if err := host.Wait(ctx, "/_localstack/health", 90*time.Second); err != nil {
		host.Stop()
		return nil, err
	}
	return host, nil
}

// test runs the command on the stack, with -upgrade again on a changed version, and then deletes
// the stack.
func (s stack) test(ctx context.Context, o options) error {
	if err := s.command(ctx, o.command); err != nil {
		return err
	}
	if o.upgrade {
		if err := s.deploy(ctx, "two", append(o.parameters, changed)); err != nil {
			return fmt.Errorf("deploying a changed version: %w", err)
		}
		if err := s.command(ctx, o.command, "E2E_AFTER_UPGRADE=two"); err != nil {
			return fmt.Errorf("after deploying a changed version: %w", err)
		}
	}
	return s.delete(ctx)
}

// changed is the parameter of all functions in which the second version differs.
const changed = "LogLevel=debug"

// command runs a command with the URLs and outputs of the stack in its environment.
func (s stack) command(ctx context.Context, args []string, more ...string) error {
	outputs, err := s.outputs(ctx)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = append(append(s.environment(), "E2E_TARGET=localstack", "E2E_BASE_URL="+s.address,
		"STACK="+s.name,
		"TABLE_NAME="+outputs["TableName"], "MEDIA_BUCKET="+outputs["MediaBucketName"]), more...)
	for key, value := range outputs {
		cmd.Env = append(cmd.Env, "STACK_"+key+"="+value)
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	return nil
}
