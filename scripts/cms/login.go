package main

import (
	"os"

	"github.com/spf13/cobra"

	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
)

func loginCommand() *cobra.Command {
	var email string
	cmd := &cobra.Command{
		Use: "login URL", Short: "Sign in, and keep the session for later commands", Args: cobra.ExactArgs(1),
		Example: "  CMS_PASSWORD=… cms login https://cms.example.com --email me@example.com",
		RunE: func(_ *cobra.Command, args []string) error {
			c := &client.Client{Root: args[0]}
			if err := c.Login(email, os.Getenv("CMS_PASSWORD")); err != nil {
				return command.Failed(err)
			}
			if err := client.Keep(client.Session{URL: args[0], Token: c.Token}); err != nil {
				return command.Failed(err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&email, "email", os.Getenv("CMS_EMAIL"),
		"address of the user; the password is CMS_PASSWORD")
	return cmd
}
