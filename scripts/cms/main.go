// Command cms works on a service from a terminal or a pipeline: schema as code, export, import and
// promotion. Run "cms help".
package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"headless/pkg/web"
	"headless/scripts/cms/command"
	"headless/scripts/cms/exporting"
	"headless/scripts/cms/importing"
	"headless/scripts/cms/promoting"
	"headless/scripts/cms/schema"
	"headless/scripts/cms/starting"
)

// Exit codes.
const (
	exitFailed  = 1 // something failed, or a record was not imported
	exitUsage   = 2
	exitChanges = 3 // of schema plan --exit-code
)

func main() { os.Exit(run(os.Args[1:])) }

// run runs one command line and returns its exit code.
func run(args []string) int {
	root := rootCommand()
	root.SetArgs(args)
	cmd, err := root.ExecuteC()
	var failed command.Failure
	switch {
	case err == nil:
		return 0
	case errors.Is(err, command.ErrChanges):
		return exitChanges
	case errors.As(err, &failed):
		fmt.Fprintln(os.Stderr, "cms:", err)
		return exitFailed
	}
	usage := cmd.UseLine()
	if cmd.HasSubCommands() {
		usage = cmd.CommandPath() + " COMMAND"
	}
	fmt.Fprintf(os.Stderr, "cms: %v\nUsage: %s\nRun \"%s --help\" for more.\n", err, usage, cmd.CommandPath())
	return exitUsage
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use: "cms", Short: "Work on a headless content service",
		Long: "Work on a headless content service.\n\nThe service is CMS_URL, with CMS_TOKEN or with " +
			"CMS_EMAIL and CMS_PASSWORD, or the one of cms login, or with --profile NAME the one of cms login --profile NAME.\n" +
			"Exit codes: 0 done, 1 failed or a record was not taken, 2 wrong usage, 3 changes (schema plan --exit-code).",
		SilenceUsage: true, SilenceErrors: true, Version: cmp.Or(web.Version(), "devel"),
	}
	root.AddCommand(starting.Command(), loginCommand(openBrowser), typesCommand(), schema.Command(), exporting.Command(),
		importing.Command(), promoting.Command(),
		entriesCommand(), filesCommand(), csvCommand(), keysCommand(), usersCommand(), secretsCommand(), outboxCommand(),
		devCommand(), openCommand(openBrowser), doctorCommand(), listenCommand())
	command.ProfileFlag(root)
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.HasSubCommands() && !cmd.Runnable() {
			cmd.RunE, cmd.SuggestionsMinimumDistance = helpOnly, 1
		}
	}
	return root
}

// helpOnly runs a command that only has subcommands. It prints the help and refuses unknown names.
func helpOnly(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		err := fmt.Errorf("unknown command %q for %q", args[0], cmd.CommandPath())
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			err = fmt.Errorf("%w. Did you mean %s?", err, strings.Join(near, " or "))
		}
		return err
	}
	return cmd.Help()
}
