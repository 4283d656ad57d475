package listpages

import (
	"cmp"
	"fmt"
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
	"headless/pkg/slice"
	"headless/pkg/transfer"
	"headless/pkg/transfer/xliff"
	"headless/pkg/translations"
	"headless/pkg/web"
)

// downloadPage asks for the language of a file.
func (h xliffHandlers) downloadPage(c *frame.Call, m *site.Model) (*ui.Page, error) {
	list := ui.Base + ui.EntriesPath(m.Slug)
	params := c.R.URL.Query()
	form := &ui.Form{Action: ui.Base + xliffAddress(m, params), Method: http.MethodPost, Submit: "Download", Cancel: list}
	into, from := ui.Field{Name: "locale", Label: "Translate to", Kind: "select", Required: true,
		Value: params.Get("filter[missing]")},
		ui.Field{Name: "source", Label: "From", Kind: "select", Value: c.Site.Default}
	for _, code := range languages(c, m) {
		l := c.Site.Locale(code)
		if !l.IsActive {
			continue
		}
		option := ui.Option{Value: code, Label: say.Data(l.Name)}
		from.Options = append(from.Options, option)
		if c.MayDo(cms.ActionWrite, m.Slug, code) {
			into.Options = append(into.Options, option)
		}
	}
	into.Value = cmp.Or(into.Value, firstBut(into.Options, from.Value))
	if from.Value == into.Value || !slices.Contains(languages(c, m), from.Value) {
		from.Value = firstBut(from.Options, into.Value)
	}
	form.Fields = []ui.Field{from, into}
	if len(params["ids"]) == 0 {
		due := ui.Checkbox("due", "Only entries whose translation is missing or outdated", true)
		form.Fields = append(form.Fields, due)
	}
	upload := ui.Base + ui.ModelPath(m.Slug) + "/xliff/upload"
	return &ui.Page{Title: "Download for translators", Crumbs: []ui.Link{entrydata.ListLink(m)},
		Form: form, Links: []ui.Link{{Text: "Upload a translation", Href: upload}}}, nil
}

// firstBut returns the first value of some options that is not the given one, which it returns if there is no other.
func firstBut(options []ui.Option, value string) string {
	for _, o := range options {
		if o.Value != value {
			return o.Value
		}
	}
	return value
}

// choose leads from the selected entries of a list to the page for translators, and from there to the
// file.
func (h xliffHandlers) choose(c *frame.Call, m *site.Model) (frame.Result, error) {
	if c.Form.Get("locale") == "" {
		ids := slice.Filled(c.Form["ids"])
		switch {
		case c.Form.Get("all") == "true":
			return frame.Result{Redirect: xliffAddress(m, listParams(c.Form.Get("filter")))}, nil
		case len(ids) == 0:
			return frame.Result{Redirect: ui.EntriesPath(m.Slug) + "?ok=none"}, nil
		}
		return frame.Result{Redirect: xliffAddress(m, url.Values{"ids": ids})}, nil
	}
	params := c.R.URL.Query()
	for _, name := range []string{"locale", "source", "due"} {
		if values := c.Form[name]; len(values) > 0 { // of a box the last one counts
			params.Set(name, values[len(values)-1])
		}
	}
	return frame.Result{Redirect: ui.EntriesPath(m.Slug) + ".xliff?" + params.Encode()}, nil
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
func (h xliffHandlers) export(c *frame.Call, m *site.Model) (frame.Result, error) {
	params := c.R.URL.Query()
	locale, source := params.Get("locale"), cmp.Or(params.Get("source"), c.Site.Default)
	p := cms.Problems{}
	for name, code := range map[string]string{"locale": locale, "source": source} {
		if l := c.Site.Locale(code); l == nil || !l.IsActive {
			p.Add(name, "must be the code of an active locale")
		}
	}
	if locale == source && len(p) == 0 {
		p.Add("locale", "must be another locale than source")
	}
	if err := p.Err(); err != nil {
		return frame.Result{}, err
	}
	entries, err := h.chosen(c, m, locale, source)
	if err != nil {
		return frame.Result{}, err
	}
	body, err := h.exchange.Export(c.R.Context(), c.Site, m, source, locale, entries)
	if err != nil {
		return frame.Result{}, err
	}
	name := m.Slug + "-" + source + "-" + locale + ".xlf"
	return frame.File(name, "application/xliff+xml; charset=utf-8", body), h.RecordExport(c, m)
}

// chosen returns the entries that the query chooses by ids or by the filters of a list. An entry in another locale
// stands for its translation in the locale source, if it has one.
func (h xliffHandlers) chosen(c *frame.Call, m *site.Model, locale, source string) ([]content.Reference, error) {
	params := c.R.URL.Query()
	onlyDue, err := web.Flag(params, "due")
	if err != nil {
		return nil, err
	}
	var ids []string
	if given, ok := params["ids"]; ok {
		ids = strings.Split(strings.Join(given, ","), ",")
	} else {
		due := [][]query.Filter{nil}
		if onlyDue {
			is := func(path, value string) query.Filter {
				return query.Filter{Path: path, Op: query.OpEq, Values: []string{value}}
			}
			due = [][]query.Filter{{is("missing", locale), is("locale", source)},
				{is("outdated", "true"), is("locale", locale)}}
			if input.Permit(c.R.Context(), cms.ActionRead, cms.AreaMedia, "file") == nil {
				found, err := h.listIDs(c, m, []query.Filter{is("locale", source)},
					func(entries []*cms.Entry) ([]*cms.Entry, error) {
						return h.exchange.LackAlts(c.R.Context(), &m.Model, locale, entries)
					})
				if err != nil {
					return nil, err
				}
				ids = found
			}
		}
		for _, more := range due {
			found, err := h.listIDs(c, m, more, nil)
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
	if len(wanted) > xliff.MaxEntries {
		return nil, tooMany()
	}
	return wanted, nil
}

func tooMany() error {
	return cms.Problems{"ids": {"are more than " + strconv.Itoa(xliff.MaxEntries) + " entries: choose fewer"}}.Err()
}

// mostSearched limits the entries of a list whose alternative texts are looked at.
const mostSearched = 5000

// pageBytes is how much of a list is read together.
const pageBytes = 4 << 20

// listIDs returns the ids of the entries of a list with the filters of the query and some more. If pick is not nil, it
// chooses among the first ones.
func (h xliffHandlers) listIDs(c *frame.Call, m *site.Model, more []query.Filter,
	pick func(entries []*cms.Entry) ([]*cms.Entry, error)) (ids []string, err error) {
	params := c.R.URL.Query()
	choice := translations.Choice{Q: params.Get("q")}
	if choice.Filters, err = entrydata.ListFilters(params); err != nil {
		return nil, err
	}
	choice.Filters = append(choice.Filters, more...)
	cursor := ""
	for read, size := 0, 0; pick == nil || read < mostSearched; {
		q, err := choice.Query(c.R.Context(), h.Entries.Store, c.Site, m)
		if err != nil {
			return nil, err
		}
		q.Paging, q.Cursor = db.Paging{Page: 1, PerPage: transfer.NextPage(read, size, pageBytes)}, cursor
		page, err := search.List(c.R.Context(), h.Entries.Store, c.Site, m, q)
		if err != nil {
			return nil, err
		}
		var entries []*cms.Entry
		for _, item := range page.Items {
			read, size = read+1, size+len(item.JSON)
			e, err := item.Decoded()
			if err != nil {
				return nil, err
			}
			entries = append(entries, e)
		}
		if pick != nil {
			if entries, err = pick(entries); err != nil {
				return nil, err
			}
		}
		for _, e := range entries {
			ids = append(ids, e.ID)
		}
		if len(ids) > 2*xliff.MaxEntries { // some may be translations of others
			return nil, tooMany()
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	return ids, nil
}
