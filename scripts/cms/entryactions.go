package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"headless/pkg/planning/bulk"
	"headless/pkg/slice"
	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
)

func publishCommand() *cobra.Command {
	return eachEntryCommand(entryAction{name: "publish", short: "Publish entries, with their drafts", done: "published",
		method: http.MethodPost, path: "/publish"})
}

func unpublishCommand() *cobra.Command {
	return eachEntryCommand(entryAction{name: "unpublish", short: "Take entries out of the public", done: "unpublished",
		method: http.MethodPost, path: "/unpublish", leaves: true})
}

func deleteCommand() *cobra.Command {
	return eachEntryCommand(entryAction{name: "delete", short: "Put entries into the trash", done: "deleted",
		method: http.MethodDelete, leaves: true})
}

// entryAction is the action of a command on each entry that it names.
type entryAction struct {
	name, short, done string
	method, path      string // path is added to that of the entry
	leaves            bool   // entries below the entry may stand in its way
}

// eachEntryCommand returns the command that does something to entries, one after the other. An entry
// that fails does not stop the others.
func eachEntryCommand(a entryAction) *cobra.Command {
	var locale, children string
	cmd := &cobra.Command{
		Use: a.name + " MODEL ID|SLUG...", Short: a.short, Args: cobra.MinimumNArgs(2),
		Example: "  cms entries " + a.name + " posts why-we-oil",
		RunE: command.Work(func(c *client.Client, args []string) error {
			var failed []error
			for _, name := range args[1:] {
				if err := a.do(c, args[0], name, locale, children); err != nil {
					failed = append(failed, fmt.Errorf("%s: %w", name, err))
					continue
				}
				fmt.Fprintln(command.Stdout, a.done, name)
			}
			return errors.Join(failed...)
		}),
	}
	cmd.Flags().StringVar(&locale, "locale", "any", "code of the locale of the slugs, or any")
	if a.leaves {
		cmd.Flags().StringVar(&children, "children", "",
			"entries below it: up moves them to its parent, down takes them along")
		cmd.Example += "\n  cms entries " + a.name + " pages products --children up"
	}
	return cmd
}

// do does the action to one entry. It waits for the job that takes the entries below along.
func (a entryAction) do(c *client.Client, model, name, locale, children string) error {
	id, err := entryID(c, model, name, locale)
	if err != nil {
		return err
	}
	path := client.EntriesPath(model) + "/" + id + a.path
	if children != "" {
		path += "?children=" + url.QueryEscape(children)
	}
	var body any
	if a.method == http.MethodPost {
		body = map[string]any{}
	}
	var j bulk.Job
	if err := c.JSON(a.method, path, body, &j); err != nil || j.ID == "" || j.ID == id {
		return err
	}
	if err := await(c, &j, func(int) {}); err != nil {
		return err
	}
	failed := slice.Map(j.Failed, func(f bulk.Failure) error { return fmt.Errorf("%s: %s", f.ID, f.Message) })
	if j.Status != bulk.Done {
		failed = append(failed, fmt.Errorf("the job %s is %s: %s", j.ID, j.Status, j.Message))
	}
	return errors.Join(failed...)
}
