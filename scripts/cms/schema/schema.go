package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"github.com/spf13/cobra"

	"headless/pkg/cms"
	planned "headless/pkg/schema"
	"headless/pkg/slice"
	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
)

// Plan lists what applying a schema would change, as the service says.
type Plan planned.Plan

// Command returns the command schema with its subcommands.
func Command() *cobra.Command {
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
		RunE: command.Work(func(c *client.Client, _ []string) error {
			text, err := Pull(c, nil)
			if err != nil {
				return err
			}
			return command.Write(out, text)
		}),
	}
	command.OutputFlag(cmd, &out)
	return cmd
}

// Pull returns the schema of the site as indented JSON. With export=true in the query the service
// records that its content is being exported, with the rest of the query.
func Pull(c *client.Client, query url.Values) ([]byte, error) {
	var document json.RawMessage
	if err := c.JSON(http.MethodGet, "/admin/schema?"+query.Encode(), nil, &document); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := json.Indent(&text, document, "", "  "); err != nil {
		return nil, err
	}
	text.WriteByte('\n')
	return text.Bytes(), nil
}

// Models returns the models of a schema.
func Models(schema []byte) ([]*cms.Model, error) {
	var in struct{ Models []*cms.Model }
	err := json.Unmarshal(schema, &in)
	return in.Models, err
}

// ModelSlugs returns the slugs of the models of a schema.
func ModelSlugs(schema []byte) ([]string, error) {
	models, err := Models(schema)
	return slice.Map(models, func(m *cms.Model) string { return m.Slug }), err
}

// MakePlan asks the service what applying a schema would change.
func MakePlan(c *client.Client, document json.RawMessage) (p Plan, err error) {
	body := map[string]json.RawMessage{"schema": document}
	err = c.JSON(http.MethodPost, "/admin/schema/plan", body, &p)
	return p, err
}

func planCommand() *cobra.Command {
	var asJSON, exitCode bool
	cmd := &cobra.Command{
		Use: "plan FILE", Short: "Say what applying a schema would change",
		Args: cobra.ExactArgs(1), Example: "  cms schema plan schema.json --exit-code",
		RunE: command.Work(func(c *client.Client, args []string) error {
			_, p, err := showPlan(c, args[0], asJSON)
			if err != nil {
				return err
			}
			if exitCode && len(p.Changes) > 0 {
				return command.ErrChanges
			}
			return nil
		}),
	}
	command.JSONFlag(cmd, &asJSON)
	cmd.Flags().BoolVar(&exitCode, "exit-code", false, "exit with 3 where there are changes")
	return cmd
}

// showPlan makes a plan for the schema of a file and prints it.
func showPlan(c *client.Client, file string, asJSON bool) (document json.RawMessage, p Plan, err error) {
	if document, err = command.ReadJSON(file); err != nil {
		return nil, p, err
	}
	if p, err = MakePlan(c, document); err != nil {
		return nil, p, err
	}
	if asJSON {
		return document, p, json.NewEncoder(command.Stdout).Encode(p)
	}
	p.Print(command.Stdout)
	return document, p, nil
}

// Print lists the drift and then the changes of the plan as text.
func (p Plan) Print(out io.Writer) {
	for _, d := range p.Drift {
		fmt.Fprintf(out, "%-7s %s (drift): changed by other means since a schema was applied last\n", d.Op, d.Path)
	}
	if len(p.Changes) == 0 {
		fmt.Fprintln(out, "No changes.")
	}
	for _, c := range p.Changes {
		fmt.Fprintf(out, "%-7s %s (%s): %s\n", c.Op, c.Path, c.Risk, c.Message)
	}
}

func applyCommand() *cobra.Command {
	var allow []string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "apply FILE", Short: "Apply a schema, whole or not at all", Args: cobra.ExactArgs(1),
		Example: "  cms schema apply schema.json --allow loses_data",
		RunE: command.Work(func(c *client.Client, args []string) error {
			document, p, err := showPlan(c, args[0], asJSON)
			if err != nil {
				return err
			}
			// A plan without changes is applied too: the present schema then counts as the one last applied.
			return p.Apply(c, document, allow)
		}),
	}
	cmd.Flags().StringSliceVar(&allow, "allow", nil, "risks that are accepted: loses_data")
	command.JSONFlag(cmd, &asJSON)
	return cmd
}

// Apply applies the plan of a document, whole or not at all. If the plan is refused as outdated, it may have been
// applied by a request whose answer was lost: then a new plan has no changes.
func (p Plan) Apply(c *client.Client, document json.RawMessage, allow []string) error {
	err := p.apply(c, document, allow)
	if refused, ok := errors.AsType[*client.Error](err); ok && refused.Code == string(cms.CodePreconditionFailed) {
		if now, nowErr := MakePlan(c, document); nowErr == nil && len(now.Changes) == 0 {
			return now.apply(c, document, allow)
		}
	}
	return err
}

func (p Plan) apply(c *client.Client, document json.RawMessage, allow []string) error {
	body := map[string]any{"schema": document, "plan_id": p.ID}
	if len(allow) > 0 {
		body["allow"] = allow
	}
	return c.JSON(http.MethodPost, "/admin/schema/apply", body, nil)
}

// lockCommand returns the command schema lock or schema unlock.
func lockCommand(name string, locked bool) *cobra.Command {
	short := "Let models be changed in the admin area again"
	if locked {
		short = "Let models be changed by schema apply only"
	}
	return &cobra.Command{
		Use: name, Short: short, Args: cobra.NoArgs, Example: "  cms schema " + name,
		RunE: command.Work(func(c *client.Client, _ []string) error {
			setting := map[string]any{"group": "schema", "key": "locked",
				"value": strconv.FormatBool(locked), "is_public": false}
			return c.JSON(http.MethodPut, "/admin/settings", []any{setting}, nil)
		}),
	}
}
