// Command cms works on a service from a terminal or a pipeline: schema as code, export, import and
// promotion. Run "cms help".
package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"headless/pkg/slice"
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
	if lost := command.Stdout.TakeError(); lost != nil && !errors.As(err, &failed) {
		err = command.Failed(lost)
	}
	switch {
	case err == nil:
		return 0
	case errors.Is(err, command.ErrChanges):
		return exitChanges
	case errors.As(err, &failed):
		fmt.Fprintln(os.Stderr, "cms:", err)
		return exitFailed
	}
	fmt.Fprintf(os.Stderr, "cms: %v\nUsage: %s\nRun \"%s --help\" for more.\n", err, usageOf(cmd), cmd.CommandPath())
	return exitUsage
}

// usageOf returns the line that says how to call a command, with the names of its subcommands.
func usageOf(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return "cms COMMAND"
	}
	names := slice.Map(cmd.Commands(), func(sub *cobra.Command) string { return sub.Name() })
	switch subcommands := cmd.CommandPath() + " " + strings.Join(names, "|"); {
	case len(names) == 0:
		return cmd.UseLine()
	case cmd.Use != cmd.Name(): // import does something by itself, too
		return cmd.UseLine() + ", or " + subcommands
	default:
		return subcommands
	}
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use: "cms", Short: "Work on a headless content service",
		Long: "Work on a headless content service.\n\nThe service is CMS_URL, with CMS_TOKEN or with " +
			"CMS_EMAIL and CMS_PASSWORD, or that of cms dev in this folder, or the one of cms login.\n" +
			"With --profile NAME it is the one of cms login --profile NAME.\n" +
			"Exit codes: 0 done, 1 failed or a record was not taken, 2 wrong usage, 3 changes (schema plan --exit-code).",
		SilenceUsage: true, SilenceErrors: true, Version: ownVersion(),
	}
	root.AddCommand(starting.Command(), loginCommand(openBrowser), typesCommand(), schema.Command(), exporting.Command(),
		importing.Command(), promoting.Command(),
		entriesCommand(), filesCommand(), csvCommand(), keysCommand(), usersCommand(), secretsCommand(), outboxCommand(),
		devCommand(), openCommand(openBrowser), doctorCommand(), listenCommand())
	command.ProfileFlag(root)
	root.SetOut(command.Stdout)
	root.SetHelpCommand(helpCommand())
	root.SuggestionsMinimumDistance = 2
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if slices.Contains(localCommands, cmd.Name()) {
			hideProfile(cmd)
		}
		if cmd.HasSubCommands() && !cmd.Runnable() {
			cmd.RunE, cmd.SuggestionsMinimumDistance = helpOnly, 1
		}
	}
	return root
}

// localCommands work on no service by its address.
var localCommands = []string{"init", "dev", "secrets", "outbox", "completion"}

// hideProfile leaves the flag --profile out of the help of a command and of those below it.
func hideProfile(cmd *cobra.Command) {
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		cmd.Flag("profile").Hidden = true
		cmd.Root().HelpFunc()(cmd, args)
	})
}

// helpCommand prints the help of a command, and refuses unknown names.
func helpCommand() *cobra.Command {
	return &cobra.Command{Use: "help [COMMAND]", Short: "Show the help of a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil {
				rest = args
			}
			return helpOnly(found, rest)
		}}
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

// ownVersion returns the version of this program.
func ownVersion() string { return cmp.Or(web.Version(), "devel") }
