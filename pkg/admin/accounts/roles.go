package accounts

import (
	"headless/pkg/access"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/slice"
)

// RoleRoutes returns the routes of roles.
func RoleRoutes(roles *access.Roles) []frame.Route {
	return resource.Kind[cms.Role]{
		Path: "/roles", Title: "Roles", One: "role", Event: "role.changed", Confirm: true, Param: "slug",
		Decode:  decodeRules,
		New:     func(*frame.Call) (cms.Role, error) { return cms.Role{Rules: []cms.Rule{}}, nil },
		ID:      func(r cms.Role) string { return string(r.Slug) },
		Name:    say.Role,
		Columns: []say.Text{"Name", "Slug", "Rules", "Second factor"},
		Row: func(r cms.Role) []ui.Cell {
			return []ui.Cell{ui.Word(say.Role(r)), ui.Code(string(r.Slug)), rulesCell(r),
				ui.YesNo(r.RequireTOTP, "required", "optional")}
		},
		Detail: roleDetail, Fields: roleFields,
	}.On(roles).Routes()
}

func rulesCell(r cms.Role) ui.Cell {
	if r.Slug.IsBuiltin() {
		return ui.Cell{Text: "built in", Kind: "muted"}
	}
	return ui.Word(say.Number(len(r.Rules)))
}

func roleDetail(c *frame.Call, r cms.Role) (*ui.Detail, error) {
	models := modelOptions(c.Site)
	list := &ui.List{Columns: []say.Text{"Models", "Languages", "Actions"},
		Empty: "No rule: this role permits nothing."}
	for _, rule := range r.Rules {
		list.Rows = append(list.Rows, ui.Row{Cells: []ui.Cell{namesCell(ui.Labels(models, rule.Models)),
			namesCell(slice.Map(rule.Locales, c.LocaleName)), namesCell(ui.Labels(actionOptions(), rule.Actions))}})
	}
	return &ui.Detail{
		Facts: []ui.Fact{
			ui.NewFact("Slug", ui.Code(string(r.Slug))),
			ui.NewFact("Second factor", ui.YesNo(r.RequireTOTP, "required", "optional")),
		},
		Sections: []ui.Section{{Title: "Rules", List: list}},
	}, nil
}

func namesCell(names []say.Text) ui.Cell {
	if len(names) == 0 {
		return ui.Cell{Text: "all", Kind: "muted"}
	}
	return ui.Word(say.Join(names, say.Comma))
}

// roleBadge shows the name that options have for a role; its slug if it was deleted.
func roleBadge(options []ui.Option, slug string) ui.Cell {
	return ui.Badge(ui.Labels(options, []string{slug})[0])
}

// nameRoles puts names in the place of the slugs in the column of roles, which is the third one.
func nameRoles(c *frame.Call, roles *access.Roles, list *ui.List) error {
	options, err := roleOptions(c, roles)
	for _, row := range list.Rows {
		row.Cells[2] = roleBadge(options, row.Cells[2].Text.String())
	}
	return err
}

// roleOptions are the roles that a user can have.
func roleOptions(c *frame.Call, roles *access.Roles) ([]ui.Option, error) {
	page, err := roles.List(c.R.Context(), db.Paging{Page: 1, PerPage: 1000})
	options := []ui.Option{}
	for _, r := range page.Items {
		options = append(options, ui.Option{Value: string(r.Slug), Label: say.Role(r)})
	}
	return options, err
}
