package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"

	"headless/pkg/access"
	"headless/pkg/access/passwords"
	"headless/pkg/rooms"
	"headless/pkg/site"
	"headless/pkg/table/bolt"
	"headless/pkg/table/dynamo"
	"headless/scripts/cms/command"
)

// store names the stored data for commands that need no running service: a table on AWS, or the
// data folder of an embedded server.
type store struct{ table, data string }

// flags adds the flags that name a store to a command.
func (s *store) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.table, "table", os.Getenv("TABLE_NAME"),
		"work straight on this DynamoDB table (output TableName of the stack) with your AWS credentials")
	cmd.Flags().StringVar(&s.data, "data", "",
		"work straight on this data folder of an embedded server, which must be stopped")
	cmd.MarkFlagsMutuallyExclusive("table", "data")
}

func (s store) given() bool { return s != store{} }

// asFlag returns the flag that names the store, with a space before it; "" if none is given.
func (s store) asFlag() string {
	switch {
	case s.table != "":
		return " --table " + s.table
	case s.data != "":
		return " --data " + s.data
	}
	return ""
}

// use opens the stored data for do. An error of either is a failure; that no store is given is wrong usage.
func (s store) use(ctx context.Context, do func(*rooms.Stores) error) error {
	if !s.given() {
		return errors.New("give --table or --data")
	}
	st, err := s.open(ctx)
	if err != nil {
		return command.Failed(err)
	}
	defer st.Close()
	return command.Failed(do(st))
}

func (s store) open(ctx context.Context) (*rooms.Stores, error) {
	if s.data != "" {
		table, err := bolt.Open(filepath.Join(s.data, "table.db"))
		if err != nil {
			return nil, err
		}
		return rooms.New(table, time.Now), nil
	}
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return nil, err
	}
	client := dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) {
		o.DisableValidateResponseChecksum = true // DynamoDB Local sends wrong ones with its errors
	})
	return rooms.New(dynamo.New(client, s.table), time.Now), nil
}

// createFirst creates the first user, an admin. If there is a user already, it changes nothing.
func (s store) createFirst(ctx context.Context, email, password string) error {
	return s.use(ctx, func(st *rooms.Stores) error {
		if err := (&site.Locales{Store: st.Site}).EnsureDefault(ctx); err != nil {
			return err
		}
		users := &access.Users{Store: st.Access, Passwords: passwords.New(0)}
		created, generated, err := users.EnsureFirst(ctx, email, password)
		switch {
		case err != nil:
			return err
		case !created:
			fmt.Fprintln(command.Stdout, nobodyNew)
			return nil
		default:
			return printUser("Created", email, generated, s)
		}
	})
}

// nobodyNew is printed if a command for the first user finds a user.
const nobodyNew = "There is a user already; nothing was changed. Run cms users reset for a new password."

// linkFirst prints a one-time link for the first admin. If there is a user already, it changes
// nothing.
func (s store) linkFirst(ctx context.Context, email, address string) error {
	if u, err := url.Parse(address); err != nil || u.Host == "" {
		return command.Failed(fmt.Errorf("--link %s: must be an address such as https://cms.example.com", address))
	}
	return s.use(ctx, func(st *rooms.Stores) error {
		if err := (&site.Locales{Store: st.Site}).EnsureDefault(ctx); err != nil {
			return err
		}
		token, err := (&access.Invitations{Store: st.Access}).InviteFirst(ctx, email)
		switch {
		case err != nil:
			return err
		case token == "":
			fmt.Fprintln(command.Stdout, nobodyNew)
			return nil
		default:
			return command.PrintOnce(fmt.Sprintf("Choose the password of %s within a day; the link works once:\n%s%s%s\n",
				email, strings.TrimSuffix(address, "/"), "/admin/invitations/accept?token=", token), "Run it again")
		}
	})
}

// reset gives a user a new password, removes the second factor and unlocks the account.
func (s store) reset(ctx context.Context, email, password string) error {
	return s.use(ctx, func(st *rooms.Stores) error {
		return (&access.Sessions{Store: st.Access, Passwords: passwords.New(0)}).ForcePassword(ctx, email, password)
	})
}
