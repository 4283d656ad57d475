package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"

	"github.com/spf13/cobra"
)

// plan is what the service says that a schema would change.
type plan struct {
	ID      string `json:"plan_id"`
	Changes []struct {
		Op      string `json:"op"`
		Kind    string `json:"kind"`
		Path    string `json:"path"`
		Risk    string `json:"risk"`
		Message string `json:"message"`
	} `json:"changes"`
	Drift []struct {
		Op   string `json:"op"`
		Kind string `json:"kind"`
		Path string `json:"path"`
	} `json:"drift"`
}

func schemaCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "schema", Short: "Keep models, locales, settings and forms as code"}
	cmd.AddCommand(pullCommand(), planCommand(), applyCommand(), lockCommand("lock", true),
		lockCommand("unlock", false))
	return cmd
}

func pullCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use: "pull", Short: "Write the schema of the site to a file", Args: cobra.NoArgs,
		Example: "  cms schema pull -o schema.json",
		RunE: work(func(c *client, _ []string) error {
			text, err := pull(c)
			if err != nil {
				return err
			}
			if out == "" {
				_, err = os.Stdout.Write(text)
				return err
			}
			return os.WriteFile(out, text, 0o644)
		}),
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "file to write; else standard output")
	return cmd
}

// pull is the schema of the site as indented JSON.
func pull(c *client) ([]byte, error) {
	var document json.RawMessage
	if err := c.json(http.MethodGet, "/admin/schema", nil, &document); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := json.Indent(&text, document, "", "  "); err != nil {
		return nil, err
	}
	text.WriteByte('\n')
	return text.Bytes(), nil
}

// makePlan plans the schema of a file.
func makePlan(c *client, file string) (schema json.RawMessage, p plan, err error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, p, err
	}
	if !json.Valid(raw) {
		return nil, p, fmt.Errorf("%s is not JSON", file)
	}
	err = c.json(http.MethodPost, "/admin/schema/plan", map[string]json.RawMessage{"schema": raw}, &p)
	return raw, p, err
}

func planCommand() *cobra.Command {
	var asJSON, exitCode bool
	cmd := &cobra.Command{
		Use: "plan FILE", Short: "Say what applying a schema would change",
		Args: cobra.ExactArgs(1), Example: "  cms schema plan schema.json --exit-code",
		RunE: work(func(c *client, args []string) error {
			_, p, err := makePlan(c, args[0])
			if err != nil {
				return err
			}
			if err := p.show(asJSON); err != nil {
				return err
			}
			if exitCode && len(p.Changes) > 0 {
				return errChanges
			}
			return nil
		}),
	}
	jsonFlag(cmd, &asJSON)
	cmd.Flags().BoolVar(&exitCode, "exit-code", false, "exit with 3 where there are changes")
	return cmd
}

// show prints the plan.
func (p plan) show(asJSON bool) error {
	if asJSON {
		return json.NewEncoder(os.Stdout).Encode(p)
	}
	p.print()
	return nil
}

// print lists the changes for people, after what was changed by other means.
func (p plan) print() {
	for _, d := range p.Drift {
		fmt.Printf("%-7s %s (drift): changed by other means since a schema was applied last\n", d.Op, d.Path)
	}
	if len(p.Changes) == 0 {
		fmt.Println("No changes.")
	}
	for _, c := range p.Changes {
		fmt.Printf("%-7s %s (%s): %s\n", c.Op, c.Path, c.Risk, c.Message)
	}
}

func applyCommand() *cobra.Command {
	var allow []string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "apply FILE", Short: "Apply a schema, whole or not at all", Args: cobra.ExactArgs(1),
		Example: "  cms schema apply schema.json --allow loses_data",
		RunE:    work(func(c *client, args []string) error { return apply(c, args[0], allow, asJSON) }),
	}
	cmd.Flags().StringSliceVar(&allow, "allow", nil, "risks that are accepted: loses_data")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// apply plans the schema of a file and carries the plan out. Where it changes nothing, what is
// there counts as applied from now on.
func apply(c *client, file string, allow []string, asJSON bool) error {
	schema, p, err := makePlan(c, file)
	if err != nil {
		return err
	}
	if err := p.show(asJSON); err != nil {
		return err
	}
	body := map[string]any{"schema": schema, "plan_id": p.ID}
	if len(allow) > 0 {
		body["allow"] = allow
	}
	return c.json(http.MethodPost, "/admin/schema/apply", body, nil)
}

// lockCommand is schema lock or unlock.
func lockCommand(name string, locked bool) *cobra.Command {
	short := "Let models be changed in the admin area again"
	if locked {
		short = "Let models be changed by schema apply only"
	}
	return &cobra.Command{
		Use: name, Short: short, Args: cobra.NoArgs, Example: "  cms schema " + name,
		RunE: work(func(c *client, _ []string) error {
			setting := map[string]any{"group": "schema", "key": "locked",
				"value": strconv.FormatBool(locked), "is_public": false}
			return c.json(http.MethodPut, "/admin/settings", []any{setting}, nil)
		}),
	}
}
