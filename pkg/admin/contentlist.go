package admin

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/search"
	"headless/pkg/site"
)

// listPage is the page of a model's entries; programs get what asJSON answers.
func (h entryHandlers) listPage(asJSON handler) handler {
	return remembering(func(c *Call) (Result, error) {
		if c.JSON {
			return asJSON(c)
		}
		p, err := c.Paging()
		if err != nil {
			return Result{}, err
		}
		if err := c.refuseNames("fields", "include"); err != nil {
			return Result{}, err
		}
		page, err := h.list(c, p)
		if err != nil {
			return Result{}, err
		}
		list, err := h.table(c, page)
		if err != nil {
			return Result{}, err
		}
		return Result{Page: &Page{Title: h.heading(c), List: list}}, nil
	})
}

// table is the list on the page of a model's entries.
func (h entryHandlers) table(c *Call, page db.Page[*cms.Entry]) (*List, error) {
	site, m, err := h.model(c)
	if err != nil {
		return nil, err
	}
	query := c.R.URL.Query()
	all := columnsOf(site, m)
	shown := chosenColumns(query, all, m)
	if err := h.withTranslations(c, site, m, shown, page.Items); err != nil {
		return nil, err
	}
	known, err := h.known(c, site, m, shown, page.Items)
	if err != nil {
		return nil, err
	}
	titles, paths := []string{"Title"}, []string{"title"}
	for _, column := range shown {
		titles, paths = append(titles, column.title), append(paths, column.sort)
	}
	list := &List{Columns: titles, Heads: heads(query, titles, paths, m.DefaultSort),
		Empty: "Nothing here yet."}
	for _, e := range page.Items {
		row := Row{ID: e.ID, Href: entryAddress(m.Slug, e.ID), Cells: []Cell{Text(e.Title)}}
		for _, column := range shown {
			row.Cells = append(row.Cells, column.cell(e, known))
		}
		list.Rows = append(list.Rows, row)
	}
	list.Choose = &Chooser{Field: columnChoice(all, shown), Hidden: hidden(query, "columns")}
	list.Filters = h.listFilters(site, m, query)
	if slices.ContainsFunc(list.Filters, func(f Field) bool {
		return f.Value != "" &&
			f.Name != "columns" && f.Name != "sort"
	}) {
		list.Empty = "Nothing matches these filters."
	}
	if len(hidden(query)) > 0 {
		list.Clear = "?all=true"
	}
	if list.Tabs, err = h.tabs(c, site, m, query); err != nil {
		return nil, err
	}
	if c.May(cms.RoleEditor) {
		list.Create = &Link{"New entry", Base + "/models/" + url.PathEscape(m.Slug) + "/entries/create"}
		if l := site.Locale(query.Get("filter[locale]")); m.Localized && l != nil && l.IsActive {
			list.Create.Href += "?locale=" + url.QueryEscape(l.Code)
		}
		list.Bulk = bulkOf(c, m, query, page.Total > len(page.Items) && !page.Estimate, page.Total)
	}
	return Paged(c, list, page), nil
}

// columnChoice has a box for each column.
func columnChoice(all, shown []column) Field {
	f := Field{Name: "columns", Label: "Columns beside the title", Kind: "checks"}
	for _, c := range all {
		f.Options = append(f.Options, Option{c.key, c.title})
	}
	for _, c := range shown {
		f.Values = append(f.Values, c.key)
	}
	return f
}

// withTranslations reads the translations of entries where a column shows them.
func (h entryHandlers) withTranslations(c *Call, site *site.Site, m *site.Model, shown []column,
	entries []*cms.Entry) error {
	if len(entries) == 0 ||
		!slices.ContainsFunc(shown, func(c column) bool { return c.key == ":translations" }) {
		return nil
	}
	lists, err := h.entries.Translations(c.R.Context(), site, m, false, entries...)
	for i := range lists {
		entries[i].Translations = &lists[i]
	}
	return err
}

// listFilters are the fields above the list. Hidden ones keep what other links have set.
func (h entryHandlers) listFilters(site *site.Site, m *site.Model, query url.Values) []Field {
	fields := []Field{{Name: "q", Label: "Search", Kind: "search", Value: query.Get("q")}}
	choice := func(name, label, none string, options []Option) {
		if value := query.Get(name); value == "" ||
			slices.ContainsFunc(options, func(o Option) bool { return o.Value == value }) {
			options = append([]Option{{"", none}}, options...)
			fields = append(fields, Field{Name: name, Label: label, Kind: "select", Value: value,
				Options: options})
		}
	}
	if m.Localized {
		var codes []Option
		for _, l := range site.Locales {
			codes = append(codes, Option{l.Code, l.Name})
		}
		choice("filter[locale]", "Locale", "Every locale", codes)
		choice("filter[missing]", "Missing in", "–", codes)
	}
	for _, f := range m.Fields {
		if f.Type != cms.TypeSelect || len(fields) > 5 {
			continue
		}
		var options []Option
		for _, value := range f.Options {
			options = append(options, Option{value, value})
		}
		choice("filter[data."+f.Name+"]", labelOf(f), "–", options)
	}
	choice("per_page", "Rows", "25", []Option{{"50", "50"}, {"100", "100"}})
	var own []string
	for _, f := range fields {
		own = append(own, f.Name)
	}
	return append(fields, hidden(query, own...)...)
}

// stateTabs are the tabs of a list of entries with the filters that they set.
var stateTabs = []struct{ text, status, draft string }{
	{"All", "", ""}, {"Drafts", string(cms.StatusDraft), ""}, {"Changed", "", "true"},
	{"Published", string(cms.StatusPublished), ""}, {"Archived", string(cms.StatusArchived), ""},
}

// tabs are the states with their numbers of entries. Under a search or a filter on fields they have
// none: each would cost a scan.
func (h entryHandlers) tabs(c *Call, site *site.Site, m *site.Model, query url.Values) ([]Tab, error) {
	tabs := make([]Tab, len(stateTabs))
	counted := true
	for name := range query {
		if name == "q" || strings.HasPrefix(name, "filter[") &&
			!slices.Contains([]string{"filter[status]", "filter[has_draft]", "filter[locale]"}, name) {
			counted = counted && query.Get(name) == ""
		}
	}
	g, ctx := errgroup.WithContext(c.R.Context())
	for i, t := range stateTabs {
		tabs[i] = Tab{Text: t.text, Href: with(query, "filter[status]", t.status,
			"filter[has_draft]", t.draft)}
		tabs[i].Here = query.Get("filter[status]") == t.status && query.Get("filter[has_draft]") == t.draft
		if counted {
			g.Go(func() error {
				return h.count(ctx, site, m, query.Get("filter[locale]"), t.status, t.draft, &tabs[i].Count)
			})
		}
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return append(tabs, Tab{Text: "Scheduled", Href: Base + "/planned?model=" + url.QueryEscape(m.Slug)}), nil
}

// count writes how many entries of a locale, status and draft state there are; "" stands for all.
func (h entryHandlers) count(ctx context.Context, site *site.Site, m *site.Model, locale, status,
	draft string, into *string) error {
	page, err := countEntries(ctx, h.entries.Store, site, m, locale, status, draft)
	*into = strconv.Itoa(page.Total)
	if page.Estimate {
		*into += "+"
	}
	return err
}

// countEntries reads a page of one entry, for its total.
func countEntries(
	ctx context.Context, entries *content.Store, site *site.Site, m *site.Model, locale, status,
	draft string, more ...cms.Filter,
) (page db.Page[content.EntryItem], err error) {
	q := search.EntryQuery{ListQuery: index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 1}},
		Locales: site.Codes(), Statuses: cms.Statuses}
	q.Filters = more
	if locale != "" && locale != "any" {
		q.Locales = []string{locale}
	}
	if status != "" {
		q.Statuses = []cms.Status{cms.Status(status)}
	}
	if draft != "" {
		f, err := cms.ParseFilter("filter["+cms.ColumnHasDraft+"]", draft)
		if err != nil {
			return page, err
		}
		q.Filters = append(q.Filters, f)
	}
	return search.List(ctx, entries, site, m, q)
}

// bulkOf is the form about selected entries. It offers everything that matches where the filters
// are those that jobs take.
func bulkOf(c *Call, m *site.Model, query url.Values, more bool, total int) *Bulk {
	b := &Bulk{Action: Base + "/jobs", Hidden: []Field{
		{Name: "model", Kind: "hidden", Value: m.Slug},
		{Name: "back", Kind: "hidden", Value: strings.TrimPrefix(c.R.URL.Path, Base)},
	}, Buttons: []BulkButton{{"Publish", "publish", false}, {"Unpublish", "unpublish", false},
		{"Archive", "archive", false}, {"Delete", "delete", true}}}
	filter := map[string]string{}
	for name := range query {
		value := query.Get(name)
		path, op, err := cms.ParseFilterKey(name)
		switch {
		case name == "q" && value != "":
			more = false
		case !strings.HasPrefix(name, "filter[") || value == "":
		case err != nil || op != cms.OpEq || path == "missing" || path == "outdated":
			more = false
		default:
			filter[path] = value
		}
	}
	if raw, err := json.Marshal(filter); more && err == nil {
		b.All = "all " + strconv.Itoa(total) + " that match"
		b.Hidden = append(b.Hidden, Field{Name: "filter", Kind: "hidden", Value: string(raw)})
	}
	return b
}
