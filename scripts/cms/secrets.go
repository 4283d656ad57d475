package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

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
			if !at.given() {
				return errors.New("give --table or --data")
			}
			st, err := at.open(cmd.Context())
			if err != nil {
				return command.Failed(err)
			}
			defer st.Close()
			if err := secrets.Rotate(cmd.Context(), st.DB); err != nil {
				return command.Failed(err)
			}
			fmt.Println("A new key was asked for.")
			return nil
		},
	}
	at.flags(cmd)
	return cmd
}
