package sitepages

import (
	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/menus"
)

// MenuRoutes are the routes of the menus of the site (extensions §13).
func MenuRoutes(s *menus.Menus) []frame.Route {
	return frame.Resource[menus.Menu]{
		Path: "/menus", Title: "Menus", One: "menu", Param: "slug", Write: cms.RoleEditor, Tagged: true,
		New:     func(*frame.Call) (menus.Menu, error) { return menus.Menu{Items: map[string][]menus.Item{}}, nil },
		ID:      func(m menus.Menu) string { return m.Slug },
		Name:    func(m menus.Menu) string { return m.Name },
		Columns: []string{"Name", "Slug", "Changed"},
		Row: func(m menus.Menu) []ui.Cell {
			return []ui.Cell{ui.Text(m.Name), ui.Code(m.Slug), ui.When(m.UpdatedAt)}
		},
		Detail: func(_ *frame.Call, m menus.Menu) (*ui.Detail, error) {
			return &ui.Detail{Facts: []ui.Fact{
				{Label: "Slug", Cells: []ui.Cell{ui.Code(m.Slug)}},
				{Label: "Changed", Cells: []ui.Cell{ui.When(m.UpdatedAt)}},
			}}, nil
		},
		Fields: func(_ *frame.Call, m *menus.Menu) ([]ui.Field, error) {
			v := menus.Menu{}
			if m != nil {
				v = *m
			}
			return []ui.Field{
				{Name: "name", Label: "Name", Kind: "text", Value: v.Name, Required: true},
				{Name: "slug", Label: "Slug", Kind: "text", Value: v.Slug, Required: true, Help: "Its path in the API: /api/v1/menus/slug."},
			}, nil
		},
	}.On(s).Routes()
}
