// Command cms works on a service from a terminal or a pipeline: schema as code, export, import and
// promotion. Run "cms help".
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitFailed  = 1 // something failed, or a record was not taken
	exitUsage   = 2
	exitChanges = 3 // of schema plan --exit-code
)

// errChanges ends schema plan --exit-code where there are changes.
var errChanges = errors.New("there are changes")

// failure is an error of a command that was used rightly.
type failure struct{ error }

// Unwrap is the error itself.
func (f failure) Unwrap() error { return f.error }

func main() { os.Exit(run(os.Args[1:])) }

// run runs one command line and gives its exit code.
func run(args []string) int {
	root := rootCommand()
	root.SetArgs(args)
	err := root.Execute()
	var failed failure
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errChanges):
		return exitChanges
	case errors.As(err, &failed):
		fmt.Fprintln(os.Stderr, "cms:", err)
		return exitFailed
	}
	fmt.Fprintln(os.Stderr, "cms:", err)
	return exitUsage
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use: "cms", Short: "Work on a headless content service",
		Long: "Work on a headless content service.\n\nThe service is CMS_URL, with CMS_TOKEN or with " +
			"CMS_EMAIL and CMS_PASSWORD, or the one of cms login.\n" +
			"Exit codes: 0 done, 1 failed or a record was not taken, 2 wrong usage, 3 changes (schema plan --exit-code).",
		SilenceUsage: true, SilenceErrors: true,
	}
	root.AddCommand(loginCommand(), typesCommand(), schemaCommand(), exportCommand(),
		importCommand(), promoteCommand(),
		keysCommand(), usersCommand(), secretsCommand(), outboxCommand(), devCommand())
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.HasSubCommands() && !cmd.Runnable() {
			cmd.RunE = helpOnly
		}
	}
	return root
}

// helpOnly runs a command that only has others below it: it refuses names that are none of these.
func helpOnly(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unknown command %q for %q", args[0], cmd.CommandPath())
	}
	return cmd.Help()
}

// work runs a command on the service; its errors are failures, not wrong usage.
func work(use func(c *client, args []string) error) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		c, err := connect()
		if err == nil {
			err = use(c, args)
		}
		if err != nil {
			return failure{err}
		}
		return nil
	}
}

func loginCommand() *cobra.Command {
	var email string
	cmd := &cobra.Command{
		Use: "login URL", Short: "Sign in, and keep the session for later commands", Args: cobra.ExactArgs(1),
		Example: "  CMS_PASSWORD=… cms login https://cms.example.com --email me@example.com",
		RunE: func(_ *cobra.Command, args []string) error {
			c := &client{root: args[0]}
			if err := c.login(email, os.Getenv("CMS_PASSWORD")); err != nil {
				return failure{err}
			}
			if err := keep(session{args[0], c.token}); err != nil {
				return failure{err}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&email, "email", os.Getenv("CMS_EMAIL"),
		"address of the user; the password is CMS_PASSWORD")
	return cmd
}

// keep writes the session file, which nobody else may read.
func keep(s session) error {
	file, err := sessionFile()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		return err
	}
	return os.Chmod(file, 0o600)
}
