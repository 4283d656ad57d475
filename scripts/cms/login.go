package main

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/spf13/cobra"

	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
)

// loginCommand signs in by a browser, or by a password if an address is given. show opens a page in
// the browser.
func loginCommand(show func(address string)) *cobra.Command {
	var email string
	cmd := &cobra.Command{
		Use: "login URL", Short: "Sign in, and keep the session for later commands", Args: cobra.ExactArgs(1),
		Long: "Sign in by a browser, here or on any other device, and keep the session for later commands. With --profile " +
			"the\n" + "session is kept beside those of other services, for commands with the same --profile.",
		Example: "  cms login https://cms.example.com\n" +
			"  cms login https://staging.example.com --profile staging\n" +
			"  CMS_PASSWORD=… cms login https://cms.example.com --email me@example.com",
		RunE: func(cmd *cobra.Command, args []string) error {
			c := &client.Client{Root: args[0]}
			if err := signIn(cmd, c, email, show); err != nil {
				return command.Failed(err)
			}
			return command.Failed(keepLogin(cmd.OutOrStdout(), c, command.Profile(cmd)))
		},
	}
	cmd.Flags().StringVar(&email, "email", os.Getenv("CMS_EMAIL"),
		"sign in by password, as the user with this address; the password is CMS_PASSWORD")
	return cmd
}

// keepLogin keeps the session of a client, and prints who is signed in where. A session that cannot be kept is ended.
func keepLogin(out io.Writer, c *client.Client, profile string) error {
	file, err := client.SessionFile(profile)
	if err == nil {
		err = client.Keep(file, client.Session{URL: c.Root, Token: c.Token})
	}
	if err != nil {
		return errors.Join(err, c.JSON("POST", "/admin/logout", nil, nil))
	}
	var me struct{ Email string }
	if err := c.JSON("GET", "/admin/me", nil, &me); err != nil {
		return err
	}
	fmt.Fprintf(out, "Signed in to %s as %s.\n", c.Root, me.Email)
	if folder, ok := client.Read(client.FolderFile("")); ok && profile == "" && folder.URL != c.Root {
		fmt.Fprintf(out, "In this folder, commands work on %s of cms dev. For %s set CMS_URL, or use --profile.\n",
			folder.URL, c.Root)
	}
	return nil
}

func signIn(cmd *cobra.Command, c *client.Client, email string, show func(address string)) error {
	if email != "" {
		return c.Login(email, os.Getenv("CMS_PASSWORD"))
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return c.LoginByDevice(ctx, programName(), func(d client.DeviceLogin) {
		fmt.Fprintf(os.Stderr, "Open %s, check that it shows the code %s, and approve it.\n", d.CompleteURI, d.UserCode)
		show(d.CompleteURI)
	})
}

// programName is the name by which users know this program in their list of sessions.
func programName() string {
	host, err := os.Hostname()
	if err != nil {
		return "cms"
	}
	return "cms on " + host
}

// openBrowser opens a page in the browser of a person at a terminal. It does nothing without a
// terminal, or if there is no browser: the address is printed, too.
func openBrowser(address string) {
	info, err := os.Stderr.Stat()
	u, errURL := url.Parse(address)
	if err != nil || info.Mode()&os.ModeCharDevice == 0 || errURL != nil || u.Scheme != "http" && u.Scheme != "https" {
		return
	}
	program := map[string][]string{"darwin": {"open"},
		"windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if program == nil {
		program = []string{"xdg-open"}
	}
	cmd := exec.Command(program[0], append(program[1:], u.String())...)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }() // the address is printed, so nothing depends on the browser
	}
}
