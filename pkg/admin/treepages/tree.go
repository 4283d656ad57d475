// Package treepages has the pages of the trees of models: their entries in order, and the form that moves one.
package treepages

import (
	"errors"
	"net/http"
	"net/url"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/content/tree"
	"headless/pkg/editing"
	"headless/pkg/site"
	"headless/pkg/urls"
)

// Routes returns the routes of trees (extensions §13).
func Routes(entries entrydata.EntryHandlers) []frame.Route {
	h := handlers{entries}
	const at = "/models/{slug}/tree"
	form := frame.OfModel(h.movePage, hasTree)
	return []frame.Route{
		{Method: "GET", Pattern: at, Role: cms.RoleViewer, Handle: frame.OfModel(h.show, hasTree)},
		{Method: "PUT", Pattern: at, Role: cms.RoleEditor, Handle: frame.WithBody(h.move), Form: form},
		{Method: "GET", Pattern: at + "/move", Role: cms.RoleEditor, Handle: frame.OfModel(h.moveForm, hasTree)},
		{Method: "POST", Pattern: at + "/move", Role: cms.RoleEditor,
			Handle: frame.OfModel(h.moveSeveral, hasTree), Form: form},
	}
}

type handlers struct{ entries entrydata.EntryHandlers }

func treePath(m *site.Model) string { return ui.Base + ui.ModelPath(m.Slug) + "/tree" }

// hasTree refuses a model without a tree.
func hasTree(_ *frame.Call, m *site.Model) error {
	if !m.Tree {
		return editing.ErrNoTree
	}
	return nil
}

// show answers with the tree of a model in a locale, with parent and depth as in the API. The page of a large tree
// shows one level of it.
func (h handlers) show(c *frame.Call, m *site.Model) (frame.Result, error) {
	n := h.nodes(m)
	if err := n.Ask(c.R.URL.Query(), c.Site); err != nil {
		return frame.Result{}, err
	}
	if c.JSON {
		nodes, err := n.Read(c.R.Context())
		return frame.Result{Data: nodes}, err
	}
	if err := h.openAt(c, &n); err != nil {
		return frame.Result{}, err
	}
	page := &ui.Page{Title: say.F("Site: {1}", m.Name)}
	address := treePath(m) + "?locale=" + url.QueryEscape(n.Locale)
	t, nodes, err := opened(c, n)
	l := level{n, c, c.Site, func(key, id string) string { return address + "&" + key + "=" + id }, nodes == nil}
	switch {
	case err == nil && t.Whole:
		page.List = &ui.List{Columns: columns, Empty: "There are no entries in this language."}
		addRows(page.List, nodes, "", 1)
	case err == nil || errors.Is(err, tree.ErrLargeTree):
		var above string
		if _, above, err = l.addTo(page, nodes); above != "" {
			page.Title = say.Data(above)
		}
	}
	if err != nil {
		return frame.Result{}, err
	}
	page.Crumbs = append([]ui.Link{entrydata.ListLink(m)}, page.Crumbs...)
	h.addActions(page, l)
	if m.Localized {
		page.List.Filters = append(page.List.Filters, languageOf(c.Site, n.Locale))
	}
	return frame.Result{Data: nodes, Page: page}, nil
}

// opened reads the tree or the level that a request opens. Nodes is nil, with tree.ErrLargeTree, for a level that has
// too many, which pages after the first one know.
func opened(c *frame.Call, n urls.Nodes) (*tree.Tree, []*urls.Node, error) {
	if c.R.URL.Query().Has("after") {
		return nil, nil, tree.ErrLargeTree
	}
	return n.ReadOpened(c.R.Context())
}

// nodes asks for the tree of a model as editors see it.
func (h handlers) nodes(m *site.Model) urls.Nodes {
	return urls.Nodes{Store: h.entries.Entries.Store, Model: m, Admin: true,
		Sees: func(*site.Model, *cms.Entry) bool { return true }}
}

var columns = []say.Text{"Entry", "Address", "Status"}

func cellsOf(n *urls.Node) []ui.Cell {
	return []ui.Cell{ui.Text(n.Title), address(n.URL), ui.StatusBadge(n.Status)}
}

func addRows(list *ui.List, nodes []*urls.Node, parent string, level int) {
	for _, n := range nodes {
		list.Rows = append(list.Rows, ui.Row{ID: n.ID, Parent: parent, Level: level, Cells: cellsOf(n)})
		addRows(list, n.Children, n.ID, level+1)
	}
}

// addActions adds the links of the rows, and the actions of users who may move entries.
func (h handlers) addActions(page *ui.Page, l level) {
	list, mayMove := page.List, h.entries.MayWrite(l.c, l.Model, &cms.Entry{Locale: l.Locale})
	if len(list.Rows) > 0 { // else there is no table
		page.Assets = []string{"drag", "tree"}
	}
	for i := range list.Rows {
		row := &list.Rows[i]
		row.Href = entrydata.EntryAddress(l.Model.Slug, row.ID)
		if mayMove {
			move := ui.Action{Label: "Move…", Href: treePath(l.Model) + "/move?id=" + row.ID}
			row.Actions = append([]ui.Action{move}, row.Actions...)
		}
	}
	if mayMove {
		list.Bulk = h.bulk(l.c, l.Model)
	}
}

// languageOf returns the choice of the locale of a tree.
func languageOf(now *site.Site, locale string) ui.Field {
	locales := make([]ui.Option, 0, len(now.Locales))
	for _, code := range now.ActiveCodes() {
		locales = append(locales, ui.Option{Value: code, Label: say.Data(now.Locale(code).Name)})
	}
	return ui.Field{Name: "locale", Label: "Language", Kind: "select", Value: locale, Options: locales}
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
