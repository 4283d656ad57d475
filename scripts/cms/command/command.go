package command

import (
	"errors"

	"github.com/spf13/cobra"

	"headless/scripts/cms/client"
)

// ErrChanges is the error of schema plan --exit-code if there are changes.
var ErrChanges = errors.New("there are changes")

// Failure is an error of a command whose usage was correct.
type Failure struct{ error }

// Unwrap returns the wrapped error.
func (f Failure) Unwrap() error { return f.error }

// Work returns a function that runs a command with a client of the service. Its errors are
// failures, not wrong usage.
func Work(use func(c *client.Client, args []string) error) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		c, err := client.Connect()
		if err == nil {
			err = use(c, args)
		}
		if err != nil {
			return Failure{err}
		}
		return nil
	}
}
