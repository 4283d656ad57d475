package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
)

func keysCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "keys", SuggestFor: []string{"tokens", "apikeys"},
		Short: "List, create, rotate and delete API keys"}
	cmd.AddCommand(listKeysCommand(), createKeyCommand(), rotateKeyCommand(), deleteKeyCommand())
	return cmd
}

func listKeysCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the keys, without secrets", Args: cobra.NoArgs,
		Example: "  cms keys list --json",
		RunE: command.Work(func(c *client.Client, _ []string) error {
			return command.PrintList(c, "/admin/keys", url.Values{}, asJSON, []string{"id", "name", "kind", "public_key",
				"scopes", "role"})
		}),
	}
	command.JSONFlag(cmd, &asJSON)
	return cmd
}

// keyWrite is the body of a new key.
type keyWrite struct {
	Name      string   `json:"name"`
	Kind      string   `json:"kind"`
	Scopes    []string `json:"scopes,omitempty"`
	Role      string   `json:"role,omitempty"`
	Origins   []string `json:"origins,omitempty"`
	Models    []string `json:"models,omitempty"`
	Locales   []string `json:"locales,omitempty"`
	RateLimit int      `json:"rate_limit,omitempty"`
	ExpiresAt string   `json:"expires_at,omitempty"`
}

func createKeyCommand() *cobra.Command {
	var in keyWrite
	var asJSON bool
	cmd := &cobra.Command{
		Use: "create NAME", Short: "Create a key and print it once", Args: cobra.ExactArgs(1),
		Long: "Create a key and print it with its secret, which is not shown again. A publishable key is for\n" +
			"browsers: it has no secret and reads published content through delivery.",
		Example: "  cms keys create website --scopes read\n  cms keys create browser --kind publishable " +
			"--origins https://example.com",
		RunE: command.Work(func(c *client.Client, args []string) error {
			in.Name = args[0]
			return printKey(c, "/admin/keys", in, asJSON)
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&in.Kind, "kind", "secret", "secret or publishable")
	flags.StringSliceVar(&in.Scopes, "scopes", nil, "read, write, delete, publish; read without it")
	flags.StringVar(&in.Role, "role", "", "admin: sees drafts and hidden fields")
	flags.StringSliceVar(&in.Origins, "origins", nil, "origins that may use the key; all without it")
	flags.StringSliceVar(&in.Models, "models", nil, "slugs of models that the key may reach; all without it")
	flags.StringSliceVar(&in.Locales, "locales", nil, "codes of locales that the key may reach; all without it")
	flags.IntVar(&in.RateLimit, "rate-limit", 0, "requests a minute")
	flags.StringVar(&in.ExpiresAt, "expires", "", "when the key ends (RFC 3339)")
	command.JSONFlag(cmd, &asJSON)
	return cmd
}

func rotateKeyCommand() *cobra.Command {
	var asJSON bool
	var overlap time.Duration
	cmd := &cobra.Command{
		Use: "rotate ID", Short: "Give a key a new secret and print it once", Args: cobra.ExactArgs(1),
		Example: "  cms keys rotate 01997c…\n  cms keys rotate 01997c… --overlap 24h",
		RunE: command.Work(func(c *client.Client, args []string) error {
			return printKey(c, "/admin/keys/"+url.PathEscape(args[0])+"/rotate",
				map[string]int{"overlap_seconds": int(overlap.Seconds())}, asJSON)
		}),
	}
	cmd.Flags().DurationVar(&overlap, "overlap", 0,
		"how long the old secret is taken beside the new one, 720h at most")
	command.JSONFlag(cmd, &asJSON)
	return cmd
}

func deleteKeyCommand() *cobra.Command {
	return &cobra.Command{
		Use: "delete ID", Short: "Delete a key: it stops working within seconds", Args: cobra.ExactArgs(1),
		RunE: command.Work(func(c *client.Client, args []string) error {
			return c.JSON(http.MethodDelete, "/admin/keys/"+url.PathEscape(args[0]), nil, nil)
		}),
	}
}

// printKey sends a request whose response is a key with its secret, and prints it.
func printKey(c *client.Client, path string, body any, asJSON bool) error {
	var raw json.RawMessage
	if err := c.JSON(http.MethodPost, path, body, &raw); err != nil {
		return err
	}
	var made struct {
		ID        string `json:"id"`
		PublicKey string `json:"public_key"`
		Secret    string `json:"secret"`
	}
	if err := json.Unmarshal(raw, &made); err != nil {
		return err
	}
	text := fmt.Sprintf("id:     %s\nkey:    %s\n", made.ID, made.PublicKey)
	if made.Secret != "" {
		text += fmt.Sprintf("secret: %s\n", made.Secret)
	}
	if asJSON {
		text = string(raw) + "\n"
	}
	if made.Secret == "" { // lists show the whole key
		_, err := io.WriteString(command.Stdout, text)
		return err
	}
	return command.PrintOnce(text, "Run cms keys rotate "+made.ID+" for another secret, or cms keys delete "+made.ID)
}
