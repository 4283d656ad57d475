package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"regexp"
	"syscall"

	"github.com/spf13/cobra"

	"headless/pkg/app/setup"
	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
	"headless/scripts/cms/importing"
	"headless/scripts/internal/localserver"
)

func devCommand() *cobra.Command {
	var port, data, seed, content string
	cmd := &cobra.Command{
		Use: "dev", Short: "Run a service of your own on localhost", Args: cobra.NoArgs,
		Long: "Run a whole service on localhost: API, admin area, delivery and webhooks, with its data in a folder. It\n" +
			"starts with demo content unless --seed none or --content is given, and prints how to sign in. Ctrl+C ends it.\n\n" +
			"--content loads a folder, as cms export and cms init write it, when the service starts for the first time. It\n" +
			"makes a publishable key, too, and writes it into .env of this folder if CMS_PUBLIC_KEY is empty there.",
		Example: "  cms dev --content content\n  cms dev --port 3000 --data .data --seed none",
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			given := map[string]string{"PORT": port, "DATA_DIR": data, "SEED": seed}
			var begin localserver.Begin
			if content != "" {
				given["SEED"] = cmp.Or(seed, "none")
				begin = func(siteURL string, first setup.FirstUser) {
					if err := load(cmd.OutOrStdout(), siteURL, first, content); err != nil {
						fmt.Fprintf(cmd.ErrOrStderr(), "cms: %s was not loaded: %v\n"+
							"Sign in with cms login %s, and run cms import %s.\n", content, err, siteURL, content)
					}
				}
			}
			return command.Failed(localserver.Run(ctx, func(name string) string { return cmp.Or(given[name], os.Getenv(name)) },
				cmd.OutOrStdout(), begin))
		},
	}
	cmd.Flags().StringVar(&port, "port", "", "port on 127.0.0.1; 3000 without PORT")
	cmd.Flags().StringVar(&data, "data", "", "folder of the data; .data without DATA_DIR")
	cmd.Flags().StringVar(&seed, "seed", "", "none for an empty site")
	cmd.Flags().StringVar(&content, "content", "", "folder to load at the first start")
	return cmd
}

// load imports a folder into a service that was just made, and makes a publishable key for its site.
func load(out io.Writer, siteURL string, first setup.FirstUser, dir string) error {
	if !first.Created {
		return nil
	}
	c := &client.Client{Root: siteURL}
	if err := c.Login(first.Email, cmp.Or(first.Password, os.Getenv("ADMIN_PASSWORD"))); err != nil {
		return err
	}
	var report importing.Report
	if err := importing.Into(c, dir, importing.Options{}, &report); err != nil {
		return err
	}
	if err := report.Err(); err != nil {
		return err
	}
	var made struct {
		PublicKey string `json:"public_key"`
	}
	if err := c.JSON("POST", "/admin/keys", map[string]any{"name": "Site", "kind": "publishable"}, &made); err != nil {
		return err
	}
	written, err := writeKey(".env", siteURL, made.PublicKey)
	if err != nil {
		return err
	}
	where := "CMS_PUBLIC_KEY=" + made.PublicKey
	if written {
		where = "CMS_PUBLIC_KEY is in .env"
	}
	fmt.Fprintf(out, "Loaded %s. %s.\n", dir, where)
	return nil
}

// The lines of .env that writeKey sets.
var (
	emptyKey = regexp.MustCompile(`(?m)^CMS_PUBLIC_KEY=[ \t]*$`)
	urlLine  = regexp.MustCompile(`(?m)^CMS_URL=.*$`)
)

// writeKey writes a key and the URL of its service into a file of variables that has an empty CMS_PUBLIC_KEY, and
// reports whether it did.
func writeKey(file, siteURL, key string) (written bool, err error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !emptyKey.Match(text) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	text = emptyKey.ReplaceAllLiteral(text, []byte("CMS_PUBLIC_KEY="+key))
	text = urlLine.ReplaceAllLiteral(text, []byte("CMS_URL="+siteURL))
	return true, os.WriteFile(file, text, 0o600)
}
