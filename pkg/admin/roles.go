package admin

import (
	"encoding/json"
	"strconv"
	"strings"

	"headless/pkg/access"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// roleRoutes are the routes of roles.
func roleRoutes(roles *access.Roles) []Route {
	return Resource[cms.Role]{
		Path: "/roles", Title: "Roles", One: "role", Confirm: true, Param: "slug",
		List: func(c *Call, p db.Paging) (db.Page[cms.Role], error) { return roles.List(c.R.Context(), p) },
		Get:  func(c *Call, slug string) (cms.Role, error) { return roles.Get(c.R.Context(), slug) },
		Create: func(c *Call, body map[string]any) (cms.Role, error) {
			return roles.Create(c.R.Context(), c.Actor(), body)
		},
		Update: func(c *Call, slug string, body map[string]any,
			ok input.Precondition[cms.Role]) (cms.Role, error) {
			return roles.Update(c.R.Context(), c.Actor(), slug, body, ok)
		},
		Delete:  func(c *Call, slug string) error { return roles.Delete(c.R.Context(), c.Actor(), slug) },
		New:     func(*Call) (cms.Role, error) { return cms.Role{Rules: []cms.Rule{}}, nil },
		ID:      func(r cms.Role) string { return string(r.Slug) },
		Name:    func(r cms.Role) string { return r.Name },
		Columns: []string{"Name", "Slug", "Rules", "Second factor"},
		Row: func(r cms.Role) []Cell {
			return []Cell{Text(r.Name), Code(string(r.Slug)), rulesCell(r),
				YesNo(r.RequireTOTP, "required", "optional")}
		},
		Detail: roleDetail, Fields: roleFields,
	}.Routes()
}

func rulesCell(r cms.Role) Cell {
	if r.Slug.IsBuiltin() {
		return Cell{Text: "built in", Kind: "muted"}
	}
	return Text(strconv.Itoa(len(r.Rules)))
}

func roleDetail(_ *Call, r cms.Role) (*Detail, error) {
	list := &List{Columns: []string{"Models", "Locales", "Actions"},
		Empty: "No rule: this role permits nothing."}
	for _, rule := range r.Rules {
		actions := make([]string, len(rule.Actions))
		for i, a := range rule.Actions {
			actions[i] = string(a)
		}
		list.Rows = append(list.Rows,
			Row{Cells: []Cell{namesCell(rule.Models), namesCell(rule.Locales), namesCell(actions)}})
	}
	return &Detail{
		Facts: []Fact{
			{Label: "Slug", Cells: []Cell{Code(string(r.Slug))}},
			{Label: "Second factor", Cells: []Cell{YesNo(r.RequireTOTP, "required", "optional")}},
		},
		Sections: []Section{{Title: "Rules", List: list}},
	}, nil
}

func namesCell(names []string) Cell {
	if len(names) == 0 {
		return Cell{Text: "all", Kind: "muted"}
	}
	return Text(strings.Join(names, ", "))
}

const rulesHelp = `A list such as [{"models": ["posts"], "locales": ["de"], "actions": ["read", "write"]}]. An empty list in a rule means all. ` +
	`Actions: read, write, publish, delete. media, forms, settings and redirects may stand among the models.`

func roleFields(_ *Call, r *cms.Role) ([]Field, error) {
	v := cms.Role{Rules: []cms.Rule{}}
	if r != nil {
		v = *r
	}
	rules, err := json.MarshalIndent(v.Rules, "", "  ")
	second := checkbox("require_totp", "Require a second factor", v.RequireTOTP)
	if v.Slug.IsBuiltin() {
		return []Field{second}, err
	}
	fields := []Field{
		{Name: "name", Label: "Name", Kind: "text", Value: v.Name, Required: true},
		{Name: "rules", Label: "Rules", Kind: "textarea", Value: string(rules), Help: rulesHelp},
		second,
	}
	if r == nil {
		slug := Field{Name: "slug", Label: "Slug", Kind: "text", Required: true,
			Help: "Cannot be changed later."}
		fields = append([]Field{slug}, fields...)
	}
	return fields, err
}

// roleOptions are the roles that a user can have.
func roleOptions(c *Call, roles *access.Roles) ([]Option, error) {
	page, err := roles.List(c.R.Context(), db.Paging{Page: 1, PerPage: 1000})
	options := []Option{}
	for _, r := range page.Items {
		options = append(options, Option{string(r.Slug), r.Name})
	}
	return options, err
}
