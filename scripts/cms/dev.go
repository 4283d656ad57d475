package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"headless/pkg/app/setup"
	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
	"headless/scripts/cms/folder"
	"headless/scripts/cms/importing"
	"headless/scripts/internal/localserver"
)

func devCommand() *cobra.Command {
	var port, data, seed, content string
	cmd := &cobra.Command{
		Use: "dev", Short: "Run a service of your own on localhost", SuggestFor: []string{"serve", "server", "start", "run"},
		Args: cobra.NoArgs,
		Long: "Run a whole service on localhost: API, admin area, delivery and webhooks, with its data in a folder. It\n" +
			"starts with demo content unless --seed none or --content is given, and prints how to sign in. Ctrl+C ends it.\n\n" +
			"--content loads a folder, as cms export and cms init write it, when the service starts for the first time. It\n" +
			"makes a publishable key, too, and writes it with CMS_URL into .env of this folder if CMS_PUBLIC_KEY is empty\n" +
			"there. CMS_URL follows a later --port.\n\n" +
			"Other commands in this folder work on the service as its first user: session.json in the data folder has an\n" +
			"access token, which only you can read. With another --data, set DATA_DIR for them.",
		Example: "  cms dev --content content\n  cms dev --port 3000 --data .data --seed none",
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			given := map[string]string{"PORT": port, "DATA_DIR": data, "SEED": seed}
			if content != "" {
				given["SEED"] = cmp.Or(seed, "none")
			}
			begin := func(siteURL string, first setup.FirstUser) {
				if err := begin(cmd.OutOrStdout(), siteURL, first, client.FolderFile(data), content); err != nil {
					fmt.Fprintln(cmd.ErrOrStderr(), "cms:", err)
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

// begin keeps a session for the commands of this folder, and loads content into a service that was just made.
func begin(out io.Writer, siteURL string, first setup.FirstUser, file, content string) error {
	if !first.Created {
		return followSession(siteURL, file)
	}
	c := &client.Client{Root: siteURL}
	err := c.Login(first.Email, cmp.Or(first.Password, os.Getenv("ADMIN_PASSWORD")))
	if err == nil && os.Getenv("LISTEN_ADDRESS") == "" { // others do not reach the service
		err = keepSession(c, file)
	}
	if err != nil {
		return fmt.Errorf("no session was kept: %w. Sign in with cms login %s", err, siteURL)
	}
	if content == "" {
		return nil
	}
	if err := load(out, c, content); err != nil {
		return fmt.Errorf("%s was not loaded: %w. Load it with cms import %s", content, err, content)
	}
	return nil
}

// sessionTime is how long the session of a folder lasts. It is the longest time that access tokens may have.
const sessionTime = 365 * 24 * time.Hour

// keepSession keeps an access token of the user of a client in a file, whose folder git ignores.
func keepSession(c *client.Client, file string) error {
	var made struct{ ID, Token string }
	if err := c.JSON("POST", "/admin/tokens", map[string]any{"name": "cms dev", "scope": "all",
		"expires_at": time.Now().Add(sessionTime).UTC()}, &made); err != nil {
		return err
	}
	if err := client.Keep(file, client.Session{URL: c.Root, Token: made.Token}); err != nil {
		return errors.Join(err, c.JSON("DELETE", "/admin/tokens/"+made.ID, nil, nil))
	}
	return os.WriteFile(filepath.Join(filepath.Dir(file), ".gitignore"), []byte("*\n"), 0o600)
}

// followSession gives the session of a folder and its .env the address of the service, and removes a session
// that has ended.
func followSession(siteURL, file string) error {
	kept, ok := client.Read(file)
	if !ok {
		return nil
	}
	c := &client.Client{Root: siteURL, Token: kept.Token}
	var refused *client.Error
	if err := c.JSON("GET", "/admin/me", nil, nil); errors.As(err, &refused) && refused.Code == "UNAUTHORIZED" {
		return os.Remove(file)
	} else if err != nil || kept.URL == siteURL {
		return err
	}
	if _, err := rewrite(".env", func(text string) string {
		return strings.Replace(text, "CMS_URL="+kept.URL+"\n", "CMS_URL="+siteURL+"\n", 1)
	}); err != nil {
		return err
	}
	return client.Keep(file, client.Session{URL: siteURL, Token: kept.Token})
}

// load imports a folder into a service, and makes a publishable key for its site.
func load(out io.Writer, c *client.Client, dir string) error {
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
	written, err := rewrite(".env", func(text string) string {
		if !emptyKey.MatchString(text) {
			return text
		}
		text = emptyKey.ReplaceAllLiteralString(text, "CMS_PUBLIC_KEY="+made.PublicKey)
		return urlLine.ReplaceAllLiteralString(text, "CMS_URL="+c.Root)
	})
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

// The lines of .env that load sets.
var (
	emptyKey = regexp.MustCompile(`(?m)^CMS_PUBLIC_KEY=[ \t]*$`)
	urlLine  = regexp.MustCompile(`(?m)^CMS_URL=.*$`)
)

// rewrite changes the text of a file, and reports whether it did. A file that does not exist is left alone.
func rewrite(file string, change func(string) string) (written bool, err error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	changed := change(string(text))
	if err != nil || changed == string(text) {
		return false, err
	}
	return true, folder.WriteFile(file, []byte(changed), 0o600)
}
