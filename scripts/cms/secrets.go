package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"headless/pkg/rooms"
	"headless/pkg/secrets"
	"headless/scripts/cms/command"
)

func secretsCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "secrets",
		Short: "Make the secrets of a stack, and rotate the key that seals stored secrets"}
	cmd.AddCommand(initSecretsCommand(), rotateSecretsCommand())
	return cmd
}

func rotateSecretsCommand() *cobra.Command {
	var at store
	cmd := &cobra.Command{
		Use: "rotate", Short: "Have all stored secrets sealed with a new key", Args: cobra.NoArgs,
		Long: "Have all stored secrets sealed with a new key. The service makes the key and does the work behind\n" +
			"answers of the admin area; an embedded server does it after its next start. Older keys stay,\n" +
			"for backups.",
		Example: "  cms secrets rotate --table headless-Table-1A2B\n  cms secrets rotate --data .data",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return at.use(cmd.Context(), func(st *rooms.Stores) error {
				if err := secrets.Rotate(cmd.Context(), st.DB); err != nil {
					return err
				}
				fmt.Fprintln(command.Stdout, "A new key was asked for.")
				return nil
			})
		},
	}
	at.flags(cmd)
	return cmd
}
