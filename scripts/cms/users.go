package main

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"headless/pkg/access/passwords"
	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
)

// user is a user as the service returns it.
type user struct {
	ID       string `json:"id"`
	Email    string `json:"email"`
	Name     string `json:"name"`
	Role     string `json:"role"`
	IsActive bool   `json:"is_active"`
}

func usersCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "users", Short: "List and create users of the admin area, and reset their passwords",
		Long: "List and create users of the admin area, and reset their passwords.\n\n" +
			"The first user of a deployed service, and an admin who lost everything, need --table or --data:\n" +
			"they work straight on the stored users, without signing in.",
	}
	cmd.AddCommand(listUsersCommand(), createUserCommand(), resetUserCommand())
	return cmd
}

func listUsersCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the users", Args: cobra.NoArgs, Example: "  cms users list --json",
		RunE: command.Work(func(c *client.Client, _ []string) error {
			return command.PrintList(c, "/admin/users", url.Values{}, asJSON, []string{"email", "name", "role", "is_active"})
		}),
	}
	command.JSONFlag(cmd, &asJSON)
	return cmd
}

func createUserCommand() *cobra.Command {
	var in user
	var at store
	var link string
	cmd := &cobra.Command{
		Use: "create EMAIL", Short: "Create a user", Args: cobra.ExactArgs(1),
		Long: "Create a user. The password is ADMIN_PASSWORD, or made up and printed once. With --table or --data\n" +
			"it is the first user, an admin; where there is a user already nothing changes. With --link it prints\n" +
			"a link to choose the password at, which works once and for a day; a repeated call makes a new link.",
		Example: "  cms users create ed@example.com --role editor\n  cms users create you@example.com " +
			"--table headless-Table-1A2B --link https://cms.example.com",
		RunE: func(cmd *cobra.Command, args []string) error {
			password := os.Getenv("ADMIN_PASSWORD")
			switch {
			case link != "" && !at.given():
				return errors.New("--link needs --table or --data")
			case link != "":
				return at.linkFirst(cmd.Context(), args[0], link)
			case at.given():
				return at.createFirst(cmd.Context(), args[0], password)
			}
			return command.Work(func(c *client.Client, args []string) error {
				in.Email = args[0]
				return createUser(c, in, password)
			})(cmd, args)
		},
	}
	cmd.Flags().StringVar(&in.Name, "name", "", "name of the user")
	cmd.Flags().StringVar(&in.Role, "role", "editor", "slug of a role: admin, editor, viewer or one of your own")
	cmd.Flags().StringVar(&link, "link", "",
		"address of the service (output ApiUrl): print a one-time link in place of a password")
	at.flags(cmd)
	return cmd
}

func createUser(c *client.Client, in user, password string) error {
	password, made := orNew(password)
	body := map[string]string{"email": in.Email, "name": in.Name, "role": in.Role, "password": password}
	if err := c.JSON(http.MethodPost, "/admin/users", body, nil); err != nil {
		return err
	}
	return printUser("Created", in.Email, made, store{})
}

// orNew returns password, or a new one if it is empty. made is the new password, "" for a given one.
func orNew(password string) (used, made string) {
	if password == "" {
		made = passwords.Generate()
	}
	return cmp.Or(password, made), made
}

// printUser prints the change of a user of a store, with the generated password, "" if the caller chose one.
func printUser(done, email, made string, at store) error {
	if made == "" {
		fmt.Fprintf(command.Stdout, "%s the user %s\n", done, email)
		return nil
	}
	return command.PrintOnce(fmt.Sprintf("%s the user %s with the password %s\n", done, email, made),
		"Run cms users reset "+email+at.asFlag()+" for another password")
}

func resetUserCommand() *cobra.Command {
	var at store
	cmd := &cobra.Command{
		Use: "reset EMAIL", Short: "Give a user a new password and remove the second factor",
		Args: cobra.ExactArgs(1),
		Long: "Give a user a new password, remove the second factor and end all sessions. The password is\n" +
			"ADMIN_PASSWORD, or made up and printed once. With --table or --data nobody needs to be signed in, and\n" +
			"the account is unlocked too.",
		Example: "  cms users reset ed@example.com\n  cms users reset you@example.com --data .data",
		RunE: func(cmd *cobra.Command, args []string) error {
			password, made := orNew(os.Getenv("ADMIN_PASSWORD"))
			if at.given() {
				if err := at.reset(cmd.Context(), args[0], password); err != nil {
					return err
				}
			} else if err := command.Work(func(c *client.Client, args []string) error {
				return resetUser(c, args[0], password)
			})(cmd, args); err != nil {
				return err
			}
			return command.Failed(printUser("Reset", args[0], made, at))
		},
	}
	at.flags(cmd)
	return cmd
}

// resetUser gives a user a password through the service, and removes the second factor if there is
// one.
func resetUser(c *client.Client, email, password string) error {
	var found *user
	err := client.Each(c, "/admin/users", url.Values{}, func(u user) error {
		if strings.EqualFold(u.Email, email) {
			found = &u
		}
		return nil
	})
	if err != nil {
		return err
	}
	if found == nil {
		return fmt.Errorf("there is no user %s", email)
	}
	path := "/admin/users/" + url.PathEscape(found.ID)
	if err := c.JSON(http.MethodPut, path, map[string]string{"password": password}, nil); err != nil {
		return err
	}
	err = c.JSON(http.MethodDelete, path+"/totp", nil, nil)
	if client.IsUnknown(err) {
		return nil
	}
	return err
}
