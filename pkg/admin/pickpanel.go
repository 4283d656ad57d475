package admin

import (
	"strconv"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/search"
	"headless/pkg/site"
)

// searchKey is the name of the search box of the panel that is open; there is one at most.
const searchKey = "_q"

// opens reports whether a step looks at the choices of a field.
func (s *formStep) opens(name string) bool {
	return s != nil && (s.verb == "pick" || s.verb == "find") && s.name == name
}

// open shows the choices that a step asks for. A search that cannot be answered says why.
func (l library) open(c *Call, site *site.Site, f *Field) error {
	paging := db.Paging{Page: 1, PerPage: pickPage}
	panel := &Panel{}
	if c.step.verb == "find" {
		panel.Query = c.form.Get(searchKey)
		if n, err := strconv.Atoi(c.step.arg); err == nil && n > 0 {
			paging.Page = n
		}
	}
	f.Pick.Panel = panel
	page, err := l.search(c, site, f.Pick, panel.Query, paging)
	if e := asError(err); e != nil {
		panel.Problem = e.Message
		return nil
	}
	if err != nil {
		return err
	}
	chosen := map[string]bool{}
	for _, id := range f.Pick.ids {
		chosen[id] = true
	}
	for _, v := range page.Items {
		if v.Name, v.Many = f.Name, f.Pick.Many; !chosen[v.ID] {
			panel.Choices = append(panel.Choices, v)
		}
	}
	turn := func(text string, to int) *Button {
		return &Button{Text: text, Do: "find " + f.Name + " " + strconv.Itoa(to), To: f.Name}
	}
	shown := Paged(c, &List{}, page)
	if panel.Range = shown.Range; shown.Prev != "" {
		panel.Prev = turn("Previous", page.Page-1)
	}
	if shown.Next != "" {
		panel.Next = turn("Next", page.Page+1)
	}
	return nil
}

// search finds a page of choices: the newest files, or entries in the order of their model, unless
// words say otherwise.
func (l library) search(c *Call, site *site.Site, p *Pick, words string,
	paging db.Paging) (db.Page[Choice], error) {
	if p.model == nil {
		q := index.ListQuery{Paging: paging, Filters: cms.MediaSearch(words)}
		if len(p.mimes) > 0 {
			q.Filters = append(q.Filters, cms.Filter{Path: "mime", Op: cms.OpIn, Values: p.mimes})
		}
		page, err := l.files.List(c.R.Context(), q)
		return mapPage(page, func(m cms.Media) Choice { return fileChoice(m.ID, m.Name, m.Mime, m.URL) }), err
	}
	q := search.EntryQuery{ListQuery: index.ListQuery{Paging: paging}, Q: words, Statuses: cms.Statuses}
	q.Locales = site.Codes()
	page, err := search.List(c.R.Context(), l.entries.Store, site, p.model, q)
	if err != nil {
		return db.Page[Choice]{}, err
	}
	choices := mapPage(page, func(content.EntryItem) Choice { return Choice{} })
	for i := range page.Items {
		e, err := page.Items[i].Decoded()
		if err != nil {
			return db.Page[Choice]{}, err
		}
		choices.Items[i] = entryChoice(e, p.model)
	}
	return choices, nil
}
