// Package treepages has the pages of the trees of models: their entries in order, and the form that moves one.
package treepages

import (
	"net/http"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/site"
	"headless/pkg/urls"
)

// Routes returns the routes of trees (extensions §13).
func Routes(entries entrydata.EntryHandlers) []frame.Route {
	h := handlers{entries}
	const at = "/models/{slug}/tree"
	return []frame.Route{
		{Method: "GET", Pattern: at, Role: cms.RoleViewer, Handle: h.show},
		{Method: "PUT", Pattern: at, Role: cms.RoleEditor, Handle: frame.WithBody(h.move), Form: h.movePage},
		{Method: "GET", Pattern: at + "/move", Role: cms.RoleEditor, Handle: h.moveForm},
		{Method: "POST", Pattern: at + "/move", Role: cms.RoleEditor, Handle: h.moveSeveral, Form: h.movePage},
	}
}

type handlers struct{ entries entrydata.EntryHandlers }

func treePath(m *site.Model) string { return ui.Base + "/models/" + m.Slug + "/tree" }

// treeModel returns the model in the path if it has a tree.
func (h handlers) treeModel(c *frame.Call) (*site.Site, *site.Model, error) {
	now, m, err := h.entries.Model(c)
	if err == nil && !m.Tree {
		err = editing.ErrNoTree
	}
	return now, m, err
}

// show answers with the tree of a model in a locale, with parent and depth as in the API.
func (h handlers) show(c *frame.Call) (frame.Result, error) {
	now, m, err := h.treeModel(c)
	if err != nil {
		return frame.Result{}, err
	}
	n := urls.Nodes{Store: h.entries.Entries.Store, Model: m, Admin: true, Sees: func(*cms.Entry) bool { return true }}
	if err := n.Ask(c.R.URL.Query(), now); err != nil {
		return frame.Result{}, err
	}
	nodes, err := n.Read(c.R.Context())
	if err != nil || c.JSON {
		return frame.Result{Data: nodes}, err
	}
	list := &ui.List{Columns: []say.Text{"Entry", "Address", "Status"}, Empty: "There are no entries in this locale."}
	mayMove := h.entries.MayWrite(c, m, &cms.Entry{Locale: n.Locale})
	var add func(nodes []*urls.Node, parent string, level int)
	add = func(nodes []*urls.Node, parent string, level int) {
		for _, node := range nodes {
			row := ui.Row{ID: node.ID, Parent: parent, Level: level,
				Href: entrydata.EntryAddress(m.Slug, node.ID), Cells: []ui.Cell{
					ui.Text(node.Title), address(node.URL), ui.StatusBadge(node.Status)}}
			if mayMove {
				row.Actions = []ui.Action{{Label: "Move…", Href: treePath(m) + "/move?id=" + node.ID}}
			}
			list.Rows = append(list.Rows, row)
			add(node.Children, node.ID, level+1)
		}
	}
	add(nodes, n.Parent, 1)
	if mayMove {
		list.Bulk = h.bulk(c, m)
	}
	if m.Localized {
		locales := make([]ui.Option, 0, len(now.Locales))
		for _, code := range now.ActiveCodes() {
			locales = append(locales, ui.Option{Value: code, Label: say.Data(now.Locale(code).Name)})
		}
		list.Filters = []ui.Field{{Name: "locale", Label: "Language", Kind: "select", Value: n.Locale, Options: locales}}
	}
	return frame.Result{Data: nodes, Page: &ui.Page{Title: say.F("Site: {1}", m.Name), List: list,
		Assets: []string{"drag", "tree"},
		Crumbs: []ui.Link{{Text: say.Data(m.Name), Href: ui.Base + "/models/" + m.Slug + "/entries"}}}}, nil
}

// bulk returns the actions on selected entries.
func (h handlers) bulk(c *frame.Call, m *site.Model) *ui.Bulk {
	b := &ui.Bulk{Action: treePath(m) + "/move", Hidden: []ui.Field{ui.Kept("model", m.Slug)},
		Buttons: []ui.BulkButton{{Label: "Move…"}}}
	if c.MayUse(http.MethodPost, "/menus/entries") {
		b.Buttons = append(b.Buttons, ui.BulkButton{Label: "Add to a menu…", Action: ui.Base + "/menus/entries"})
	}
	return b
}

func address(u *cms.EntryURL) ui.Cell {
	if u == nil || *u == "" {
		return ui.Cell{}
	}
	return ui.Code(string(*u))
}
