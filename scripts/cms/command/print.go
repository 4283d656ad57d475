package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"headless/pkg/slice"
	"headless/scripts/cms/client"
	"headless/scripts/cms/folder"
)

// JSONFlag adds the flag --json to a command.
func JSONFlag(cmd *cobra.Command, into *bool) {
	cmd.Flags().BoolVar(into, "json", false, "write JSON")
}

// OutputFlag adds the flag --output, the file that Write writes, to a command.
func OutputFlag(cmd *cobra.Command, into *string) {
	cmd.Flags().StringVarP(into, "output", "o", "", "file to write; else standard output")
}

// Write writes a text to a file, or to standard output without a name.
func Write(file string, text []byte) error {
	if file == "" {
		_, err := Stdout.Write(text)
		return err
	}
	return folder.WriteFile(file, text, 0o644)
}

// WithoutMark returns a text without the byte order mark that some programs on Windows write before it.
func WithoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\uFEFF")) }

// ReadJSON reads a file with one JSON value, or standard input for "-".
func ReadJSON(file string) (value json.RawMessage, err error) {
	if file == "-" {
		value, err = io.ReadAll(os.Stdin)
	} else {
		value, err = os.ReadFile(file)
	}
	value = WithoutMark(value)
	if err == nil && !json.Valid(value) {
		err = fmt.Errorf("%s is not JSON", file)
	}
	return value, err
}

// PrintList prints a list of the service: as one JSON array, or as a table of some keys. q are the
// query parameters of the list.
func PrintList(c *client.Client, path string, q url.Values, asJSON bool, keys []string) error {
	items := []map[string]any{}
	err := client.Each(c, path, q, func(item map[string]any) error {
		items = append(items, item)
		return nil
	})
	if err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(Stdout).Encode(items)
	}
	w := tabwriter.NewWriter(Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.ToUpper(strings.Join(keys, "\t")))
	for _, item := range items {
		cells := slice.Map(keys, func(key string) string { return cell(item[key]) })
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	return w.Flush()
}

// cell formats a value for a table.
func cell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case []any:
		return strings.Join(slice.Map(v, cell), ",")
	}
	return fmt.Sprint(v)
}
