// Package treepages has the pages of the trees of models: their entries in order, and the form that moves one.
package treepages

import (
	"fmt"
	"net/url"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/content/tree"
	"headless/pkg/editing"
	"headless/pkg/editing/moving"
	"headless/pkg/input"
	"headless/pkg/site"
	"headless/pkg/urls"
)

// Routes returns the routes of trees (extensions §13).
func Routes(entries entrydata.EntryHandlers) []frame.Route {
	h := handlers{entries}
	const at = "/models/{slug}/tree"
	return []frame.Route{
		{Method: "GET", Pattern: at, Role: cms.RoleViewer, Handle: h.show},
		{Method: "PUT", Pattern: at, Role: cms.RoleEditor, Handle: h.move, Form: h.movePage},
		{Method: "GET", Pattern: at + "/move", Role: cms.RoleEditor, Handle: h.moveForm},
	}
}

type handlers struct{ entries entrydata.EntryHandlers }

func at(m *site.Model) string { return ui.Base + "/models/" + m.Slug + "/tree" }

// model returns the model in the path if it has a tree.
func (h handlers) model(c *frame.Call) (*site.Site, *site.Model, error) {
	now, m, err := h.entries.Model(c)
	if err == nil && !m.Tree {
		err = editing.ErrNoTree
	}
	return now, m, err
}

// show answers with the tree of a model in a locale, with parent and depth as in the API.
func (h handlers) show(c *frame.Call) (frame.Result, error) {
	now, m, err := h.model(c)
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
	list := &ui.List{Columns: []string{"Entry", "Address", "Status"}, Empty: "There are no entries in this locale."}
	mayMove := h.entries.MayWrite(c, m, &cms.Entry{Locale: n.Locale})
	var add func(nodes []*urls.Node, parent string, level int)
	add = func(nodes []*urls.Node, parent string, level int) {
		for _, node := range nodes {
			row := ui.Row{ID: node.ID, Parent: parent, Level: level,
				Href: entrydata.EntryAddress(m.Slug, node.ID), Cells: []ui.Cell{
					ui.Text(indented(level-1, node.Title)), address(node.URL), ui.StatusBadge(node.Status)}}
			if mayMove {
				row.Actions = []ui.Action{{Label: "Move…", Href: at(m) + "/move?id=" + node.ID}}
			}
			list.Rows = append(list.Rows, row)
			add(node.Children, node.ID, level+1)
		}
	}
	add(nodes, n.Parent, 1)
	if m.Localized {
		locales := make([]ui.Option, 0, len(now.Locales))
		for _, code := range now.ActiveCodes() {
			locales = append(locales, ui.Option{Value: code, Label: now.Locale(code).Name})
		}
		list.Filters = []ui.Field{{Name: "locale", Label: "Locale", Kind: "select", Value: n.Locale, Options: locales}}
	}
	return frame.Result{Data: nodes, Page: &ui.Page{Title: "Site: " + m.Name, List: list, Assets: []string{"drag", "tree"},
		Crumbs: []ui.Link{{Text: m.Name, Href: ui.Base + "/models/" + m.Slug + "/entries"}}}}, nil
}

// indented shows the level of an entry, for readers of screens too.
func indented(level int, title string) string { return strings.Repeat("— ", level) + title }

func address(u *cms.EntryURL) ui.Cell {
	if u == nil || *u == "" {
		return ui.Text("")
	}
	return ui.Code(string(*u))
}

// move moves an entry. A form names the place as one value, see places.
func (h handlers) move(c *frame.Call) (frame.Result, error) {
	body, err := c.Body()
	if err != nil {
		return frame.Result{}, err
	}
	if c.IsForm {
		body = formBody(body)
	}
	model := c.R.PathValue("slug")
	e, err := moving.Trees{Entries: h.entries.Entries}.Move(c.R.Context(), c.Actor(), model, body,
		frame.Matching(c, entrydata.ShownEntry))
	if err != nil {
		return frame.Result{}, err
	}
	return frame.Result{Data: entrydata.ShownEntry(e),
		Redirect: "/models/" + model + "/tree?ok=saved&locale=" + url.QueryEscape(e.Locale)}, nil
}

// formBody returns the body of a move from the values of a form: the texts, with "to" as parent and the entry
// beside.
func formBody(form map[string]any) map[string]any {
	body := map[string]any{}
	for key, v := range form {
		text := ""
		if values, ok := v.(input.FormValue); ok {
			text = values.Last()
		}
		if key != "to" {
			body[key] = text
			continue
		}
		part := strings.Split(text, " ") // where, parent, beside
		if len(part) == 3 {
			if body["parent"] = part[1]; part[2] != "" {
				body[part[0]] = part[2]
			}
		}
	}
	return body
}

// moveForm answers with the form that moves the entry of the parameter id.
func (h handlers) moveForm(c *frame.Call) (frame.Result, error) {
	page, err := h.movePage(c)
	if err != nil {
		return frame.Result{}, err
	}
	return frame.Result{Data: page.Form.Fields[1].Options, Page: page}, nil
}

func (h handlers) movePage(c *frame.Call) (*ui.Page, error) {
	_, m, err := h.model(c)
	if err != nil {
		return nil, err
	}
	id := c.R.URL.Query().Get("id")
	if c.IsForm {
		id = c.Form.Get("id")
	}
	e, err := h.entries.Get(c, id)
	if err != nil {
		return nil, err
	}
	t, err := h.entries.Entries.Store.ReadTree(c.R.Context(), m, e.Locale, cms.Statuses, "", 0)
	if err != nil {
		return nil, err
	}
	page := &ui.Page{Title: "Move " + e.Title, Notice: whatMoves(m, t, e),
		Crumbs: []ui.Link{{Text: "Site: " + m.Name, Href: at(m) + "?locale=" + url.QueryEscape(e.Locale)}},
		Form: &ui.Form{Action: at(m), Method: "PUT", Submit: "Move", Cancel: at(m) + "?locale=" + url.QueryEscape(e.Locale),
			Fields: []ui.Field{{Name: "id", Kind: "hidden", Value: e.ID},
				{Name: "to", Label: "To", Kind: "select", Options: places(t, e.ID), Focus: true}}}}
	return page, nil
}

// places lists where an entry can go, from the first place to the last: before or after each other entry, or
// below one that has none below it. Values are as formBody reads them.
func places(t *tree.Tree, moved string) (list []ui.Option) {
	add := func(where, parent, beside, title string, level int) {
		list = append(list, ui.Option{Value: where + " " + parent + " " + beside,
			Label: indented(level, strings.ToUpper(where[:1])+where[1:]+" “"+title+"”")})
	}
	var walk func(parent string, level int)
	walk = func(parent string, level int) {
		first := true
		for _, n := range t.Below(parent) {
			if n.ID == moved || level > cms.MaxLevels {
				continue
			}
			if first {
				add("before", parent, n.ID, n.Title, level)
				first = false
			}
			was := len(list)
			if walk(n.ID, level+1); len(list) == was && level+1 < cms.MaxLevels {
				add("below", n.ID, "", n.Title, level+1)
			}
			add("after", parent, n.ID, n.Title, level)
		}
	}
	walk("", 0)
	return list
}

// maxNamed is how many addresses the form names.
const maxNamed = 10

// whatMoves says which addresses change if an entry gets another parent.
func whatMoves(m *site.Model, t *tree.Tree, e *cms.Entry) string {
	above := map[string][]string{"": nil} // slugs, by id of the entry above
	var paths []string
	inside := map[string]bool{e.ID: true}
	t.Walk("", func(n *tree.Node, _ int) bool {
		place := n.Place(n.ID)
		place.Above = above[n.Parent]
		above[n.ID] = append(place.Above[:len(place.Above):len(place.Above)], n.Slug)
		inside[n.ID] = n.ID == e.ID || inside[n.Parent]
		if path := m.PathOf(place); inside[n.ID] && n.Status == cms.StatusPublished && path != "" && m.HasPath() {
			paths = append(paths, path)
		}
		return true
	})
	switch n := len(paths); {
	case n == 0:
		return "No published address changes."
	case n == 1:
		return "Below another entry, one address changes. The former one will lead to it: " + paths[0]
	case n > maxNamed:
		return fmt.Sprintf("Below another entry, %d addresses change. The former ones will lead to them: %s and %d more",
			n, strings.Join(paths[:maxNamed], ", "), n-maxNamed)
	default:
		return fmt.Sprintf("Below another entry, %d addresses change. The former ones will lead to them: %s",
			n, strings.Join(paths, ", "))
	}
}
