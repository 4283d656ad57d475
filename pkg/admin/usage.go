package admin

import (
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/links"
)

// ifUnused reads if_unused of a DELETE (extensions §6).
func (c *Call) ifUnused() (bool, error) {
	query := c.R.URL.Query()
	if !query.Has("if_unused") {
		return false, nil
	}
	if values := query["if_unused"]; len(values) != 1 || values[0] != "true" {
		return false, cms.Errorf(cms.CodeBadRequest, "if_unused can only be true.")
	}
	return true, nil
}

// mediaUsage answers GET /media/{id}/usage.
func (h mediaHandlers) usage(c *Call) (Result, error) {
	m, err := h.files.Get(c.R.Context(), c.R.PathValue("id"))
	if err != nil {
		return Result{}, err
	}
	return usageOf(c, h.uses, m.ID, m.Name, Link{"Media", Base + "/media"}, Base+"/media/"+m.ID)
}

// usage answers GET /models/{slug}/entries/{id}/usage.
func (h entryHandlers) usage(c *Call) (Result, error) {
	e, err := h.get(c, c.R.PathValue("id"))
	if err != nil {
		return Result{}, err
	}
	at := Base + "/models/" + c.R.PathValue("slug") + "/entries"
	return usageOf(c, links.Usage{Store: h.entries.Store}, e.ID, e.Title, Link{h.heading(c), at}, at+"/"+e.ID)
}

func usageOf(c *Call, uses links.Usage, target, name string, list Link, item string) (Result, error) {
	p, err := c.Paging()
	if err != nil {
		return Result{}, err
	}
	page, err := uses.List(c.R.Context(), target, p)
	if err != nil {
		return Result{}, err
	}
	result := Result{Data: page.Items, Meta: meta(page)}
	if c.JSON {
		return result, nil
	}
	table := &List{Columns: []string{"Title", "Model", "Locale", "Status", "Place"},
		Empty: "Nothing leads here."}
	for _, use := range page.Items {
		table.Rows = append(table.Rows, useRow(use))
	}
	result.Page = &Page{Title: "Where it is used", Crumbs: []Link{list, {name, item}},
		List: Paged(c, table, page)}
	return result, nil
}

func useRow(use links.Use) Row {
	status := statusBadge(use.Status)
	if use.Draft {
		status = Cell{Text: "draft beside it", Kind: "warn"}
	}
	return Row{Href: useAddress(use), Cells: []Cell{Text(use.Title), Code(use.Model),
		Badge(use.Locale), status, Code(use.Path)}}
}

func useAddress(use links.Use) string {
	if use.Model == "settings" {
		return Base + "/settings"
	}
	return Base + "/models/" + use.Model + "/entries/" + use.ID
}

// usedIn shows on the page of an item where it is used, so that whoever deletes it knows.
func usedIn(c *Call, uses links.Usage, target, item string) ([]Fact, error) {
	page, err := uses.List(c.R.Context(), target, db.Paging{Page: 1, PerPage: 20})
	if err != nil {
		return nil, err
	}
	fact := Fact{Label: "Used in"}
	for _, use := range page.Items {
		fact.Cells = append(fact.Cells, Cell{Text: use.Title + " (" + use.Path + ")", Href: useAddress(use)})
	}
	if page.Total > len(page.Items) {
		fact.Cells = append(fact.Cells, Cell{Text: "All places", Href: item + "/usage"})
	}
	return []Fact{fact}, nil
}
