package modelpages

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/rowforms"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/schema"
	"headless/pkg/settings"
	"headless/pkg/web"
)

// SchemaRoutes returns the routes of the site's schema as code (extensions §10).
func SchemaRoutes(schemas *schema.Schemas) []frame.Route {
	h := schemaHandlers{schemas}
	return []frame.Route{
		{Method: "GET", Pattern: "/schema", Role: cms.RoleViewer, Handle: h.get},
		{Method: "POST", Pattern: "/schema/plan", Role: cms.RoleUserAdmin, Handle: h.plan},
		{Method: "POST", Pattern: "/schema/apply", Role: cms.RoleUserAdmin, Handle: h.apply},
	}
}

type schemaHandlers struct{ schemas *schema.Schemas }

func (h schemaHandlers) get(c *frame.Call) (frame.Result, error) {
	query := c.R.URL.Query()
	export, err := web.Flag(query, "export") // cms export sends it
	if err == nil && export {
		err = h.schemas.NoteExport(c.R.Context(), c.Actor(), map[string]any{"query": query})
	}
	if err != nil {
		return frame.Result{}, err
	}
	document, err := h.schemas.Current(c.R.Context(), c.May(cms.RoleUserAdmin))
	if c.WholeScope("webhooks and roles") != nil {
		document.Webhooks, document.Roles = []schema.Part{}, []schema.Part{}
	}
	if err != nil || c.JSON {
		return frame.Result{Data: document}, err
	}
	raw, err := cms.Marshal(document)
	if err != nil {
		return frame.Result{}, err
	}
	var text bytes.Buffer
	if err := json.Indent(&text, raw, "", "  "); err != nil {
		return frame.Result{}, err
	}
	notice, err := driftNotice(c, h.schemas)
	return frame.Result{Page: &ui.Page{Title: "Schema", Notice: notice,
		Detail: &ui.Detail{Facts: []ui.Fact{{Label: "Document", Pre: text.String(), Code: true}}}}}, err
}

// driftNotice names the changes made by other means since a schema was last applied, "" if there
// are none.
func driftNotice(c *frame.Call, schemas *schema.Schemas) (say.Text, error) {
	at, drift, err := schemas.Drift(c.R.Context())
	if err != nil || len(drift) == 0 {
		return "", err
	}
	var paths []say.Text
	for _, d := range drift {
		if len(paths) == noticed {
			paths = append(paths, "…")
			break
		}
		paths = append(paths, say.F(driftWords[d.Op], d.Path))
	}
	return say.F("Changed since a schema was applied on {1}: {2}. The next cms schema apply may take this back.",
		say.Moment(at.Time), say.Join(paths, ", ")), nil
}

// noticed is the greatest number of changes that a notice names.
const noticed = 10

var driftWords = map[string]say.Text{"create": "{1} (new)", "update": "{1}", "delete": "{1} (deleted)"}

// plan says what applying a schema would change.
func (h schemaHandlers) plan(c *frame.Call) (frame.Result, error) {
	in, err := readSchema(c, "schema")
	if err != nil {
		return frame.Result{}, err
	}
	plan, err := h.schemas.Plan(c.R.Context(), in.schema)
	return frame.Result{Data: plan, Redirect: "/schema"}, err
}

// apply applies a schema according to a plan that was made before.
func (h schemaHandlers) apply(c *frame.Call) (frame.Result, error) {
	in, err := readSchema(c, "schema", "plan_id", "allow")
	if err != nil {
		return frame.Result{}, err
	}
	applied, err := h.schemas.Apply(c.R.Context(), c.Actor(), in.schema, in.planID, in.allow,
		func(changes []schema.Change) error { return checkConfirmed(c, changes) })
	return frame.Result{Data: applied, Redirect: "/schema?ok=saved"}, err
}

// checkConfirmed refuses changes of roles and webhooks if the user has not confirmed the session
// recently. The routes of roles and webhooks do the same.
func checkConfirmed(c *frame.Call, changes []schema.Change) error {
	for _, change := range changes {
		if change.Kind == "role" || change.Kind == "webhook" {
			return c.Confirmed()
		}
	}
	return nil
}

// inScope returns FORBIDDEN if a schema has roles, webhooks, or more of a private setting than GET shows, and the
// access token of the request may not change these.
func inScope(c *frame.Call, schema map[string]any) error {
	deletes, _ := schema["deletes"].(map[string]any)
	for _, kind := range []string{"roles", "webhooks"} {
		for _, part := range []any{schema[kind], deletes[kind]} {
			if list, isList := part.([]any); part != nil && (!isList || len(list) > 0) {
				return c.WholeScope(kind)
			}
		}
	}
	parts, _ := schema["settings"].([]any)
	changed := slices.DeleteFunc(slices.Clone(parts), func(part any) bool {
		v, _ := part.(map[string]any)
		_, value := v["value"]
		_, translations := v["translations"]
		return !value && !translations && v["is_public"] != true
	})
	names, _ := deletes["settings"].([]any)
	for _, name := range names {
		text, _ := name.(string)
		group, key, _ := strings.Cut(text, ".")
		changed = append(changed, map[string]any{"group": group, "key": key, "is_public": true})
	}
	if settings.NamesPrivate(c.Site, changed) {
		return c.WholeScope("private settings")
	}
	return nil
}

// schemaInput is the body of a plan or an apply.
type schemaInput struct {
	schema map[string]any
	planID string
	allow  []string
}

// readSchema reads the body; known are the keys that it may have.
func readSchema(c *frame.Call, known ...string) (in schemaInput, err error) {
	body, err := c.Body()
	if err != nil {
		return in, err
	}
	p := cms.Problems{}
	for key := range body {
		if !slices.Contains(known, key) {
			p.Add(key, "is not a known key")
		}
	}
	var ok bool
	if in.schema, ok = body["schema"].(map[string]any); !ok {
		p.Add("schema", "must be an object")
	}
	if err := inScope(c, in.schema); err != nil {
		return in, err
	}
	if slices.Contains(known, "plan_id") {
		if in.planID, ok = body["plan_id"].(string); !ok || in.planID == "" {
			p.Add("plan_id", "is required")
		}
		in.allow = rowforms.Texts(p, "allow", body["allow"])
	}
	return in, p.Err()
}
