package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"headless/pkg/cms"
	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
)

func entriesCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "entries", Short: "List, read, write, publish and delete entries"}
	cmd.AddCommand(listEntriesCommand(), getEntryCommand(), putEntryCommand(),
		publishCommand(), unpublishCommand(), deleteCommand())
	return cmd
}

func listEntriesCommand() *cobra.Command {
	var asJSON bool
	var q url.Values
	var locale, words string
	cmd := &cobra.Command{
		Use: "list MODEL", Short: "List the entries of a model", Args: cobra.ExactArgs(1),
		Example: "  cms entries list posts --filter status=draft --locale de\n  cms entries list posts -q lamp --json",
		RunE: command.Work(func(c *client.Client, args []string) error {
			if !q.Has("filter[locale]") {
				q.Set("filter[locale]", locale)
			}
			if words != "" {
				q.Set("q", words)
			}
			return command.PrintList(c, client.EntriesPath(args[0]), q, asJSON,
				[]string{"id", "slug", "title", "status", "locale"})
		}),
	}
	command.JSONFlag(cmd, &asJSON)
	q = filterFlag(cmd)
	cmd.Flags().StringVar(&locale, "locale", "any", "code of a locale, or any")
	cmd.Flags().StringVarP(&words, "query", "q", "", "words to search for")
	return cmd
}

// filterFlag adds the flag --filter, which may be repeated. The query has the filters when the command runs.
func filterFlag(cmd *cobra.Command) (query url.Values) {
	query = url.Values{}
	const usage = "filter of the list, such as `status=draft` or data.price[lt]=9; may be repeated"
	cmd.Flags().Func("filter", usage, func(filter string) error {
		path, value, ok := strings.Cut(filter, "=")
		if !ok {
			return errors.New("a filter is of the form path=value or path[operator]=value")
		}
		path, operator, ok := strings.Cut(path, "[")
		if path = "filter[" + path + "]"; ok {
			path += "[" + operator
		}
		query.Set(path, value)
		return nil
	})
	return query
}

func getEntryCommand() *cobra.Command {
	var locale string
	cmd := &cobra.Command{
		Use: "get MODEL ID|SLUG", Short: "Print an entry as JSON", Args: cobra.ExactArgs(2),
		Example: "  cms entries get posts why-we-oil --locale en >post.json",
		RunE: command.Work(func(c *client.Client, args []string) error {
			id, err := entryID(c, args[0], args[1], locale)
			if err != nil {
				return err
			}
			return printJSON(c, http.MethodGet, client.EntriesPath(args[0])+"/"+id, nil)
		}),
	}
	cmd.Flags().StringVar(&locale, "locale", "any", "code of the locale of a slug, or any")
	return cmd
}

// entryID returns the id of an entry that is named by its id or its slug. A slug that entries of
// several locales have is an error that names them.
func entryID(c *client.Client, model, name, locale string) (string, error) {
	if uuid.Validate(name) == nil {
		return name, nil
	}
	q := url.Values{"filter[slug]": {name}, "filter[locale]": {locale}}
	var found []struct{ ID, Locale string }
	if err := c.JSON(http.MethodGet, client.EntriesPath(model)+"?"+q.Encode(), nil, &found); err != nil {
		return "", err
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("%s has no entry with the slug %q", model, name)
	case 1:
		return found[0].ID, nil
	}
	locales := make([]string, len(found))
	for i, entry := range found {
		locales[i] = entry.Locale
	}
	return "", fmt.Errorf("entries in %s have the slug %q: choose one by --locale", strings.Join(locales, ", "), name)
}

func putEntryCommand() *cobra.Command {
	var draft bool
	cmd := &cobra.Command{
		Use: "put MODEL FILE", Short: "Create or update an entry from a JSON file", Args: cobra.ExactArgs(2),
		Long: "Send a JSON file, or standard input for -. A body with an id updates that entry, but no field that it\n" +
			"does not have; one without creates an entry. With --draft a published entry stays as it is, and gets\n" +
			"a draft.",
		Example: "  cms entries put posts post.json\n  echo '{\"title\": \"Hello\"}' | cms entries put posts -",
		RunE: command.Work(func(c *client.Client, args []string) error {
			body, id, err := readEntry(args[1])
			if err != nil {
				return err
			}
			path := client.EntriesPath(args[0])
			switch {
			case id == "" && draft:
				return printJSON(c, http.MethodPost, path+"?draft=true", body)
			case id == "":
				return printJSON(c, http.MethodPost, path, body)
			case draft:
				return printJSON(c, http.MethodPut, path+"/"+url.PathEscape(id)+"/draft", body)
			}
			return printJSON(c, http.MethodPut, path+"/"+url.PathEscape(id), body)
		}),
	}
	cmd.Flags().BoolVar(&draft, "draft", false, "save a draft, which may be incomplete")
	return cmd
}

// readEntry reads the body of an entry from a file, or from standard input for "-".
func readEntry(file string) (body map[string]any, id string, err error) {
	raw, err := command.ReadJSON(file)
	if err != nil {
		return nil, "", err
	}
	if err := cms.Unmarshal(raw, &body); err != nil {
		return nil, "", fmt.Errorf("%s is no JSON object: %w", file, err)
	}
	id, isText := body["id"].(string)
	if body["id"] != nil && (!isText || id == "") {
		return nil, "", fmt.Errorf("%s: the id of an entry is a text such as 01997c…", file)
	}
	return body, id, nil
}

// printJSON sends a request and prints the data of its response.
func printJSON(c *client.Client, method, path string, body any) error {
	var raw json.RawMessage
	if err := c.JSON(method, path, body, &raw); err != nil {
		return err
	}
	_, err := fmt.Fprintf(command.Stdout, "%s\n", raw)
	return err
}
