package pickers

import (
	"context"
	"strconv"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/search"
	"headless/pkg/site"
)

// searchKey is the name of the search box of the open panel. At most one panel is open.
const searchKey = "_q"

// modelKey is the name of the choice of a model in the open panel of a relation to several.
const modelKey = "_model"

// localeKey is the name of the choice of a language in the open panel.
const localeKey = "_locale"

// openPanel opens the panel of a field with the choices that a step asks for. If the search fails, the
// panel says why.
func (l Library) openPanel(c *frame.Call, f *ui.Field) error {
	paging := db.Paging{Page: 1, PerPage: pickPage}
	panel := &ui.Panel{}
	if c.Step.Verb == "find" {
		panel.Query = c.Form.Get(searchKey)
		if n, err := strconv.Atoi(c.Step.Arg); err == nil && n > 0 {
			paging.Page = n
		}
	}
	f.Pick.Panel = panel
	for _, m := range f.Pick.Several {
		if m.Slug == c.Form.Get(modelKey) {
			f.Pick.Model = m
		}
		panel.Models = append(panel.Models, ui.Option{Value: m.Slug, Label: say.Data(m.Name)})
	}
	if f.Pick.Several != nil {
		panel.Model = f.Pick.Model.Slug
	}
	if f.Pick.Locale != "" && f.Pick.Model.Localized {
		panel.Locale = f.Pick.Locale
		if c.Step.Verb == "find" && c.Form.Has(localeKey) {
			panel.Locale = c.Form.Get(localeKey)
		}
		panel.Locales = []ui.Option{{Value: f.Pick.Locale, Label: ui.LocaleName(c.Site, f.Pick.Locale)},
			{Label: "All languages"}}
	}
	page, err := l.search(c, f.Pick, panel, paging)
	if e := frame.AsError(err); e != nil {
		panel.Problem = say.Known(e.Message)
		return nil
	}
	if err != nil {
		return err
	}
	chosen := map[string]bool{}
	for _, id := range f.Pick.Ids {
		chosen[id] = true
	}
	for _, v := range page.Items {
		if f.Pick.Model != nil {
			v.ID = f.Pick.As(v.ID)
		}
		if v.Name, v.Many = f.Name, f.Pick.Many; !chosen[v.ID] {
			panel.Choices = append(panel.Choices, v)
		}
	}
	turn := func(text say.Text, to int) *ui.Button {
		return &ui.Button{Text: text, Do: "find " + f.Name + " " + strconv.Itoa(to), To: f.Name}
	}
	shown := frame.Paged(c, &ui.List{}, page)
	if panel.Range = shown.Range; shown.Prev != "" {
		panel.Prev = turn("Previous", page.Page-1)
	}
	if shown.Next != "" {
		panel.Next = turn("Next", page.Page+1)
	}
	return nil
}

// search returns a page of choices that match the words of a panel. Without words these are the newest files, or
// the entries in the order of their model.
func (l Library) search(c *frame.Call, p *ui.Pick, panel *ui.Panel, paging db.Paging) (db.Page[ui.Choice], error) {
	if p.Model == nil {
		q := index.ListQuery{Paging: paging, Filters: assets.MediaSearch(panel.Query)}
		if len(p.Mimes) > 0 {
			q.Filters = append(q.Filters, query.Filter{Path: "mime", Op: query.OpIn, Values: p.Mimes})
		}
		page, err := l.Files.List(c.R.Context(), q)
		return frame.MapPage(page,
			func(m cms.Media) ui.Choice { return fileChoice(m.ID, m.Name, m.Mime, m.URL) }), err
	}
	locales := c.Site.Codes()
	if panel.Locale != "" {
		locales = []string{panel.Locale}
	}
	return l.entries(c.R.Context(), c.Site, p.Model, content.EntryQuery{
		ListQuery: index.ListQuery{Paging: paging}, Q: panel.Query, Statuses: offeredStatuses, Locales: locales})
}

func (l Library) entries(ctx context.Context, site *site.Site, m *site.Model,
	q content.EntryQuery) (db.Page[ui.Choice], error) {
	page, err := search.Entries(ctx, l.Entries.Store, site, m, q)
	return frame.MapPage(page,
		func(e *cms.Entry) ui.Choice { return entryChoice(e, m, ui.LocaleName(site, e.Locale)) }), err
}
