package admin

import (
	"bytes"
	"encoding/json"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/schema"
)

// schemaRoutes are the routes of the site's schema as code (extensions §10).
func schemaRoutes(schemas *schema.Schemas) []Route {
	h := schemaHandlers{schemas}
	return []Route{
		{Method: "GET", Pattern: "/schema", Role: cms.RoleViewer, Handle: h.get},
		{Method: "POST", Pattern: "/schema/plan", Role: cms.RoleUserAdmin, Handle: h.plan},
		{Method: "POST", Pattern: "/schema/apply", Role: cms.RoleUserAdmin, Handle: h.apply},
	}
}

type schemaHandlers struct{ schemas *schema.Schemas }

func (h schemaHandlers) get(c *Call) (Result, error) {
	document, err := h.schemas.Current(c.R.Context())
	if err != nil || c.JSON {
		return Result{Data: document}, err
	}
	raw, err := cms.Marshal(document)
	if err != nil {
		return Result{}, err
	}
	var text bytes.Buffer
	if err := json.Indent(&text, raw, "", "  "); err != nil {
		return Result{}, err
	}
	return Result{Page: &Page{Title: "Schema",
		Detail: &Detail{Facts: []Fact{{Label: "Document", Pre: text.String(), Code: true}}}}}, nil
}

// plan says what applying a schema would change.
func (h schemaHandlers) plan(c *Call) (Result, error) {
	in, err := c.schemaInput("schema")
	if err != nil {
		return Result{}, err
	}
	plan, err := h.schemas.Plan(c.R.Context(), in.schema)
	return Result{Data: plan, Redirect: "/schema"}, err
}

// apply carries out a plan that was made before.
func (h schemaHandlers) apply(c *Call) (Result, error) {
	in, err := c.schemaInput("schema", "plan_id", "allow")
	if err != nil {
		return Result{}, err
	}
	applied, err := h.schemas.Apply(c.R.Context(), c.Actor(), in.schema, in.planID, in.allow)
	return Result{Data: applied, Redirect: "/schema?ok=saved"}, err
}

// schemaInput is the body of a plan or an apply.
type schemaInput struct {
	schema map[string]any
	planID string
	allow  []string
}

// schemaInput reads the body; known are the keys that it may have.
func (c *Call) schemaInput(known ...string) (in schemaInput, err error) {
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
	if slices.Contains(known, "plan_id") {
		if in.planID, ok = body["plan_id"].(string); !ok || in.planID == "" {
			p.Add("plan_id", "is required")
		}
		in.allow = texts(p, "allow", body["allow"])
	}
	return in, p.Err()
}

// texts reads a text or a list of them; null is none.
func texts(p cms.Problems, path string, v any) []string {
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		return []string{v}
	case []any:
		var list []string
		for _, item := range v {
			text, ok := item.(string)
			if !ok {
				p.Add(path, "must be a list of texts")
				return nil
			}
			list = append(list, text)
		}
		return list
	}
	p.Add(path, "must be a list of texts")
	return nil
}

// schemas are the use cases of the site's schema.
func (s Services) schemas() *schema.Schemas {
	return &schema.Schemas{Store: s.Store, Models: s.Models, Locales: s.Locales,
		Webhooks: s.Webhooks, Redirects: s.Redirects}
}
