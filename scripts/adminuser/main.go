// Command adminuser makes the first user of the admin area of a deployed service, straight in its table.
//
//	go run ./scripts/adminuser -table NAME -email you@example.com
//
// It uses AWS credentials like any AWS tool (profile, environment, single sign-on) and needs the right to read and write the table, whose
// name is the output TableName of the stack. The password is read from ADMIN_PASSWORD, or made up and printed. Where there is a user already it changes nothing.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"headless/pkg/service"
	"headless/pkg/store"
	"headless/pkg/table/dynamo"
)

func main() {
	table := flag.String("table", os.Getenv("TABLE_NAME"), "name of the table")
	email := flag.String("email", "", "address that the user signs in with")
	flag.Parse()
	if err := run(context.Background(), *table, *email, os.Getenv("ADMIN_PASSWORD"), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "adminuser:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, table, email, password string, stdout io.Writer) error {
	if table == "" || email == "" {
		return errors.New("-table and -email are needed")
	}
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return err
	}
	client := dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) {
		o.DisableValidateResponseChecksum = true // DynamoDB Local sends wrong ones with its errors
	})
	st := store.New(dynamo.New(client, table), time.Now)
	if err := (&service.Locales{Store: st}).EnsureDefault(ctx); err != nil {
		return err
	}
	users := &service.Users{Store: st, Passwords: service.NewPasswords(0)}
	created, generated, err := users.EnsureFirst(ctx, email, password)
	switch {
	case err != nil:
		return err
	case !created:
		fmt.Fprintln(stdout, "there is a user already; nothing was changed")
	case generated != "":
		fmt.Fprintf(stdout, "made the user %s with the password %s\n", email, generated)
	default:
		fmt.Fprintf(stdout, "made the user %s\n", email)
	}
	return nil
}
