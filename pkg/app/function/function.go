// Package function has what all functions on AWS wire in the same way: the configuration, the
// table, and the serving of requests. Each function has a subpackage, which links only what that
// function uses.
package function

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"headless/pkg/apikeys"
	"headless/pkg/app"
	"headless/pkg/app/awsconf"
	"headless/pkg/app/awsconf/awsdynamodb"
	"headless/pkg/table/dynamo"
	"headless/pkg/web"
)

// Base has the parts that every function needs.
type Base struct {
	Config app.Config
	AWS    aws.Config
	Log    *slog.Logger
	Keys   *apikeys.Store // includes the site and the database
	Getenv func(string) string
}

// Main starts a function; start must not return before the function ends. An error ends the
// process, which Lambda reports as a failed start.
func Main(start func(*Base) error) {
	limitMemory(os.Getenv("AWS_LAMBDA_FUNCTION_MEMORY_SIZE"))
	if err := runFunction(os.Getenv, start); err != nil {
		slog.New(slog.NewJSONHandler(os.Stderr, nil)).Error("start", "error", err.Error())
		os.Exit(1)
	}
}

func runFunction(getenv func(string) string, start func(*Base) error) error {
	b, err := Open(getenv)
	if err != nil {
		return err
	}
	return start(b)
}

// Open reads the configuration and opens the table. It makes no request.
func Open(getenv func(string) string) (*Base, error) {
	b := &Base{Getenv: getenv}
	var err error
	if b.Config, err = app.FromEnv(getenv); err != nil {
		return nil, err
	}
	b.Config.Port = ""            // a function does not listen on a port
	if getenv("SITE_URL") == "" { // then the URL of the requests is used
		b.Config.SiteURL = ""
	}
	if b.Log = b.Config.Logger(); web.Version() != "" {
		b.Log = b.Log.With("version", web.Version())
	}
	if b.AWS, err = awsconf.Config(getenv); err != nil {
		return nil, err
	}
	name, err := b.Need("TABLE_NAME")
	if err != nil {
		return nil, err
	}
	b.Keys = apikeys.New(dynamo.New(awsdynamodb.New(b.AWS, getenv), name), time.Now)
	b.Keys.ActivityDays = b.Config.ActivityDays
	return b, nil
}

// Need returns a variable that the template must set for this function.
func (b *Base) Need(name string) (string, error) {
	if v := b.Getenv(name); v != "" {
		return v, nil
	}
	return "", fmt.Errorf("%s is not set", name)
}

// warmTimeout limits the first read. If it fails, the first request opens the connection.
const warmTimeout = 2 * time.Second

// Warm reads the configuration of the site, so that the connection to the table is open before the
// first request: Lambda gives the start of a function more processor time than its requests.
func (b *Base) Warm() {
	ctx, cancel := context.WithTimeout(context.Background(), warmTimeout)
	defer cancel()
	if _, err := b.Keys.Site(ctx); err != nil {
		b.Log.Warn("first read", "error", err.Error())
	}
}
