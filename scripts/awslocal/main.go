// Command awslocal runs the built functions on one machine as AWS would: requests by the routes of
// template.yaml, records of the table's stream, messages of the queues and the schedule reach them
// as events, under a Lambda Runtime API. Table, bucket, queues and mail are emulators; a cache with
// invalidation by tag is in front of the delivery API.
//
//	go run ./scripts/awslocal -start                     on emulators of its own, until interrupted
//	go run ./scripts/awslocal -start -- go test ...      serve while a command runs, exit with its status
//	go run ./scripts/awslocal -dynamodb URL -s3 URL -sqs URL -sesv2 URL -ssm URL
//
// A command finds the URL of the service in E2E_BASE_URL, the endpoints in AWS_ENDPOINT_URL_*, and
// the variables of the functions (TABLE_NAME, MEDIA_BUCKET and others). POST
// /_awslocal/invoke/<LogicalId> invokes a function with the body as its event, or without a body as
// its schedule would.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"headless/scripts/internal/local"
	"headless/scripts/internal/program"
)

// options are the options of the command line.
type options struct {
	template, listen, prefix, log string
	built                         string // folder of built functions; "": build them
	start, edge                   bool
	copies                        int
	// every replaces the intervals of schedules; 0 keeps those of the template.
	every                 time.Duration
	endpoints             map[string]string // by the suffix of AWS_ENDPOINT_URL_
	parameters, variables map[string]string
	command               []string
}

func main() {
	o := options{endpoints: map[string]string{}, parameters: map[string]string{}, variables: map[string]string{}}
	flag.StringVar(&o.template, "template", "template.yaml", "template to take functions, routes and resources from")
	flag.StringVar(&o.listen, "listen", "127.0.0.1:3000", "address to serve at")
	flag.StringVar(&o.prefix, "prefix", "headless", "what the names of the resources begin with")
	flag.StringVar(&o.log, "log", "", "file for the functions' log lines; standard error by default")
	flag.StringVar(&o.built, "built", "",
		"folder of built functions by logical id, such as .aws-sam/build; without it they are built")
	flag.BoolVar(&o.start, "start", false, "start the emulators (scripts/tools)")
	flag.BoolVar(&o.edge, "edge", false,
		"put the CDN before the API and the admin area too, as one domain for all does")
	flag.IntVar(&o.copies, "copies", 8, "most processes of one function")
	flag.DurationVar(&o.every, "every", 0, "interval of scheduled functions, in place of the template's")
	for _, service := range []string{"DYNAMODB", "S3", "SQS", "SESV2", "SSM"} {
		flag.Func(strings.ToLower(service), "endpoint of the service", func(v string) error {
			o.endpoints[service] = v
			return nil
		})
	}
	flag.Func("param", "template parameter as Name=value; may be repeated", pair(o.parameters))
	flag.Func("env", "variable NAME=value for every function; may be repeated", pair(o.variables))
	flag.Parse()
	o.command = flag.Args()
	program.Main("awslocal", func(ctx context.Context) error { return run(ctx, o, os.Stdout) })
}

func pair(into map[string]string) func(string) error {
	return func(v string) error {
		name, value, ok := strings.Cut(v, "=")
		if !ok {
			return errors.New("expected name=value")
		}
		into[name] = value
		return nil
	}
}

// run serves until ctx is done or the command has ended.
func run(ctx context.Context, o options, stdout io.Writer) error {
	if o.start {
		e, err := startEmulators(ctx)
		if err != nil {
			return err
		}
		defer e.stop()
		o.endpoints = e.addresses
	}
	log := io.Writer(os.Stderr)
	if o.log != "" {
		file, err := os.Create(o.log)
		if err != nil {
			return err
		}
		defer file.Close()
		log = file
	}
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return err
	}
	// A host name, as in `make dev`: passkeys do not work with an IP address.
	address := "http://localhost:" + strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d, err := deploy(ctx, o, address, log)
	if err != nil {
		return err
	}
	defer d.close()
	d.pump(ctx, o.every)
	server := &http.Server{Handler: d.handler(), ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	defer server.Close()
	if len(o.command) > 0 {
		fmt.Fprintf(stdout, "ready %s\n", address)
		return d.command(ctx, o.command)
	}
	variables := d.environment()
	variables["DATA_DIR"] = buildDir + "-data"
	if err := local.Ready(ctx, variables, stdout); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return nil
	case err := <-served:
		return err
	}
}
