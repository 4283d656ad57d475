package listpages

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/approval"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/search"
	"headless/pkg/site"
	"headless/pkg/translations"
	"headless/pkg/web"
)

// ListPages are the pages of lists of entries.
type ListPages struct{ entrydata.EntryHandlers }

// ListPage returns the handler of the page of a model's entries. Requests for JSON are passed to
// asJSON.
func (h ListPages) ListPage(asJSON frame.Handler) frame.Handler {
	return frame.Listed(asJSON, func(c *frame.Call, p db.Paging) (*ui.Page, error) {
		m, err := c.Model()
		if err != nil {
			return nil, err
		}
		if c.Form == nil { // else a form in a row was sent
			c.Form = c.R.URL.Query()
			c.Step = frame.ReadStep(c.Form)
		}
		c.R = withoutBlanks(c.R)
		inLanguage(c, m)
		page, err := h.List(c, p)
		if err != nil {
			return nil, err
		}
		list, err := h.table(c, m, page)
		return &ui.Page{Title: say.Data(m.Name), List: list}, err
	})
}

// withoutBlanks returns a request without the inputs that the form above the list sent empty, and without its step.
func withoutBlanks(r *http.Request) *http.Request {
	params := r.URL.Query()
	for name, values := range params {
		if web.IsFilter(name) {
			params[name] = slices.DeleteFunc(values, func(value string) bool { return value == "" })
		}
	}
	maps.DeleteFunc(params, ui.Unset)
	r = r.Clone(r.Context())
	r.URL.RawQuery = params.Encode()
	return r
}

// table returns the list on the page of a model's entries.
func (h ListPages) table(c *frame.Call, m *site.Model, page db.Page[*cms.Entry]) (list *ui.List, err error) {
	params := c.R.URL.Query()
	all := columnsOf(c.Site, m)
	shown := chosenColumns(params, all, m, len(languages(c, m)))
	var marks []ui.Cell
	if len(page.Items) > 0 && slices.ContainsFunc(shown, func(c column) bool { return c.key == translationColumn }) {
		if marks, err = h.translationCells(c, m, page.Items); err != nil {
			return nil, err
		}
	}
	known, err := h.readReferences(c, m, shown, page.Items)
	if err != nil {
		return nil, err
	}
	titles, paths := []say.Text{"Title"}, []string{"title"}
	picture, pictures := pictureField(m), false
	for _, column := range shown {
		if column.key == picture {
			pictures = true
			continue
		}
		titles, paths = append(titles, column.title), append(paths, column.sort)
	}
	list = &ui.List{Columns: titles, Heads: ui.Heads(params, titles, paths, m.DefaultSort), Pictures: pictures,
		Empty: "Nothing here yet."}
	for i, e := range page.Items {
		row := ui.Row{ID: e.ID, Href: entrydata.EntryAddress(m.Slug, e.ID), Cells: []ui.Cell{ui.Text(e.Title)}}
		for _, column := range shown {
			switch column.key {
			case picture:
				row.Image = column.cell(e, known).Href
			case translationColumn:
				row.Cells = append(row.Cells, marks[i])
			default:
				row.Cells = append(row.Cells, column.cell(e, known))
			}
		}
		if h.MayWrite(c, m, e) {
			row.Actions = []ui.Action{{Label: "Quick edit", Icon: "pencil", Href: quickAddress(params, e.ID)}}
		}
		list.Rows = append(list.Rows, row)
	}
	list.Choose = &ui.Chooser{Field: columnChoice(all, shown), Hidden: ui.Hidden(params, "columns")}
	if list.Filters, err = h.listFilters(c, m, params); err != nil {
		return nil, err
	}
	if stepOfFilter(c) && c.Step.Opens(c.Step.Name) {
		list.Enter = "find " + c.Step.Name
	}
	if len(ui.Hidden(params, "columns", "sort", languageKey)) > 0 {
		list.Empty = "Nothing matches these filters."
	}
	if len(ui.Hidden(params, languageKey)) > 0 {
		list.Clear = ui.With(url.Values{languageKey: params[languageKey]})
	}
	if list.Elsewhere, err = h.elsewhere(c, m, params, len(page.Items)); err != nil {
		return nil, err
	}
	if list.Tabs, err = h.tabs(c, m, params); err != nil {
		return nil, err
	}
	addLinks(c, m, list)
	if c.May(cms.RoleEditor) {
		filters, err := entrydata.ListFilters(params)
		if err != nil {
			return nil, err
		}
		list.Bulk = bulkOf(c, m, params, translations.Locales(c.Site, m, filters),
			page.Total > len(page.Items) && !page.Estimate, page.Total)
	}
	list = frame.Paged(c, list, page)
	list.Filters = ui.WithoutChips(list.Filters, params)
	return list, nil
}

// addLinks adds the links of the list of a model to its files, and to the form of a new entry.
func addLinks(c *frame.Call, m *site.Model, list *ui.List) {
	params := c.R.URL.Query()
	list.Links = append(list.Links, ui.Link{Text: "Download CSV", Href: csvAddress(m, params)})
	if c.MayMake(m.Model) {
		list.Links = append(list.Links, ui.Link{Text: "Import CSV", Href: ui.Base + ui.ModelPath(m.Slug) + "/import"})
		if entrydata.MayTranslate(c, m) {
			list.Links = append(list.Links, ui.Link{Text: "Files for translators", Href: ui.Base + xliffAddress(m, params)})
		}
		list.Create = &ui.Link{Text: "New entry", Href: ui.Base + ui.EntriesPath(m.Slug) + "/create"}
		if l := c.Site.Locale(params.Get(languageKey)); m.Localized && l != nil && l.IsActive &&
			c.MayDo(cms.ActionWrite, m.Slug, l.Code) {
			list.Create.Href += "?locale=" + url.QueryEscape(l.Code)
		}
	}
}

// EditKey is the query parameter of a list with the id of the entry that is edited in its row.
const EditKey = "edit"

// quickAddress returns the URL of the same page of a list with the form of an entry in its row.
func quickAddress(params url.Values, id string) string {
	params = maps.Clone(params)
	params.Del("ok")
	params.Set(EditKey, id)
	return "?" + params.Encode()
}

// columnChoice has a box for each column.
func columnChoice(all, shown []column) ui.Field {
	f := ui.Field{Name: "columns", Label: "Columns beside the title", Kind: "checks"}
	for _, c := range all {
		f.Options = append(f.Options, ui.Option{Value: c.key, Label: c.title})
	}
	for _, c := range shown {
		f.Values = append(f.Values, c.key)
	}
	return f
}

// stateTabs are the tabs of a list of entries with the filters that they set.
var stateTabs = []struct {
	text          say.Text
	status, draft string
}{
	{"All", "", ""}, {"Drafts", string(cms.StatusDraft), ""}, {"Changed", string(cms.StatusPublished), "true"},
	{"Published", string(cms.StatusPublished), ""}, {"Archived", string(cms.StatusArchived), ""},
}

// tabs returns a tab for each state with its number of entries. With a search or a filter on fields
// there are no numbers, since each would cost a scan.
func (h ListPages) tabs(c *frame.Call, m *site.Model, params url.Values) ([]ui.Tab, error) {
	tabs := make([]ui.Tab, len(stateTabs))
	counted := true
	for name := range params {
		if name == "q" || strings.HasPrefix(name, "filter[") &&
			!slices.Contains([]string{"filter[status]", "filter[has_draft]", languageKey}, name) {
			counted = counted && params.Get(name) == ""
		}
	}
	g, ctx := errgroup.WithContext(c.R.Context())
	for i, t := range stateTabs {
		tabs[i] = ui.Tab{Text: t.text, Href: ui.With(params, "filter[status]", t.status,
			"filter[has_draft]", t.draft, "filter[review]", "")}
		tabs[i].Here = params.Get("filter[status]") == t.status && params.Get("filter[has_draft]") == t.draft &&
			params.Get("filter[review]") == ""
		if counted {
			g.Go(func() error {
				return h.countEntries(ctx, c.Site, m, params.Get(languageKey), t.status, t.draft, &tabs[i].Count)
			})
		}
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if m.Review > 0 || params.Get("filter[review]") != "" {
		tabs = append(tabs, ui.Tab{Text: "In review", Href: ui.With(params, "filter[status]", "", "filter[has_draft]", "",
			"filter[review]", approval.Requested), Here: params.Get("filter[review]") == approval.Requested})
	}
	return append(tabs, ui.Tab{Text: "Scheduled", Href: ui.Base + "/planned?model=" + url.QueryEscape(m.Slug)}), nil
}

// countEntries stores in into the number of entries of a locale, status and draft state. "" stands for
// all.
func (h ListPages) countEntries(ctx context.Context, site *site.Site, m *site.Model, locale, status,
	draft string, into *say.Text) error {
	var locales []string
	if locale != "" && locale != anyLanguage {
		locales = []string{locale}
	}
	page, err := CountEntries(ctx, h.Entries.Store, site, m, locales, status, draft)
	*into = say.Number(page.Total)
	if page.Estimate {
		*into = say.Join([]say.Text{*into, say.Data("+")}, "")
	}
	return err
}

// CountEntries counts entries of some locales, a status and a draft state; nil and "" stand for all. It reads a
// page of one entry, whose Total is the number.
func CountEntries(
	ctx context.Context, entries *content.Store, site *site.Site, m *site.Model, locales []string, status,
	draft string, more ...query.Filter,
) (page db.Page[content.EntryItem], err error) {
	q := content.EntryQuery{ListQuery: index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 1}},
		Locales: site.Codes(), Statuses: cms.Statuses}
	q.Filters = more
	if locales != nil {
		q.Locales = locales
	}
	if status != "" {
		q.Statuses = []cms.Status{cms.Status(status)}
	}
	if draft != "" {
		f, err := query.ParseFilter("filter["+cms.ColumnHasDraft+"]", draft)
		if err != nil {
			return page, err
		}
		q.Filters = append(q.Filters, f)
	}
	return search.List(ctx, entries, site, m, q)
}

// bulkOf returns the form with those actions for the selected entries that the user may do in one of the locales. If
// a job can express the filters, the form also offers all entries that match.
func bulkOf(c *frame.Call, m *site.Model, params url.Values, locales []string, more bool, total int) *ui.Bulk {
	b := &ui.Bulk{Action: ui.Base + "/jobs", Hidden: []ui.Field{
		ui.Kept("model", m.Slug),
		ui.Kept("back", strings.TrimPrefix(c.R.URL.Path, ui.Base)),
		ui.Kept("total", strconv.Itoa(total)),
	}}
	may := func(actions ...cms.Action) bool {
		in := locales
		for _, action := range actions {
			in = cms.PermissionsOf(c.R.Context()).Locales(action, m.Slug, in)
		}
		return len(in) > 0
	}
	add := func(may bool, buttons ...ui.BulkButton) {
		if may {
			b.Buttons = append(b.Buttons, buttons...)
		}
	}
	review := func(label say.Text, action string) ui.BulkButton {
		return ui.BulkButton{Label: label, Value: action, Action: ui.Base + "/reviews"}
	}
	write, publish := may(cms.ActionWrite), may(cms.ActionWrite, cms.ActionPublish)
	ask := review("Ask for review…", "ask")
	// Reviews come early, and approvals at all, where the model requires them, or if the list shows entries by them.
	reviewed := m.Review > 0 || params.Get("filter[review]") != ""
	add(publish, ui.BulkButton{Label: "Publish", Value: "publish"})
	add(reviewed && write, ask)
	add(reviewed && may(cms.ActionApprove), review("Approve…", "approve"), review("Send back…", "return"))
	add(publish, ui.BulkButton{Label: "Add to release…", Value: "release", Action: ui.Base + "/releases"})
	add(write, ui.BulkButton{Label: "Set a field…", Value: "set"},
		ui.BulkButton{Label: "Find and replace…", Value: "replace_text"})
	add(publish, ui.BulkButton{Label: "Archive", Value: "archive"},
		ui.BulkButton{Label: "Unpublish", Value: "unpublish"})
	add(entrydata.MayTranslate(c, m),
		ui.BulkButton{Label: "Download for translators…", Value: "translators", Action: ui.Base + xliffAddress(m, nil)})
	add(!reviewed && write, ask)
	add(may(cms.ActionDelete), ui.BulkButton{Label: "Delete", Value: "delete", Danger: true})
	if b.Buttons == nil {
		return nil
	}
	filter, named := jobFilter(params)
	if raw, err := json.Marshal(filter); more && named && err == nil {
		b.All = say.N(total, "all {1} that match", "all {1} that match")
		b.Hidden = append(b.Hidden, ui.Kept("filter", string(raw)))
	}
	return b
}

// jobFilter returns the filters of a list in the form that jobs have: {"status": "draft",
// "data.price": {"gt": "5"}}. named is false if a filter is invalid or has several values.
func jobFilter(params url.Values) (filter map[string]any, named bool) {
	filter = map[string]any{}
	for name, values := range params {
		value := params.Get(name)
		path, op, err := query.ParseFilterKey(name)
		switch ops, nested := filter[path].(map[string]string); {
		case name == "q" && value != "":
			filter["q"] = value
		case !strings.HasPrefix(name, "filter[") || value == "":
		case err != nil || len(values) > 1:
			return nil, false
		case nested:
			ops[string(op)] = value
		default:
			filter[path] = map[string]string{string(op): value}
		}
	}
	return filter, true
}
