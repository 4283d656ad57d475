package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
)

// openCommand opens the admin area. show opens a page in the browser.
func openCommand(show func(address string)) *cobra.Command {
	return &cobra.Command{
		Use: "open [PATH]", Short: "Open the admin area in the browser", Args: cobra.MaximumNArgs(1),
		Long:    "Print the address of a page of the admin area, and open it in the browser.",
		Example: "  cms open\n  cms open models/posts/entries",
		RunE: command.Work(func(c *client.Client, args []string) error {
			address := strings.TrimSuffix(c.Root, "/") + "/admin/" + strings.TrimPrefix(strings.Join(args, ""), "/")
			fmt.Fprintln(command.Stdout, address)
			show(address)
			return nil
		}),
	}
}
