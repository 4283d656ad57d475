package sitepages

import (
	"cmp"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/menus"
)

// MenuRoutes returns the routes of the menus of the site (extensions §13).
func MenuRoutes(s *menus.Menus, entries entrydata.EntryHandlers) []frame.Route {
	h := menuForms{entries, s}
	add := frame.Route{Method: "POST", Pattern: "/menus/entries", Role: cms.RoleEditor, Handle: h.add, Form: h.addPage,
		Public: true}
	return append(resource.Kind[menus.Menu]{
		Path: "/menus", Title: "Menus", One: "menu",
		Event: "menu.updated", Param: "slug", Write: cms.RoleEditor, Tagged: true, Public: true,
		Decode:  h.readRows,
		New:     func(*frame.Call) (menus.Menu, error) { return menus.Menu{Items: map[string][]menus.Item{}}, nil },
		ID:      func(m menus.Menu) string { return m.Slug },
		Name:    func(m menus.Menu) say.Text { return say.Data(m.Name) },
		Columns: []say.Text{"Name", "Slug", "Changed"},
		Row: func(m menus.Menu) []ui.Cell {
			return []ui.Cell{ui.Text(m.Name), ui.Code(m.Slug), ui.When(m.UpdatedAt)}
		},
		Detail: h.detail,
		Fields: h.fields, LaterAssets: []string{"drag", "blocks"},
	}.On(s).Routes(), add)
}

// detail shows the items of a menu, each with the names of those above it.
func (h menuForms) detail(c *frame.Call, m menus.Menu) (*ui.Detail, error) {
	d := &ui.Detail{Facts: []ui.Fact{ui.NewFact("Slug", ui.Code(m.Slug)),
		ui.NewFact("Changed", ui.When(m.UpdatedAt))}}
	for _, l := range c.Site.Locales {
		facts, err := h.itemFacts(c, m.Items[l.Code])
		if err != nil {
			return nil, err
		}
		if len(facts) > 0 {
			d.Sections = append(d.Sections, ui.Section{Title: say.F("Items in {1}", c.LocaleName(l.Code)), Facts: facts})
		}
	}
	return d, nil
}

// itemFacts lists items and those below them: their names, after those of the items above them, and where they lead.
func (h menuForms) itemFacts(c *frame.Call, items []menus.Item) ([]ui.Fact, error) {
	labels, err := h.menus.Labels(c.R.Context(), c.Site, items)
	facts := make([]ui.Fact, len(labels))
	var names []string
	for i, item := range labels {
		names = append(names[:item.Level-1], item.Name)
		leads := ui.Cell{}
		switch {
		case item.Entry != nil && c.Site.Models[item.Entry.Model] != nil:
			leads = ui.Text(cmp.Or(item.Title, c.Site.Models[item.Entry.Model].Name))
			leads.Href = entrydata.EntryAddress(item.Entry.Model, item.Entry.ID)
		case item.Href != "":
			leads = ui.Text(item.Href)
		}
		facts[i] = ui.NewFact(say.Data(strings.Join(names, " › ")), leads)
	}
	return facts, err
}
