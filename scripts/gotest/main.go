// Command gotest runs `go test` with its arguments and prints the same output: a line for each
// package, and the output of failed tests. It counts the tests, including subtests, and adds the
// counts to the file named by GOTEST_TOTALS, so that a run of several steps can end with one
// summary:
//
//	GOTEST_TOTALS=file go run ./scripts/gotest -race ./...
//	GOTEST_TOTALS=file go run ./scripts/gotest -total
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

func main() {
	code, err := run(os.Args[1:], os.Getenv("GOTEST_TOTALS"), os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// run returns the exit status: that of go test, or 1 if the totals have a failure.
func run(args []string, totals string, stdout io.Writer) (int, error) {
	if len(args) == 1 && args[0] == "-total" {
		sum, err := readTotals(totals)
		if err != nil {
			return 1, err
		}
		if sum.Skipped > 0 {
			fmt.Fprintf(stdout, "%d skipped\n", sum.Skipped)
		}
		fmt.Fprintln(stdout, sum)
		return min(sum.Failed, 1), nil
	}
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = os.Stderr
	events, err := cmd.StdoutPipe()
	if err != nil {
		return 1, err
	}
	if err := cmd.Start(); err != nil {
		return 1, err
	}
	sum, reportErr := report(events, stdout)
	var exit *exec.ExitError
	code := 0
	if err := cmd.Wait(); errors.As(err, &exit) {
		code = max(exit.ExitCode(), 1)
	} else if err != nil {
		return 1, err
	}
	if code != 0 && sum.Failed == 0 {
		sum.Failed = 1 // go test failed before any test ran
	}
	return code, errors.Join(reportErr, addTotals(totals, sum))
}
