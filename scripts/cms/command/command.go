package command

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"headless/scripts/cms/client"
)

// ErrChanges is the error of schema plan --exit-code if there are changes.
var ErrChanges = errors.New("there are changes")

// Failure is an error of a command whose usage was correct.
type Failure struct{ error }

// Unwrap returns the wrapped error.
func (f Failure) Unwrap() error { return f.error }

// ProfileFlag adds the flag --profile to all commands of a program. A wrong name is wrong usage.
func ProfileFlag(root *cobra.Command) {
	root.PersistentFlags().String("profile", os.Getenv("CMS_PROFILE"),
		"name of a session that cms login --profile keeps")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return client.CheckProfile(Profile(cmd)) }
}

// Profile returns the profile that a command uses, "" for the one without a name.
func Profile(cmd *cobra.Command) string {
	flag := cmd.Flag("profile")
	if flag == nil {
		return ""
	}
	return flag.Value.String()
}

// Work returns a function that runs a command with a client of the service. Its errors are
// failures, not wrong usage.
func Work(use func(c *client.Client, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		c, err := client.Connect(Profile(cmd))
		if err == nil {
			err = use(c, args)
		}
		return Failed(err)
	}
}

// Failed marks an error as a failure of a command whose usage was correct. nil stays nil.
func Failed(err error) error {
	if err == nil {
		return nil
	}
	return Failure{err}
}
