package command

import (
	"errors"

	"github.com/spf13/cobra"

	"headless/scripts/cms/client"
)

// ErrChanges ends schema plan --exit-code where there are changes.
var ErrChanges = errors.New("there are changes")

// Failure is an error of a command that was used rightly.
type Failure struct{ error }

// Unwrap is the error itself.
func (f Failure) Unwrap() error { return f.error }

// Work runs a command on the service; its errors are failures, not wrong usage.
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
