package usages

import (
	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/links"
)

// UsageOf returns a page of the places where an entry or a file is used.
func UsageOf(c *frame.Call, uses links.Usage, target, name string, list ui.Link,
	item string) (frame.Result, error) {
	p, err := c.Paging()
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
	table := &ui.List{Columns: []string{"Title", "Model", "Locale", "Status", "Place"},
		Empty: "Nothing leads here."}
	for _, use := range page.Items {
		table.Rows = append(table.Rows, useRow(use))
	}
	result.Page = &ui.Page{Title: "Where it is used", Crumbs: []ui.Link{list, {Text: name, Href: item}},
		List: frame.Paged(c, table, page)}
	return result, nil
}

func useRow(use links.Use) ui.Row {
	status := ui.StatusBadge(use.Status)
	if use.Draft {
		status = ui.Cell{Text: "draft beside it", Kind: "warn"}
	}
	return ui.Row{Href: useAddress(use), Cells: []ui.Cell{ui.Text(use.Title), ui.Code(use.Model),
		ui.Badge(use.Locale), status, ui.Code(use.Path)}}
}

func useAddress(use links.Use) string {
	if use.Model == "settings" {
		return ui.Base + "/settings"
	}
	return ui.Base + "/models/" + use.Model + "/entries/" + use.ID
}

// UsedIn returns a fact that shows on the page of an item where the item is used, as a warning
// before it is deleted.
func UsedIn(c *frame.Call, uses links.Usage, target, item string) ([]ui.Fact, error) {
	page, err := uses.Glance(c.R.Context(), target)
	if err != nil {
		return nil, err
	}
	fact := ui.Fact{Label: "Used in"}
	for _, use := range page.Items {
		fact.Cells = append(fact.Cells, ui.Cell{Text: use.Title + " (" + use.Path + ")",
			Href: useAddress(use)})
	}
	if page.Total > len(page.Items) {
		fact.Cells = append(fact.Cells, ui.Cell{Text: "All places", Href: item + "/usage"})
	}
	return []ui.Fact{fact}, nil
}
