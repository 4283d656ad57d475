package sitepages

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/groups"
	"headless/pkg/input"
	"headless/pkg/menus"
	"headless/pkg/site"
)

// toMenu is the body that adds entries to a menu. A form has menu and below as one value, see addPage.
type toMenu struct {
	Menu         string `json:"menu"`
	Below        string `json:"below"` // id of an item, "" for the end
	Model        string `json:"model"`
	Translations bool   `json:"translations"`

	ids []string
}

func decodeToMenu(c *frame.Call) (in toMenu, err error) {
	body, err := c.Body()
	if err != nil {
		return in, err
	}
	in, p := input.Decode[toMenu](body, "ids", "to")
	in.ids = c.BulkIDs(body, p)
	if c.IsForm {
		in.Menu, in.Below, _ = strings.Cut(c.Form.Get("to"), " ")
	}
	if len(in.ids) == 0 && len(p["ids"]) == 0 {
		p.Add("ids", "is required")
	}
	for i, text := range in.ids {
		id, ok := input.CanonicalID(text)
		if !ok {
			p.Add("ids", "must be ids of entries")
			break
		}
		in.ids[i] = id
	}
	p.Require("menu", in.Menu)
	p.Require("model", in.Model)
	return in, p.Err()
}

// add adds items for entries to a menu, nested as the entries are in their tree. A form without a menu asks for it.
func (h menuForms) add(c *frame.Call) (frame.Result, error) {
	if c.IsForm && c.Form.Has("out") {
		return h.takeOut(c)
	}
	if c.IsForm && !c.Form.Has("to") {
		if len(c.Form["ids"]) == 0 {
			return frame.Result{Redirect: ui.ModelPath(c.Form.Get("model")) + "/tree?ok=none"}, nil
		}
		return frame.ShowPage(h.addPage)(c)
	}
	in, err := decodeToMenu(c)
	if err != nil {
		return frame.Result{}, err
	}
	m, err := c.Site.ActiveModel(in.Model)
	if err != nil {
		return frame.Result{}, err
	}
	menu, err := h.menus.Get(c.R.Context(), in.Menu)
	if err != nil {
		return frame.Result{}, err
	}
	items, err := h.withEntries(c, m, menu, in)
	if err != nil {
		return frame.Result{}, err
	}
	result, err := h.putItems(c, menu, items)
	if after, ok := result.Data.(menus.Menu); ok && err == nil {
		undo := &ui.Undo{Href: ui.Base + "/menus/entries", Fields: url.Values{"menu": {menu.Slug}}}
		for _, id := range menus.Added(menu, after) {
			undo.Fields.Add("out", outOf(after, id))
		}
		if undo.Fields.Has("out") {
			result.Undo = undo
		}
	}
	return result, err
}

// putItems replaces the items of a menu unless somebody has changed it since it was read.
func (h menuForms) putItems(c *frame.Call, menu menus.Menu, items any) (frame.Result, error) {
	changed, err := h.menus.Update(c.R.Context(), c.Actor(), menu.Slug, map[string]any{"items": items},
		func(now menus.Menu) error {
			if now.UpdatedAt != menu.UpdatedAt {
				return cms.Errorf(cms.CodePreconditionFailed, "Somebody changes this menu at the same time. Add the entries again.")
			}
			return nil
		})
	return frame.Result{Data: changed, Redirect: "/menus/" + menu.Slug + "?ok=saved"}, err
}

// outOf names an item of a menu as it is now, for takeOut.
func outOf(menu menus.Menu, id string) string {
	item := menus.Item{}
	if found := menus.ItemWith(menu, id); found != nil {
		item = *found
	}
	item.Children = nil
	return id + " " + ui.Digest(item)
}

// takeOut takes items out of a menu. One that somebody has changed since it was added, or below which others stand,
// stays.
func (h menuForms) takeOut(c *frame.Call) (frame.Result, error) {
	menu, err := h.menus.Get(c.R.Context(), c.Form.Get("menu"))
	if err != nil {
		return frame.Result{}, err
	}
	var all, out []string
	for _, line := range c.Form["out"] {
		id, _, _ := strings.Cut(line, " ")
		if all = append(all, id); outOf(menu, id) == line {
			out = append(out, id)
		}
	}
	items, err := bodyOf(menus.Without(menu, out))
	if err != nil {
		return frame.Result{}, err
	}
	result, err := h.putItems(c, menu, items)
	if after, ok := result.Data.(menus.Menu); ok && err == nil {
		gone := slices.DeleteFunc(slices.Clone(all), func(id string) bool { return menus.ItemWith(after, id) != nil })
		if len(gone) < len(all) {
			result.Redirect = "/menus/" + menu.Slug + "?ok=" + ui.Undone(len(gone), len(all))
		}
	}
	return result, err
}

func bodyOf(items map[string][]menus.Item) (body any, err error) {
	err = json.Unmarshal(db.MustMarshal(items), &body)
	return body, err
}

// withEntries returns the items of a menu in all locales, with those of the entries.
func (h menuForms) withEntries(c *frame.Call, m *site.Model, menu menus.Menu, in toMenu) (any, error) {
	ctx, store := c.R.Context(), h.entries.Entries.Store
	found := make([]*groups.Group, len(in.ids))
	all := slices.Clone(in.ids)
	if in.Translations {
		var err error
		if found, err = groups.Of(ctx, store, m, in.ids); err != nil {
			return nil, err
		}
		for _, g := range found {
			all = append(all, slices.Collect(maps.Values(g.Members))...)
		}
	}
	known := content.Above{}
	if err := store.AddAbove(ctx, known, all...); err != nil {
		return nil, err
	}
	reads := func(locale string) bool { return cms.PermissionsOf(ctx).May(cms.ActionRead, m.Slug, locale) }
	pages := map[string][]menus.Page{} // by locale
	p := cms.Problems{}
	for i, id := range in.ids {
		if known[id].ModelID != m.ID || !reads(known[id].Locale) {
			p.Add("ids", "%s is not an entry of this model", id)
			continue
		}
		members := map[string]string{known[id].Locale: id}
		if found[i] != nil {
			for locale, other := range found[i].Members {
				if reads(locale) {
					members[locale] = other
				}
			}
		}
		for locale, id := range members {
			pages[locale] = append(pages[locale], menus.Page{Model: m.Slug, ID: id, Above: known.Chain(id)})
		}
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	below, err := h.belowIn(c, menu, in.Below)
	if err != nil {
		return nil, err
	}
	items := maps.Clone(menu.Items)
	for locale, list := range pages {
		// Parents come first, so that their children find the item of each.
		slices.SortStableFunc(list, func(a, b menus.Page) int { return len(a.Above) - len(b.Above) })
		items[locale] = menus.WithPages(items[locale], below[locale], list)
	}
	return bodyOf(items)
}

// belowIn returns, by locale, the item below which new ones stand: the one with an id, and in other locales that of
// the translation of its entry.
func (h menuForms) belowIn(c *frame.Call, menu menus.Menu, id string) (map[string]string, error) {
	below := map[string]string{}
	if id == "" {
		return below, nil
	}
	item := menus.ItemWith(menu, id)
	if item == nil {
		return nil, cms.Problems{"below": {"is not an item of this menu"}}.Err()
	}
	for locale := range menu.Items {
		below[locale] = id // ids are unique in a locale
	}
	if item.Entry == nil || c.Site.Models[item.Entry.Model] == nil {
		return below, nil
	}
	m := c.Site.Models[item.Entry.Model]
	found, err := groups.Of(c.R.Context(), h.entries.Entries.Store, m, []string{item.Entry.ID})
	if err != nil {
		return nil, err
	}
	for locale, entry := range found[0].Members {
		if other := menus.ItemTo(menu.Items[locale], entry); other != "" {
			below[locale] = other
		}
	}
	return below, nil
}

// addPage returns the form that asks for a menu. Its field to is the slug of a menu, or that and the id of an item.
func (h menuForms) addPage(c *frame.Call) (*ui.Page, error) {
	ids, ctx := c.Form["ids"], c.R.Context()
	m, err := c.Site.ActiveModel(c.Form.Get("model"))
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		return nil, cms.Problems{"ids": {"is required"}}.Err()
	}
	e, err := h.entries.Entries.Store.Addresses(ctx, ids[:1])
	if err != nil {
		return nil, err
	}
	list, err := h.menus.List(ctx, db.Paging{Page: 1, PerPage: maxMenus})
	if err != nil {
		return nil, err
	}
	locale := e[ids[0]].Locale
	to := ui.Field{Name: "to", Label: "Menu", Kind: "select", Focus: true}
	for _, menu := range list.Items {
		labels, err := h.menus.Labels(ctx, c.Site, menu.Items[locale])
		if err != nil {
			return nil, err
		}
		to.Options = append(to.Options, ui.Option{Value: menu.Slug, Label: say.Data(menu.Name)})
		for _, item := range labels {
			if item.Level == menus.MaxLevels {
				continue // no item stands below it
			}
			to.Options = append(to.Options, ui.Option{Value: menu.Slug + " " + item.ID,
				Label: say.F("{1}{2} below “{3}”", menu.Name, strings.Repeat(" —", item.Level), item.Name)})
		}
	}
	tree := ui.Base + ui.ModelPath(m.Slug) + "/tree?locale=" + url.QueryEscape(locale)
	page := &ui.Page{Title: "Add to a menu",
		Crumbs: []ui.Link{{Text: "Menus", Href: ui.Base + "/menus"}},
		Form: &ui.Form{Action: ui.Base + "/menus/entries", Method: "POST", Submit: "Add", Cancel: tree,
			Fields: []ui.Field{to}}}
	switch {
	case len(ids) > 1:
		page.Title = say.N(len(ids), "Add {1} entry to a menu", "Add {1} entries to a menu")
	case e[ids[0]].TitleIn(ctx, m) != "":
		page.Title = say.F("Add to a menu: {1}", e[ids[0]].TitleIn(ctx, m))
	}
	if len(list.Items) == 0 {
		page.Notice = "There is no menu yet: make one under Menus first."
	}
	if m.Localized && len(c.Site.ActiveCodes()) > 1 {
		page.Form.Fields = append(page.Form.Fields, ui.Field{Name: "translations", Label: "Their translations too",
			Kind: "checkbox", Value: "true", Help: "They are added to the items of their languages."})
	}
	page.Form.Fields = append(page.Form.Fields, ui.Kept("model", m.Slug))
	for _, id := range ids {
		page.Form.Fields = append(page.Form.Fields, ui.Kept("ids", id))
	}
	return page, nil
}

// maxMenus is how many menus the form offers.
const maxMenus = 100
