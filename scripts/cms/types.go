package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"headless/pkg/api/typescript"
	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
)

// watchEvery is the interval at which types --watch looks for a change of the models.
const watchEvery = 2 * time.Second

func typesCommand() *cobra.Command {
	var out string
	var watched bool
	cmd := &cobra.Command{
		Use: "types", SuggestFor: []string{"typescript", "generate", "codegen"},
		Short: "Write TypeScript types of the models, with a client", Args: cobra.NoArgs,
		Long: "Write one TypeScript file that needs no package: the types of entries, filters, sorts and\n" +
			"writes of every active model, and a client for the API or for delivery.",
		Example: "  cms types -o src/cms.ts\n  cms types -o src/cms.ts --watch",
		PreRunE: func(*cobra.Command, []string) error {
			if watched && out == "" {
				return fmt.Errorf("--watch needs -o FILE")
			}
			return nil
		},
		RunE: command.Work(func(c *client.Client, _ []string) error {
			if watched {
				ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
				defer stop()
				return watchTypes(ctx, c, out, watchEvery)
			}
			_, err := writeTypes(c, out)
			return err
		}),
	}
	command.OutputFlag(cmd, &out)
	cmd.Flags().BoolVar(&watched, "watch", false, "go on, and write the file after each change of the models")
	return cmd
}

// writeTypes writes the types to the file out, or to standard output if out is "". changed reports
// whether the file changed.
func writeTypes(c *client.Client, out string) (changed bool, err error) {
	var schema json.RawMessage
	if err := c.JSON(http.MethodGet, "/admin/schema", nil, &schema); err != nil {
		return false, err
	}
	text, err := typescript.OfSchema(schema)
	if err != nil {
		return false, err
	}
	if before, err := os.ReadFile(out); err == nil && bytes.Equal(before, text) {
		return false, nil
	}
	return true, command.Write(out, text)
}

// watchTypes writes the types after each change of the models, until ctx is done. It prints errors
// and tries again.
func watchTypes(ctx context.Context, c *client.Client, out string, every time.Duration) error {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		changed, err := writeTypes(c, out)
		switch {
		case err != nil:
			fmt.Fprintln(os.Stderr, "cms:", err)
		case changed:
			fmt.Fprintln(os.Stderr, out, "was written")
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
