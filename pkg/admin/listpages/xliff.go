package listpages

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/groups"
	"headless/pkg/input"
	"headless/pkg/search"
	"headless/pkg/site"
	"headless/pkg/transfer/xliff"
	"headless/pkg/translations"
	"headless/pkg/web"
)

// xliffEntries is how many entries a file for translators has at most.
const xliffEntries = 500

// XLIFFRoutes are the routes that exchange texts with translators as XLIFF files (extensions §3).
func XLIFFRoutes(entries entrydata.EntryHandlers) []frame.Route {
	h := xliffHandlers{entries, xliff.Exchange{Entries: entries.Entries}}
	return []frame.Route{
		{Method: "GET", Pattern: "/models/{slug}/entries.xliff", Role: cms.RoleViewer, Handle: h.export},
		{Method: "POST", Pattern: "/models/{slug}/entries.xliff", Role: cms.RoleEditor, Handle: h.take, Form: h.uploadPage},
		{Method: "GET", Pattern: "/models/{slug}/xliff", Role: cms.RoleEditor, Handle: asPage(h.downloadPage)},
		{Method: "POST", Pattern: "/models/{slug}/xliff", Role: cms.RoleEditor, Handle: h.choose},
		{Method: "GET", Pattern: "/models/{slug}/xliff/upload", Role: cms.RoleEditor, Handle: asPage(h.uploadPage)},
	}
}

type xliffHandlers struct {
	entrydata.EntryHandlers
	exchange xliff.Exchange
}

// asPage returns the handler of a page.
func asPage(page func(c *frame.Call) (*ui.Page, error)) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		shown, err := page(c)
		return frame.Result{Page: shown}, err
	}
}

// localized returns the model of a call if its entries have translations.
func (h xliffHandlers) localized(c *frame.Call) (*site.Site, *site.Model, error) {
	now, m, err := h.Model(c)
	if err == nil && !m.Localized {
		err = cms.Errorf(cms.CodeBadRequest, "The entries of %s have no translations.", m.Name)
	}
	return now, m, err
}

// written is localized for those who may write some of the entries.
func (h xliffHandlers) written(c *frame.Call) (*site.Site, *site.Model, error) {
	_, m, err := h.Model(c)
	if err == nil {
		err = cms.PermissionsOf(c.R.Context()).Check(cms.ActionWrite, m.Slug, "", "model")
	}
	if err != nil {
		return nil, nil, err
	}
	return h.localized(c)
}

// xliffAddress returns the address of the page for translators, with the filters of a list or some ids.
func xliffAddress(m *site.Model, params url.Values) string {
	kept := url.Values{}
	for name, values := range params {
		if (name == "q" || name == "ids" || web.IsFilter(name)) && params.Get(name) != "" {
			kept[name] = values
		}
	}
	address := "/models/" + url.PathEscape(m.Slug) + "/xliff"
	if len(kept) > 0 {
		address += "?" + kept.Encode()
	}
	return address
}

// downloadPage asks for the language of a file.
func (h xliffHandlers) downloadPage(c *frame.Call) (*ui.Page, error) {
	now, m, err := h.written(c)
	if err != nil {
		return nil, err
	}
	list := ui.Base + listPath(m)
	params := c.R.URL.Query()
	form := &ui.Form{Action: ui.Base + xliffAddress(m, params), Method: http.MethodPost, Submit: "Download", Cancel: list}
	into, from := ui.Field{Name: "locale", Label: "Translate to", Kind: "select", Required: true,
		Value: params.Get("filter[missing]")},
		ui.Field{Name: "source", Label: "From", Kind: "select", Value: now.Default}
	for _, l := range now.Locales {
		if l.IsActive {
			option := ui.Option{Value: l.Code, Label: say.Data(l.Name)}
			from.Options = append(from.Options, option)
			if into.Options = append(into.Options, option); into.Value == "" && l.Code != now.Default {
				into.Value = l.Code
			}
		}
	}
	form.Fields = []ui.Field{from, into}
	if len(params["ids"]) == 0 {
		due := ui.Checkbox("due", "Only entries whose translation is missing or outdated", true)
		form.Fields = append(form.Fields, due)
	}
	upload := ui.Base + "/models/" + url.PathEscape(m.Slug) + "/xliff/upload"
	return &ui.Page{Title: "Download for translators", Crumbs: []ui.Link{{Text: say.Data(m.Name), Href: list}},
		Form: form, Links: []ui.Link{{Text: "Upload a translation", Href: upload}}}, nil
}

// choose leads from the selected entries of a list to the page for translators, and from there to the
// file.
func (h xliffHandlers) choose(c *frame.Call) (frame.Result, error) {
	_, m, err := h.written(c)
	if err != nil {
		return frame.Result{}, err
	}
	if c.Form.Get("locale") == "" {
		ids := slices.DeleteFunc(c.Form["ids"], func(id string) bool { return id == "" })
		switch {
		case c.Form.Get("all") == "true":
			return frame.Result{Redirect: xliffAddress(m, listParams(c.Form.Get("filter")))}, nil
		case len(ids) == 0:
			return frame.Result{Redirect: listPath(m) + "?ok=none"}, nil
		}
		return frame.Result{Redirect: xliffAddress(m, url.Values{"ids": ids})}, nil
	}
	params := c.R.URL.Query()
	for _, name := range []string{"locale", "source", "due"} {
		if values := c.Form[name]; len(values) > 0 { // of a box the last one counts
			params.Set(name, values[len(values)-1])
		}
	}
	return frame.Result{Redirect: listPath(m) + ".xliff?" + params.Encode()}, nil
}

// listParams returns the parameters of a list with the filters of a job.
func listParams(filter string) url.Values {
	object, err := cms.DecodeObject([]byte(filter))
	if err != nil {
		return url.Values{}
	}
	text, searched := object["q"]
	delete(object, "q")
	params := query.FilterParams(object)
	if searched {
		params.Set("q", fmt.Sprint(text))
	}
	return params
}

// export sends the texts of entries as a file for translators.
func (h xliffHandlers) export(c *frame.Call) (frame.Result, error) {
	now, m, err := h.localized(c)
	if err != nil {
		return frame.Result{}, err
	}
	params := c.R.URL.Query()
	locale, source := params.Get("locale"), cmp.Or(params.Get("source"), now.Default)
	p := cms.Problems{}
	for name, code := range map[string]string{"locale": locale, "source": source} {
		if l := now.Locale(code); l == nil || !l.IsActive {
			p.Add(name, "must be the code of an active locale")
		}
	}
	if due := params.Get("due"); due != "" && due != "true" && due != "false" {
		p.Add("due", "must be true or false")
	}
	if locale == source && len(p) == 0 {
		p.Add("locale", "must be another locale than source")
	}
	if err := p.Err(); err != nil {
		return frame.Result{}, err
	}
	entries, err := h.chosen(c, now, m, locale, source)
	if err != nil {
		return frame.Result{}, err
	}
	body, err := h.exchange.Export(c.R.Context(), now, m, locale, entries)
	if err != nil {
		return frame.Result{}, err
	}
	return frame.Result{Raw: body, RawType: "application/xliff+xml; charset=utf-8", Header: http.Header{
			"Content-Disposition": {`attachment; filename="` + m.Slug + "-" + source + "-" + locale + `.xlf"`}}},
		exported(c, h.Entries.Store, m)
}

// chosen returns the entries in the locale source that the query chooses by ids or by the filters of a
// list. An entry in another locale stands for its translation.
func (h xliffHandlers) chosen(c *frame.Call, now *site.Site, m *site.Model,
	locale, source string) ([]*cms.Entry, error) {
	params := c.R.URL.Query()
	var ids []string
	if given, ok := params["ids"]; ok {
		ids = strings.Split(strings.Join(given, ","), ",")
	} else {
		due := [][]query.Filter{nil}
		if params.Get("due") == "true" {
			is := func(path, value string) query.Filter {
				return query.Filter{Path: path, Op: query.OpEq, Values: []string{value}}
			}
			due = [][]query.Filter{{is("missing", locale), is("locale", source)},
				{is("outdated", "true"), is("locale", locale)}}
		}
		for _, more := range due {
			found, err := h.listed(c, now, m, more)
			if err != nil {
				return nil, err
			}
			ids = append(ids, found...)
		}
	}
	var members []string
	for _, id := range ids {
		if id, ok := input.CanonicalID(id); ok {
			members = append(members, id)
		}
	}
	of, err := groups.Of(c.R.Context(), h.Entries.Store, m, members)
	if err != nil {
		return nil, err
	}
	var wanted []content.Reference
	for i, g := range of {
		ref := content.Reference{Model: m, ID: cmp.Or(g.Members[source], members[i])}
		if !slices.Contains(wanted, ref) {
			wanted = append(wanted, ref)
		}
	}
	if len(wanted) > xliffEntries {
		return nil, tooMany()
	}
	entries, err := h.Entries.Store.EntriesByID(c.R.Context(), wanted)
	entries = slices.DeleteFunc(entries, func(e *cms.Entry) bool { return e == nil || e.Locale != source })
	if err == nil && len(entries) == 0 {
		err = cms.Problems{"ids": {"there is nothing to translate from " + source + " to " + locale}}.Err()
	}
	return entries, err
}

func tooMany() error {
	return cms.Problems{"ids": {"are more than " + strconv.Itoa(xliffEntries) + " entries: choose fewer"}}.Err()
}

// listed returns the ids of the entries of a list with the filters of the query and some more.
func (h xliffHandlers) listed(c *frame.Call, now *site.Site, m *site.Model,
	more []query.Filter) (ids []string, err error) {
	params := c.R.URL.Query()
	choice := translations.Choice{Q: params.Get("q")}
	if choice.Filters, err = entrydata.ListFilters(params); err != nil {
		return nil, err
	}
	choice.Filters = append(choice.Filters, more...)
	for cursor := ""; ; {
		q, err := choice.Query(c.R.Context(), h.Entries.Store, now, m)
		if err != nil {
			return nil, err
		}
		q.Paging, q.Cursor = db.Paging{Page: 1, PerPage: csvPage}, cursor
		page, err := search.List(c.R.Context(), h.Entries.Store, now, m, q)
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			e, err := item.Decoded()
			if err != nil {
				return nil, err
			}
			ids = append(ids, e.ID)
		}
		if len(ids) > 2*xliffEntries { // some may be translations of others
			return nil, tooMany()
		}
		if cursor = page.Next; cursor == "" {
			return ids, nil
		}
	}
}

// uploadPage is the form for a translated file.
func (h xliffHandlers) uploadPage(c *frame.Call) (*ui.Page, error) {
	_, m, err := h.written(c)
	if err != nil {
		return nil, err
	}
	list := ui.Base + listPath(m)
	return &ui.Page{Title: "Upload a translation", Crumbs: []ui.Link{{Text: say.Data(m.Name), Href: list}},
		Form: &ui.Form{Action: list + ".xliff", Method: http.MethodPost, Multipart: true, Submit: "Upload",
			Cancel: list, Fields: []ui.Field{{Name: "file", Label: "XLIFF file", Kind: "file", Required: true,
				Help: "The file that you downloaded here, with its translations. They become drafts: nothing is published."}}}}, nil
}

// take saves the translations in a file as drafts.
func (h xliffHandlers) take(c *frame.Call) (frame.Result, error) {
	now, m, err := h.written(c)
	if err != nil {
		return frame.Result{}, err
	}
	form := c.R.MultipartForm
	if form == nil || len(form.File["file"]) != 1 {
		return frame.Result{}, cms.Problems{"file": {"is required, as one part of multipart/form-data"}}.Err()
	}
	file, err := form.File["file"][0].Open()
	if err != nil {
		return frame.Result{}, err
	}
	defer file.Close()
	taken, locale, err := h.exchange.Import(c.R.Context(), c.Actor(), now, m, file)
	if err != nil {
		return frame.Result{}, err
	}
	meta := map[string]any{"locale": locale, input.ImportCreated: 0, input.ImportUpdated: 0, input.ImportUnchanged: 0,
		xliff.ResultFailed: 0}
	for _, t := range taken {
		n, _ := meta[t.Result].(int)
		meta[t.Result] = n + 1
	}
	return frame.Result{Data: taken, Meta: meta, Page: takenPage(now, m, taken, locale)}, nil
}

// takenPage says what became of each entry of a file.
func takenPage(now *site.Site, m *site.Model, taken []xliff.Taken, locale string) *ui.Page {
	name := locale
	if l := now.Locale(locale); l != nil {
		name = l.Name
	}
	list := &ui.List{Columns: []say.Text{"Entry", "Result", "Texts", "Notes"}, Total: len(taken)}
	for _, t := range taken {
		var told []say.Text
		if t.Error != nil {
			told = append(told, say.Known(t.Error.Message))
			told = append(told, lines(&m.Model, t.Error.Details)...)
		}
		told = append(told, lines(&m.Model, t.Warnings)...)
		row := ui.Row{Cells: []ui.Cell{ui.Text(cmp.Or(t.Title, t.ID)), takenCells[t.Result],
			{Text: say.Number(t.Texts)},
			{Text: say.Join(told, " · ")}}}
		if t.Translation != "" {
			row.Href = entrydata.EntryAddress(m.Slug, t.Translation) + "?beside=" + url.QueryEscape(t.ID)
		}
		list.Rows = append(list.Rows, row)
	}
	return &ui.Page{Title: say.F("Translations to {1}", name), List: list,
		Crumbs: []ui.Link{{Text: say.Data(m.Name), Href: ui.Base + listPath(m)}},
		Notice: "The translations are drafts. Read them beside the original, and publish them."}
}

// takenCells show the results of entries.
var takenCells = map[string]ui.Cell{
	input.ImportCreated: {Text: "created", Kind: "good"}, input.ImportUpdated: {Text: "updated", Kind: "good"},
	input.ImportUnchanged: {Text: "unchanged", Kind: "grey"}, xliff.ResultFailed: {Text: "failed", Kind: "bad"},
}

// lines returns messages with the labels of their fields.
func lines(m *cms.Model, p cms.Problems) (told []say.Text) {
	for _, path := range slices.Sorted(maps.Keys(p)) {
		for _, message := range p[path] {
			told = append(told, say.F("{1}: {2}", say.Known(xliff.LabelAt(m, path)), say.Known(message)))
		}
	}
	return told
}
