package healthpages

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/health"
	"headless/pkg/site"
	"headless/pkg/slice"
)

var columns = []say.Text{"Finding", "Entry", "Place", "Detail", "Language", "Since"}

// page shows a list of findings with its filters.
func (h handlers) page(c *frame.Call, f health.Filter, list health.List) (*ui.Page, error) {
	people, err := c.People()
	if err != nil {
		return nil, err
	}
	q := c.R.URL.Query()
	kinds := []ui.Option{{Value: "", Label: "All"}}
	for _, kind := range health.Kinds {
		kinds = append(kinds, ui.Option{Value: string(kind), Label: say.F("{1} ({2})", say.Known(kind.Words()),
			list.Counts[kind])})
	}
	rows, err := h.rowsOf(c, people, list.Items)
	if err != nil {
		return nil, err
	}
	shown := &ui.List{Columns: columns, Rows: rows, Total: list.Total,
		Empty: "Nothing is wrong with the published entries.", Bulk: bulkForm(rows, f.Ignored),
		Filters: []ui.Field{
			{Name: "kind", Label: "Finding", Kind: "select", Value: q.Get("kind"), Options: kinds},
			{Name: "model", Label: "Model", Kind: "select", Value: q.Get("model"),
				Options: ui.WithNone("All", ui.ModelOptions(frame.SortedModels(c.Site)))},
			{Name: "locale", Label: "Language", Kind: "select", Value: q.Get("locale"),
				Options: ui.WithNone("All", ui.LocaleOptions(c.Site.Locales))},
			{Name: "ignored", Label: "Show", Kind: "select", Value: q.Get("ignored"),
				Options: []ui.Option{{Value: "", Label: "What is open"}, {Value: "true", Label: "What is ignored"}}},
		}}
	shown.Chips, shown.Links = ui.Chips(shown.Filters, q), csvLinks(f, q)
	if f.Ignored {
		shown.Empty = "No finding is ignored."
	}
	if list.Next != "" {
		q.Set("cursor", list.Next)
		shown.Next = "?" + q.Encode()
	}
	page := &ui.Page{Title: "Health", List: shown}
	if q.Get("kind") == string(health.TranslationMissing) {
		page.Notice = notExpected(c.Site)
	}
	return page, nil
}

// notExpected names the models that have translations but expect none, in which none is missing; "" if there are none.
func notExpected(now *site.Site) say.Text {
	var names []string
	for _, m := range frame.SortedModels(now) {
		if m.Localized && m.IsActive && len(m.Translate) == 0 && len(now.Locales) > 1 {
			names = append(names, m.Name)
		}
	}
	if names == nil {
		return ""
	}
	return say.F("Not looked for in {1}: “Translations to expect” of these models is empty.", strings.Join(names, ", "))
}

// bulkForm returns the form that replaces the links and writes the texts that findings are about, ignores findings,
// or shows them again.
// The user may write the entries of rows with an id.
func bulkForm(rows []ui.Row, ignored bool) *ui.Bulk {
	if !slices.ContainsFunc(rows, func(r ui.Row) bool { return r.ID != "" }) {
		return nil
	}
	b := &ui.Bulk{Action: ui.Base + "/health/ignore", Buttons: []ui.BulkButton{
		{Label: "Replace links", Value: "choose", Action: ui.Base + "/health/links"},
		{Label: "Write texts", Value: "write", Action: ui.Base + "/health/texts"}, {Label: "Ignore", Value: "ignore"}}}
	if ignored {
		b.Buttons = []ui.BulkButton{{Label: "Do not ignore any more", Value: "show"}}
	}
	return b
}

func (h handlers) rowsOf(c *frame.Call, people frame.People, found []health.Finding) (rows []ui.Row, err error) {
	var ids []string // of what links lead to
	for _, f := range found {
		if isLink(f.Kind) {
			ids = append(ids, strings.Split(f.Detail, ", ")...)
		}
	}
	slices.Sort(ids) // many lead to the same
	names, err := h.names(c, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		address, form := entrydata.EntryAddress(f.Model, f.ID), entrydata.FormAddress(c, f.Model, f.ID)
		place := ui.Cell{}
		if f.Field != "" {
			place = ui.Word(entrydata.PathLabel(c.Site.Models[f.Model], f.Field))
			place.Href = form + "#" + url.PathEscape(f.Field)
		}
		detail := ui.Word(detailOf(f))
		switch {
		case f.Kind == health.TranslationMissing:
			place, detail = ui.Word(ui.LocaleName(c.Site, f.Detail)), ui.Cell{}
			if c.MayDo(cms.ActionWrite, f.Model, f.Detail) {
				place.Href = address + "/translate?locale=" + url.QueryEscape(f.Detail)
			}
		case f.Kind == health.AltMissing && c.MayUse(http.MethodGet, "/media/{id}"):
			detail.Href = ui.Base + "/media/" + fileOf(f)
		case isLink(f.Kind):
			detail.Text = say.Join(slice.Map(strings.Split(f.Detail, ", "), func(id string) say.Text { return names[id] }),
				say.Comma)
		}
		if f.Ignored != nil {
			detail = ui.Word(say.F("ignored by {1}", people.Name(f.Ignored.By.Name)))
		}
		if f.Kind == health.SEOTitle || f.Kind == health.SEODescription { // they name the field
			detail.Href, place = place.Href, ui.Cell{}
		}
		id := ""
		if c.MayDo(cms.ActionWrite, f.Model, f.Locale) {
			id = string(f.Kind) + "|" + f.ID + "|" + f.Field
		}
		rows = append(rows, ui.Row{ID: id, Href: form,
			Cells: []ui.Cell{ui.Word(say.Known(f.Kind.Words())), {Text: say.Data(f.Title), Href: address}, place, detail,
				ui.Word(ui.LocaleName(c.Site, f.Locale)), ui.When(f.Since)}})
	}
	return rows, nil
}

// isLink reports whether findings of a kind are about links, whose targets stand in the detail.
func isLink(kind health.Kind) bool { return kind == health.LinkGone || kind == health.LinkUnpublished }

// fileOf returns the id of the file that a finding about an alternative text names.
func fileOf(f health.Finding) string {
	id, _, _ := strings.Cut(f.Detail, ",")
	return id
}
