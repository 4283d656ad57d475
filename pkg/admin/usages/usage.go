package usages

import (
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/links"
	"headless/pkg/site"
)

// UsageOf returns a page of the places where an entry or a file is used.
func UsageOf(c *frame.Call, uses links.Usage, target, name string, list ui.Link, item string) (frame.Result, error) {
	p, err := c.PlainPaging()
	if err != nil {
		return frame.Result{}, err
	}
	page, err := uses.List(c.R.Context(), target, p)
	if err != nil {
		return frame.Result{}, err
	}
	result := frame.Result{Data: page.Items, Meta: frame.Meta(page)}
	if c.JSON {
		return result, nil
	}
	table := &ui.List{Columns: []say.Text{"Title", "Model", "Language", "Status", "Place"},
		Empty: "Nothing leads here."}
	for _, use := range page.Items {
		table.Rows = append(table.Rows, useRow(c.Site, use))
	}
	result.Page = &ui.Page{Title: "Where it is used", Crumbs: []ui.Link{list, {Text: say.Data(name), Href: item}},
		List: frame.Paged(c, table, page)}
	return result, nil
}

func useRow(siteNow *site.Site, use links.Use) ui.Row {
	title, model, place := wordsOf(siteNow, use)
	status := ui.StatusBadge(use.Status)
	if use.Draft {
		status = ui.Cell{Text: "draft beside it", Kind: "warn"}
	}
	return ui.Row{Href: useAddress(use), Cells: []ui.Cell{ui.Word(title), ui.Word(model),
		ui.Badge(ui.LocaleName(siteNow, use.Locale)), status, ui.Word(place)}}
}

// wordsOf returns the title of a use and the names of its model and field, such as "About", "Pages" and
// "Hero › Picture". The place of a setting is its group, and that of an item the language of its menu.
func wordsOf(siteNow *site.Site, use links.Use) (title, model, place say.Text) {
	switch m := siteNow.Models[use.Model]; {
	case m != nil:
		return say.Data(use.Title), say.Data(m.Name), entrydata.PathLabel(m, use.Path)
	case use.Model == cms.AreaSettings:
		group, _, _ := strings.Cut(use.Title, ".")
		return entrydata.SettingLabel(use.Title), "Settings", entrydata.SettingLabel(group)
	}
	return say.Data(use.Title), "Menus", say.F("Items in {1}", ui.LocaleName(siteNow, use.Locale))
}

func useAddress(use links.Use) string {
	switch use.Model {
	case cms.AreaSettings:
		return ui.Base + "/settings"
	case cms.AreaMenus:
		return ui.Base + "/menus/" + use.ID
	}
	return ui.Base + ui.EntryPath(use.Model, use.ID)
}

// UsedIn returns a fact that shows on the page of an item where the item is used, as a warning
// before it is deleted.
func UsedIn(c *frame.Call, uses links.Usage, target, item string) (ui.Fact, error) {
	page, err := uses.Glance(c.R.Context(), target)
	fact := ui.Fact{Label: "Used in"}
	for _, use := range page.Items {
		title, model, place := wordsOf(c.Site, use)
		fact.Cells = append(fact.Cells, ui.Cell{Text: say.F("{1} ({2}: {3})", title, model, place),
			Href: useAddress(use)})
	}
	if page.Total > len(page.Items) {
		fact.Cells = append(fact.Cells, ui.Cell{Text: "All places", Href: item + "/usage"})
	}
	return fact, err
}
