// Command restore does the parts of scripts/ci/restore.sh that need more than the AWS CLI.
//
//	restore secrets -from STACK -to STACK             copies the secrets of a stack
//	restore files -from BUCKET -to BUCKET -at TIME    copies the media files as they were at a time
//	restore check -table TABLE -bucket BUCKET -stack STACK
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"headless/pkg/app/awsconf/awss3"
	"headless/pkg/app/recovery"
	"headless/pkg/rooms"
	"headless/pkg/table/dynamo"
	"headless/scripts/internal/program"
)

func main() {
	program.Main("restore", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout) })
}

// flags are those of all parts.
type flags struct{ from, to, at, table, bucket, stack, kmsKey string }

func run(ctx context.Context, args []string, stdout io.Writer) error {
	if len(args) == 0 {
		return errors.New("give secrets, files or check")
	}
	var f flags
	set := flag.NewFlagSet(args[0], flag.ContinueOnError)
	set.StringVar(&f.from, "from", "", "stack or bucket to copy from")
	set.StringVar(&f.to, "to", "", "stack or bucket to copy to")
	set.StringVar(&f.at, "at", "", "time such as 2026-11-20T08:00:00Z")
	set.StringVar(&f.table, "table", "", "restored table")
	set.StringVar(&f.bucket, "bucket", "", "restored bucket")
	set.StringVar(&f.stack, "stack", "", "stack whose keys open the secrets")
	set.StringVar(&f.kmsKey, "kms-key", "", "KMS key of the secrets that are copied")
	if err := set.Parse(args[1:]); err != nil {
		return err
	}
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return err
	}
	switch args[0] {
	case "secrets":
		return f.secrets(cfg, stdout)
	case "files":
		return f.files(ctx, cfg, stdout)
	case "check":
		return f.check(ctx, cfg, stdout)
	}
	return fmt.Errorf("%s: give secrets, files or check", args[0])
}

func (f flags) secrets(cfg aws.Config, stdout io.Writer) error {
	if f.from == "" || f.to == "" {
		return errors.New("secrets: give -from and -to")
	}
	copied, err := recovery.Secrets(cfg, os.Getenv, f.from, f.to, f.kmsKey)
	for _, name := range copied {
		fmt.Fprintln(stdout, "copied", name)
	}
	return err
}

func (f flags) files(ctx context.Context, cfg aws.Config, stdout io.Writer) error {
	at, err := time.Parse(time.RFC3339, f.at)
	if err != nil || f.from == "" || f.to == "" {
		return errors.New("files: give -from, -to and -at such as 2026-11-20T08:00:00Z")
	}
	n, err := recovery.Files(ctx, awss3.New(cfg, os.Getenv), f.from, f.to, at)
	fmt.Fprintln(stdout, "copied", n, "files")
	return err
}

func (f flags) check(ctx context.Context, cfg aws.Config, stdout io.Writer) error {
	if f.table == "" || f.bucket == "" || f.stack == "" {
		return errors.New("check: give -table, -bucket and -stack")
	}
	client := dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) {
		o.DisableValidateResponseChecksum = true // DynamoDB Local sends wrong ones with its errors
	})
	st := rooms.New(dynamo.New(client, f.table), time.Now)
	defer st.Close()
	report, err := recovery.Check(ctx, st, recovery.Bucket(awss3.New(cfg, os.Getenv), f.bucket),
		recovery.Keys(cfg, os.Getenv, f.stack))
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%d users, %d files\n", report.Users, report.Files)
	return report.Err()
}
