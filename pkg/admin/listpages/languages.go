package listpages

import (
	"net/url"
	"slices"
	"strconv"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/site"
	"headless/pkg/translations"
	"headless/pkg/web"
)

// An entry and its translations are separate rows. So the page of a list that is opened without filters shows one
// language, and marks on each row lead to the translations. A list with filters or a search shows all languages unless
// it is asked for one: a link to outdated translations, say, leads to all of them.

const (
	languageKey = "filter[locale]"
	anyLanguage = "any"
)

// languages returns the codes of the locales in which the user may read entries of a model; none for a model without
// translations.
func languages(c *frame.Call, m *site.Model) []string {
	if !m.Localized {
		return nil
	}
	return cms.PermissionsOf(c.R.Context()).Locales(cms.ActionRead, m.Slug, c.Site.Codes())
}

// inLanguage adds one language to a request for a list that chooses neither filters nor a search: the default locale,
// or the first that the user may write if that is not the default one.
func inLanguage(c *frame.Call, m *site.Model) {
	params := c.R.URL.Query()
	if params.Has("all") || len(ui.Hidden(params, "columns", "sort", "per_page", EditKey)) > 0 {
		return
	}
	codes := languages(c, m)
	if len(codes) < 2 {
		return
	}
	if may := slices.DeleteFunc(slices.Clone(codes), func(code string) bool {
		return !c.Site.Locale(code).IsActive || !c.MayDo(cms.ActionWrite, m.Slug, code)
	}); len(may) > 0 {
		codes = may
	}
	code := codes[0]
	if slices.Contains(codes, c.Site.Default) {
		code = c.Site.Default
	}
	params.Set(languageKey, code)
	c.R = c.R.Clone(c.R.Context())
	c.R.URL.RawQuery = params.Encode()
}

// elsewhere returns a link to the entries that a list in one language leaves out, nil if there are none: to those
// without a translation to it, whose number takes one round trip, or to all languages if the filters choose nothing in
// this one.
func (h ListPages) elsewhere(c *frame.Call, m *site.Model, params url.Values, rows int) (*ui.Link, error) {
	l := c.Site.Locale(params.Get(languageKey))
	if l == nil || len(languages(c, m)) < 2 {
		return nil, nil
	}
	for name := range params {
		if params.Get(name) != "" && (name == "q" || web.IsFilter(name)) &&
			!slices.Contains([]string{languageKey, "filter[status]"}, name) {
			if rows > 0 {
				return nil, nil
			}
			return &ui.Link{Text: "Look in all languages", Href: ui.With(params, languageKey, anyLanguage)}, nil
		}
	}
	others := url.Values{"filter[missing]": {l.Code}, "filter[locale][in]": languages(c, m)}
	if status := params.Get("filter[status]"); status != "" {
		others.Set("filter[status]", status)
	}
	var choice translations.Choice
	for name, values := range others {
		f, err := query.ParseFilter(name, values[0])
		if err != nil {
			return nil, err
		}
		f.Values = values
		choice.Filters = append(choice.Filters, f)
	}
	q, err := choice.Query(c.R.Context(), h.Entries.Store, c.Site, m)
	if err != nil || q.Labels == nil {
		return nil, err
	}
	n := 0
	for _, labels := range q.Labels.Counts {
		for _, entries := range labels {
			n += entries
		}
	}
	if n == 0 {
		return nil, nil
	}
	return &ui.Link{Text: say.N(n, "{1} entry in another language is not translated to {2}",
		"{1} entries in other languages are not translated to {2}", l.Name),
		Href: ui.With(params, languageKey, "", "filter[missing]", l.Code)}, nil
}

// translationCells returns the marks of the translations of each entry: in which state they are, and which may be
// written. It takes three round trips.
func (h ListPages) translationCells(c *frame.Call, m *site.Model, entries []*cms.Entry) ([]ui.Cell, error) {
	of, err := h.Entries.Members(c.R.Context(), m, entries...)
	if err != nil {
		return nil, err
	}
	var others []*cms.Entry // the entries themselves are marked already
	for i, members := range of {
		for code, e := range members {
			if code != entries[i].Locale && e.HasDraft == nil {
				others = append(others, e)
			}
		}
	}
	if err := h.Entries.MarkDrafts(c.R.Context(), m, others...); err != nil {
		return nil, err
	}
	cells, codes := make([]ui.Cell, len(entries)), languages(c, m)
	for i, e := range entries {
		cells[i].Marks = h.translationMarks(c, m, codes, e, of[i])
	}
	return cells, nil
}

// translationMarks returns a mark for each other translation of an entry, and for those that are missing in the
// languages with the given codes; many of these have one mark.
func (h ListPages) translationMarks(c *frame.Call, m *site.Model, codes []string, own *cms.Entry,
	members map[string]*cms.Entry) (marks []ui.Cell) {
	at := entrydata.EntryAddress(m.Slug, own.ID) + "/translate"
	may, missing := h.Translatable(c, m, members), 0
	for _, code := range codes {
		l, e := c.Site.Locale(code), members[code]
		switch {
		case code == own.Locale || e == nil && !l.IsActive:
			continue
		case e != nil:
			state, sign := entrydata.StateCell(e), ""
			if entrydata.IsChanged(e) {
				sign = " *"
			}
			if entrydata.Outdated(e, members[c.Site.Default]) {
				state, sign = ui.Cell{Text: say.F("{1}, outdated", state.Text), Kind: "bad"}, sign+" !"
			}
			marks = append(marks, ui.Cell{Text: say.Data(code + sign), Kind: state.Kind,
				Hint: say.F("{1}: {2}", l.Name, state.Text), Href: entrydata.EntryAddress(m.Slug, e.ID)})
		default:
			missing++
			mark := ui.Cell{Text: say.Data(code), Hint: say.F("{1}: missing", l.Name)}
			if slices.ContainsFunc(may, func(l cms.Locale) bool { return l.Code == code }) {
				mark.Text, mark.Href = say.Data("+ "+code), at+"?locale="+url.QueryEscape(code)
				mark.Hint = say.F("{1}: missing, translate", l.Name)
			}
			marks = append(marks, mark)
		}
	}
	if missing <= ui.FewLocales {
		return marks
	}
	marks = slices.DeleteFunc(marks, func(mark ui.Cell) bool { return mark.Kind == "" })
	many := ui.Cell{Text: say.Data("+" + strconv.Itoa(missing)), Hint: say.F("{1} missing", missing)}
	if len(may) > 0 {
		many.Href = at
	}
	return append(marks, many)
}
