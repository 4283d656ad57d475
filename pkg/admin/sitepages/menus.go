package sitepages

import (
	"strconv"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/menus"
)

// MenuRoutes are the routes of the menus of the site (extensions §13).
func MenuRoutes(s *menus.Menus, entries entrydata.EntryHandlers) []frame.Route {
	h := menuForms{entries, s}
	add := frame.Route{Method: "POST", Pattern: "/menus/entries", Role: cms.RoleEditor, Handle: h.add, Form: h.addPage,
		Public: true}
	return append(frame.Resource[menus.Menu]{
		Path: "/menus", Title: "Menus", One: "menu", Param: "slug", Write: cms.RoleEditor, Tagged: true, Public: true,
		Create: func(c *frame.Call, body map[string]any) (menus.Menu, error) {
			if err := h.readRows(c, body); err != nil {
				return menus.Menu{}, err
			}
			return s.Create(c.R.Context(), c.Actor(), body)
		},
		Update: func(c *frame.Call, slug string, body map[string]any,
			ok input.Precondition[menus.Menu]) (menus.Menu, error) {
			if err := h.readRows(c, body); err != nil {
				return menus.Menu{}, err
			}
			return s.Update(c.R.Context(), c.Actor(), slug, body, ok)
		},
		New:     func(*frame.Call) (menus.Menu, error) { return menus.Menu{Items: map[string][]menus.Item{}}, nil },
		ID:      func(m menus.Menu) string { return m.Slug },
		Name:    func(m menus.Menu) say.Text { return say.Data(m.Name) },
		Columns: []say.Text{"Name", "Slug", "Changed"},
		Row: func(m menus.Menu) []ui.Cell {
			return []ui.Cell{ui.Text(m.Name), ui.Code(m.Slug), ui.When(m.UpdatedAt)}
		},
		Detail: func(c *frame.Call, m menus.Menu) (*ui.Detail, error) {
			now, err := entries.Entries.Store.Site(c.R.Context())
			if err != nil {
				return nil, err
			}
			facts := []ui.Fact{{Label: "Slug", Cells: []ui.Cell{ui.Code(m.Slug)}}}
			for _, l := range now.Locales {
				facts = append(facts, ui.Fact{Label: say.F("Items in {1}", l.Name),
					Cells: []ui.Cell{ui.Text(strconv.Itoa(countItems(m.Items[l.Code])))}})
			}
			return &ui.Detail{Facts: append(facts, ui.Fact{Label: "Changed", Cells: []ui.Cell{ui.When(m.UpdatedAt)}})}, nil
		},
		Fields: h.fields, Scripts: []string{"drag", "blocks"},
	}.On(s).Routes(), add)
}

func countItems(items []menus.Item) (n int) {
	for _, item := range items {
		n += 1 + countItems(item.Children)
	}
	return n
}
