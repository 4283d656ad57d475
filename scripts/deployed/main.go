// Command deployed runs tests on a stack that is deployed already, such as one of a pull request or
// the production stage after a deployment.
//
//	go run ./scripts/deployed -stack headless-dev -- go test -count=1 ./scripts/e2e
//
// The command finds the address of the service in E2E_BASE_URL, the names of resources in
// TABLE_NAME and MEDIA_BUCKET, the address of CloudFront in E2E_EDGE_URL, and deployed in E2E_TARGET. Region and
// credentials are those of the AWS CLI; AWS_ENDPOINT_URL leads to LocalStack.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"

	"headless/scripts/internal/program"
	"headless/scripts/internal/sam"
)

func main() {
	stack := flag.String("stack", "", "name of the stack")
	url := flag.String("url", "", "root address of the service; that of the stack by default")
	flag.Parse()
	program.Main("deployed", func(ctx context.Context) error { return run(ctx, *stack, *url, flag.Args()) })
}

func run(ctx context.Context, stack, url string, command []string) error {
	if stack == "" || len(command) == 0 {
		return errors.New("a stack (-stack) and a command are needed")
	}
	outputs, err := sam.Outputs(ctx, stack, os.Environ())
	if err != nil {
		return fmt.Errorf("%v", err) // it is not the command that failed
	}
	environment, err := environment(outputs, url)
	if err != nil {
		return fmt.Errorf("%s: %w", stack, err)
	}
	fmt.Fprintf(os.Stderr, "testing %s at %s\n", stack, cmp.Or(url, outputs["ApiUrl"]))
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdout, cmd.Stderr, cmd.Env = os.Stdout, os.Stderr, append(os.Environ(), environment...)
	return cmd.Run()
}

// environment tells the tests what the outputs of the stack say.
func environment(outputs map[string]string, url string) ([]string, error) {
	all := []string{"E2E_TARGET=deployed", "E2E_EDGE_URL=" + outputs["DeliveryUrl"]}
	for _, v := range []struct{ name, value, output string }{
		{"E2E_BASE_URL", url, "ApiUrl"}, {"TABLE_NAME", "", "TableName"},
		{"MEDIA_BUCKET", "", "MediaBucketName"},
	} {
		value := cmp.Or(v.value, outputs[v.output])
		if value == "" {
			return nil, fmt.Errorf("the stack has no output %s", v.output)
		}
		all = append(all, v.name+"="+value)
	}
	return all, nil
}
