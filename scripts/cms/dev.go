package main

import (
	"cmp"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"headless/scripts/cms/command"
	"headless/scripts/internal/localserver"
)

func devCommand() *cobra.Command {
	var port, data, seed string
	cmd := &cobra.Command{
		Use: "dev", Short: "Run a service of your own on localhost", Args: cobra.NoArgs,
		Long: "Run a whole service on localhost: API, admin area, delivery and webhooks, with its data in a folder. It\n" +
			"starts with demo content unless --seed none is given, and prints how to sign in. Ctrl+C ends it.",
		Example: "  cms dev --port 3000 --data .data --seed none",
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			given := map[string]string{"PORT": port, "DATA_DIR": data, "SEED": seed}
			return command.Failed(localserver.Run(ctx,
				func(name string) string { return cmp.Or(given[name], os.Getenv(name)) }, cmd.OutOrStdout()))
		},
	}
	cmd.Flags().StringVar(&port, "port", "", "port on 127.0.0.1; 3000 without PORT")
	cmd.Flags().StringVar(&data, "data", "", "folder of the data; .data without DATA_DIR")
	cmd.Flags().StringVar(&seed, "seed", "", "none for an empty site")
	return cmd
}
