package treepages

import (
	"net/url"
	"slices"
	"strconv"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/search"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/urls"
)

// level is one level of a tree that has more entries than are read together, or what a search found in that tree.
type level struct {
	urls.Nodes // Parent is the entry above the level, "" for the root
	c          *frame.Call
	now        *site.Site
	href       func(key, id string) string // page of the level below an entry (parent), or of that with one (at)
	wide       bool                        // it has more entries than are sorted together
}

// inOrder reports whether the shown entries stand beside one another.
func (l level) inOrder() bool { return !l.wide && l.c.R.URL.Query().Get("q") == "" }

// openAt opens the level that the parameter at names by one of its entries, which may be gone.
func (h handlers) openAt(c *frame.Call, n *urls.Nodes) error {
	at := c.R.URL.Query().Get("at")
	known := content.Above{}
	err := h.entries.Entries.Store.AddAbove(c.R.Context(), known, at)
	if a := known[at]; a.ModelID == n.Model.ID && n.Model.KeyLocale(a.Locale) == n.Model.KeyLocale(n.Locale) {
		n.Parent = a.Parent
	}
	return err
}

// page returns a page of the nodes of the level, that with the entry at, or a page of the results of the search q. If
// the level is wide, its page has the entries that the index has next, in its order.
func (l level) page(nodes []*urls.Node) (page db.Page[*urls.Node], err error) {
	params := l.c.R.URL.Query()
	if page.Paging, err = l.c.Paging(); err != nil {
		return page, err
	}
	if params.Get("q") != "" {
		return l.find(page.Paging, params)
	}
	if i := slices.IndexFunc(nodes, func(n *urls.Node) bool { return n.ID == params.Get("at") }); i >= 0 {
		page.Page = i/page.PerPage + 1
	}
	params.Del("at")
	params.Set("parent", l.Parent)
	params.Set("page", strconv.Itoa(page.Page))
	l.c.R = l.c.R.Clone(l.c.R.Context()) // for the links to the other pages
	l.c.R.URL.RawQuery = params.Encode()
	if !l.wide {
		return db.PageOf(nodes, page.Paging), nil
	}
	page.Items, page.Next, err = l.ReadAfter(l.c.R.Context(), params.Get("after"), page.PerPage)
	page.Total, page.Estimate = page.Offset()+len(page.Items), page.Next != ""
	return page, err
}

func (l level) find(p db.Paging, params url.Values) (page db.Page[*urls.Node], err error) {
	found, err := search.Entries(l.c.R.Context(), l.Store, l.now, l.Model, content.EntryQuery{
		ListQuery: index.ListQuery{Paging: p, Cursor: params.Get("cursor")}, Q: params.Get("q"),
		Statuses: cms.Statuses, Locales: []string{l.Locale}})
	if err != nil {
		return page, err
	}
	page = frame.MapPage(found,
		func(e *cms.Entry) *urls.Node { return &urls.Node{ID: e.ID, Title: e.Title, Status: e.Status} })
	return page, (&urls.Answer{Store: l.Store}).OfEach(l.c.R.Context(), len(found.Items),
		func(i int) (*site.Model, cms.Place) { return l.Model, found.Items[i].Place() },
		func(i int, address *cms.EntryURL) { page.Items[i].URL = address })
}

// list returns the table of a page, without the links and actions that a caller adds to its rows.
func (l level) list(page db.Page[*urls.Node]) (*ui.List, error) {
	q := l.c.R.URL.Query().Get("q")
	list := &ui.List{Columns: columns, Empty: "No entry is listed here. Search for one.", Filters: []ui.Field{
		{Name: "q", Label: "Search this tree", Kind: "search", Value: q}}}
	if q != "" {
		list.Empty, list.Clear = "Nothing found.", l.href("parent", l.Parent)
	}
	ids := slice.Map(page.Items, func(node *urls.Node) string { return node.ID })
	had, err := l.Store.HadBelow(l.c.R.Context(), ids)
	for _, node := range page.Items {
		row := ui.Row{ID: node.ID, Cells: cellsOf(node)}
		if l.inOrder() {
			row.Level, row.Parent = 1, l.Parent
		} else if q != "" {
			row.Actions = append(row.Actions, ui.Action{Label: "Show in the tree", Href: l.href("at", node.ID)})
		}
		if had[node.ID] {
			row.Actions = append(row.Actions, ui.Action{Label: "Entries below", Href: l.href("parent", node.ID)})
		}
		list.Rows = append(list.Rows, row)
	}
	if frame.Paged(l.c, list, page); l.wide && q == "" {
		l.linkPages(list, page)
	}
	return list, err
}

// linkPages links the page of a wide level to the next and the first one.
func (l level) linkPages(list *ui.List, page db.Page[*urls.Node]) {
	at := func(number int, after string) string {
		params := l.c.R.URL.Query()
		params.Set("page", strconv.Itoa(number))
		params.Set("after", after)
		return "?" + params.Encode()
	}
	if list.Prev, list.Next, list.Pages = "", "", nil; page.Next != "" {
		list.Next = at(page.Page+1, page.Next)
	}
	if page.Page > 1 {
		list.Pages = []ui.Tab{{Text: say.Number(1), Href: at(1, "")},
			{Text: say.Number(page.Page), Href: "?" + l.c.R.URL.RawQuery, Here: true}}
	}
}

// addTo shows a level in a page, and links to those above. It returns the page of the level, and the title of the
// entry above it.
func (l level) addTo(page *ui.Page, nodes []*urls.Node) (shown db.Page[*urls.Node], above string, err error) {
	if shown, err = l.page(nodes); err != nil {
		return shown, "", err
	}
	if page.List, err = l.list(shown); err != nil {
		return shown, "", err
	}
	links, above, err := l.crumbs()
	if above != "" {
		page.Crumbs = links
	}
	return shown, above, err
}

// crumbs returns links to the levels above the opened one, and the title of the entry above it, "" at the root.
func (l level) crumbs() (links []ui.Link, title string, err error) {
	known := content.Above{}
	if err := l.Store.AddAbove(l.c.R.Context(), known, l.Parent); err != nil || l.Parent == "" {
		return nil, "", err
	}
	links = append(links, ui.Link{Text: say.F("Site: {1}", l.Model.Name), Href: l.href("parent", "")})
	for _, id := range known.Chain(l.Parent) {
		links = append(links, ui.Link{Text: say.Data(known[id].Title), Href: l.href("parent", id)})
	}
	return links, known[l.Parent].Title, nil
}

// choosePlace shows a level below the form that moves entries, with links that open others, and returns the places
// beside and below the entries that it lists.
func (h handlers) choosePlace(page *ui.Page, c *frame.Call, n urls.Nodes, nodes []*urls.Node,
	moved []string) (to []ui.Option, err error) {
	params := url.Values{"id": moved}
	if c.IsForm { // the form was refused: its address has no parameters
		c.R = c.R.Clone(c.R.Context())
		c.R.URL.RawQuery = params.Encode()
	}
	l := level{n, c, c.Site, func(key, id string) string {
		return treePath(n.Model) + "/move?" + params.Encode() + "&" + key + "=" + id
	}, nodes == nil}
	shown, above, err := l.addTo(page, nodes)
	if err != nil {
		return nil, err
	}
	if above != "" {
		page.Crumbs = append(page.Crumbs, ui.Link{Text: say.Data(above), Href: l.href("parent", l.Parent)})
		to = append(to, place("below", l.Parent, "", above, 0))
	}
	isLevel := l.inOrder()
	isFirst := isLevel && shown.Page == 1
	for i, node := range shown.Items {
		if slices.Contains(moved, node.ID) {
			continue
		}
		page.List.Rows[i].Href = l.href("parent", node.ID)
		if isFirst {
			isFirst = false
			to = append(to, place("before", l.Parent, node.ID, node.Title, 1))
		}
		to = append(to, place("below", node.ID, "", node.Title, 2))
		if isLevel {
			to = append(to, place("after", l.Parent, node.ID, node.Title, 1))
		}
	}
	for _, id := range moved {
		page.List.Filters = append(page.List.Filters, ui.Kept("id", id))
	}
	page.Notice = "Below another entry, its address changes, and so do those of the entries below it. " +
		"The former addresses will lead to the new ones."
	return to, err
}
