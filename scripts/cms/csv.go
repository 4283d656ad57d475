package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"os"

	"github.com/spf13/cobra"

	"headless/pkg/planning/bulk"
	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
)

func csvCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "csv", Short: "Entries of a model as a CSV file, and back"}
	cmd.AddCommand(csvExportCommand(), csvImportCommand())
	return cmd
}

func csvExportCommand() *cobra.Command {
	var out, columns string
	var q url.Values
	cmd := &cobra.Command{
		Use: "export MODEL", Short: "Write the entries of a model as one CSV file", Args: cobra.ExactArgs(1),
		Example: "  cms csv export posts -o posts.csv --filter status=published --columns id,title,data.price",
		RunE: command.Work(func(c *client.Client, args []string) error {
			if columns != "" {
				q.Set("columns", columns)
			}
			text, err := readCSV(c, client.EntriesPath(args[0])+".csv?"+q.Encode())
			if err != nil {
				return err
			}
			return command.Write(out, text)
		}),
	}
	command.OutputFlag(cmd, &out)
	cmd.Flags().StringVar(&columns, "columns", "", "columns, separated by commas; all but times if left out")
	q = filterFlag(cmd)
	return cmd
}

// readCSV reads a file that may come in several parts, each with a header row of its own.
func readCSV(c *client.Client, path string) ([]byte, error) {
	var whole []byte
	for path != "" {
		text, next, err := c.Text(path)
		if err != nil {
			return nil, err
		}
		if whole != nil {
			rows := csv.NewReader(bytes.NewReader(text))
			if _, err := rows.Read(); err != nil {
				return nil, err
			}
			text = text[rows.InputOffset():]
		}
		whole, path = append(whole, text...), next
	}
	return whole, nil
}

func csvImportCommand() *cobra.Command {
	var publish, dryRun bool
	cmd := &cobra.Command{
		Use: "import MODEL FILE", Short: "Save the rows of a CSV file as entries of a model", Args: cobra.ExactArgs(2),
		Long: "Save the rows of a CSV file as entries of a model. A row with an id, or with the slug of an entry,\n" +
			"changes that entry; others are new. Every row that was not saved is named.",
		Example: "  cms csv import posts posts.csv --dry-run\n  cms csv import posts posts.csv --publish",
		RunE: command.Work(func(c *client.Client, args []string) error {
			j, err := importCSV(c, args[0], args[1], publish, dryRun)
			if err != nil {
				return err
			}
			result := cmp.Or(j.Result, &bulk.CSVResult{})
			for _, f := range result.Failed {
				fmt.Fprintf(os.Stderr, "line %d, %s: %s\n", f.Line, f.Column, f.Message)
			}
			fmt.Fprintf(command.Stdout, "%d created, %d updated, %d unchanged\n", result.Created, result.Updated,
				result.Unchanged)
			switch {
			case j.Status != bulk.Done:
				return fmt.Errorf("the job is %s: %s", j.Status, j.Message)
			case len(result.Failed) > 0:
				return fmt.Errorf("%d problems: the rows that have them were not saved", len(result.Failed))
			}
			return nil
		}),
	}
	cmd.Flags().BoolVar(&publish, "publish", false, "publish new and changed entries; else they are saved as drafts")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "save nothing")
	return cmd
}

// importCSV sends a file, and waits for the end of its job.
func importCSV(c *client.Client, model, file string, publish, dryRun bool) (j bulk.Job, err error) {
	id, err := sendFile(c, file, map[string]any{"mime": "text/csv"})
	if err != nil {
		return j, err
	}
	mode := map[bool]string{false: "draft", true: "publish"}[publish]
	err = c.JSON(http.MethodPost, client.EntriesPath(model)+".csv",
		map[string]any{"upload": id, "mode": mode, "dry_run": dryRun}, &j)
	progress := command.NewProgress("rows", j.Total)
	defer progress.End()
	if err != nil {
		return j, err
	}
	return j, await(c, &j, progress.Add)
}
