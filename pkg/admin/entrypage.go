package admin

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/links"
	previews "headless/pkg/links/preview"
	"headless/pkg/site"
	"headless/pkg/slug"
)

// entryView is what the page of an entry shows around its form.
type entryView struct {
	State    []Cell // status, locale, and whether something waits to be published
	Tabs     []menuItem
	Locales  []localeTab
	Beside   *besideView // the entry in another locale that stands beside the form
	Live     bool        // everybody can read it
	ReadOnly bool
	Presence string // where the page says that it is open, "" where nothing can be changed
	Preview  string // where links to the entry on its site are made, "" where the model has no address
	Facts    []Fact
	Actions  []Action
	live     *cms.Entry
}

// entryTabs are the pages of an entry.
func entryTabs(c *Call, at string) []menuItem {
	tabs := []menuItem{
		{Link: Link{"Edit", at}}, {Link: Link{"Preview", at + "/preview"}},
		{Link: Link{"Changes", at + "/draft"}}, {Link: Link{"History", at + "/revisions"}},
	}
	for i := range tabs {
		tabs[i].Here = tabs[i].Href == strings.TrimSuffix(c.R.URL.Path, "/edit")
	}
	return tabs
}

// edits marks the tab of the form, which also stands at the address of a draft that was refused.
func (v *entryView) edits() {
	for i := range v.Tabs {
		v.Tabs[i].Here = i == 0
	}
}

// entryPage is the page of an entry: its form, with the draft laid over it.
func (h entryHandlers) entryPage(c *Call) (*Page, error) {
	site, m, d, err := h.drafted(c)
	if err != nil {
		return nil, err
	}
	beside, err := h.beside(c, site, m, d.Live)
	if err != nil {
		return nil, err
	}
	if err := beside.fill(c, m); err != nil {
		return nil, err
	}
	if c.step != nil && c.step.verb == stepSlug {
		c.form.Set("slug", slug.Of(c.form.Get("title")))
	}
	base, conflicts, err := h.rebase(c, m, d.Entry)
	if err != nil {
		return nil, err
	}
	fields, err := h.fields(c, &d.Entry)
	if err != nil {
		return nil, err
	}
	at := Base + c.entryPath()
	action := at + "/draft" + beside.query()
	markConflicts(fields, conflicts, m, d.Entry, action)
	if err := beside.show(c, h, m, fields, action); err != nil {
		return nil, err
	}
	version, err := versionOf(shownEntry(d.Live))
	if err != nil {
		return nil, err
	}
	view, err := h.entryView(c, site, m, d)
	if err != nil {
		return nil, err
	}
	view.Beside = beside
	view.edits()
	page := &Page{Title: d.Entry.Title,
		Crumbs: []Link{{m.Name, Base + "/models/" + m.Slug + "/entries"}}, Template: "entry",
		Custom: view, Form: &Form{
			Action: action, Method: http.MethodPut,
			Fields: append(fields, Field{Name: baseKey, Kind: "hidden", Value: base.String(), Kept: true}),
			Submit: "Save", Cancel: at, Version: version, Multipart: true,
		}}
	page.use("entry")
	page.use("frame")
	page.arrange()
	if !view.ReadOnly {
		view.Presence = at + "/presence"
		page.use("presence")
	}
	if m.PreviewURL != "" && !view.ReadOnly {
		view.Preview, page.Frame = at+"/preview", previews.Address(m.PreviewURL, d.Live, "token")
	}
	return page, h.useScripts(c, page, m.Fields)
}

// rebase brings what a form sent up to what is stored: fields that the form did not change are
// shown as they are now. It gives what the form is an edit of from here, and the fields that both
// changed.
func (h entryHandlers) rebase(c *Call, m *site.Model, e *cms.Entry) (base fieldDigests,
	conflicts []string, err error) {
	stored := entryValues(m, e)
	if !c.isForm {
		return digestsOf(stored), nil, nil
	}
	in := formReader{cms.Problems{}, false}
	sent := bodyValues(m, in.typed(m, c.form))
	merge := mergeEntry(c.form, sent, stored)
	for _, key := range merge.others {
		forget(c.form, key)
	}
	if c.step != nil && (c.step.verb == stepTake || c.step.verb == stepKeep) {
		if c.step.verb == stepTake {
			forget(c.form, c.step.name)
		}
		merge.base[c.step.name] = digestOf(stored[c.step.name])
		merge.conflicts = slices.DeleteFunc(merge.conflicts,
			func(key string) bool { return key == c.step.name })
	}
	return merge.base, merge.conflicts, nil
}

// Conflict is what somebody else made of a field, beside what its input holds.
type Conflict struct {
	Theirs     string
	Keep, Take buttonView
}

// markConflicts shows beside fields what is stored in them.
func markConflicts(fields []Field, conflicts []string, m *site.Model, e *cms.Entry, action string) {
	for i := range fields {
		f := &fields[i]
		if !slices.Contains(conflicts, f.Name) {
			continue
		}
		f.Conflict = &Conflict{
			Theirs: wholeText(m, e, f.Name),
			Keep: buttonView{Button{Text: "Keep mine", Label: "Keep mine: " + f.Label,
				Do: stepKeep + " " + f.Name, To: f.Name}, action},
			Take: buttonView{Button{Text: "Take theirs", Label: "Take theirs: " + f.Label,
				Do: stepTake + " " + f.Name, To: f.Name}, action},
		}
	}
}

// wholeText is a value of an entry as text.
func wholeText(m *site.Model, e *cms.Entry, key string) string {
	switch key {
	case "title":
		return e.Title
	case "slug":
		return e.Slug
	case "seo.title":
		return e.SEO.Title
	case "seo.description":
		return e.SEO.Description
	case "seo.noindex":
		if e.SEO.Noindex {
			return "Yes"
		}
		return ""
	}
	name := strings.TrimPrefix(key, "data.")
	f := m.Field(name)
	if f == nil {
		return ""
	}
	text, err := readable(*f, e.Data[name])
	if err != nil {
		return ""
	}
	return text
}

// newPage is the form of a new entry.
func (h entryHandlers) newPage(c *Call) (*Page, error) {
	_, m, err := h.model(c)
	if err != nil {
		return nil, err
	}
	fields, err := h.fields(c, nil)
	if err != nil {
		return nil, err
	}
	at := Base + "/models/" + m.Slug + "/entries"
	page := &Page{Title: "New entry", Crumbs: []Link{{m.Name, at}}, Template: "entry",
		Custom: &entryView{State: []Cell{{Text: "new", Kind: "grey"}}}, Form: &Form{
			Action: at + "?draft=true", Method: http.MethodPost, Fields: fields, Submit: "Create entry",
			Cancel: at, Multipart: true,
		}}
	page.use("entry")
	page.arrange()
	return page, h.useScripts(c, page, m.Fields)
}

// newForm is the empty form for a browser; a program gets the defaults of a new entry.
func (h entryHandlers) newForm(c *Call) (Result, error) {
	if c.JSON {
		e, err := h.blank(c)
		if err != nil {
			return Result{}, err
		}
		return Result{Data: shownEntry(e)}, nil
	}
	page, err := h.newPage(c)
	return Result{Page: page}, err
}

// entryView collects what stands around the form of an entry.
func (h entryHandlers) entryView(c *Call, site *site.Site, m *site.Model,
	d *editing.Drafted) (*entryView, error) {
	at := Base + c.entryPath()
	v := &entryView{
		live:  d.Live,
		State: entryState(m, d), Tabs: entryTabs(c, at), Live: d.Live.Status == cms.StatusPublished,
		ReadOnly: !h.mayWrite(c, m, d.Live),
		Facts: []Fact{{Label: "Published", Cells: []Cell{When(d.Live.PublishedAt)}},
			{Label: "Changed", Cells: []Cell{When(d.Live.UpdatedAt)}},
			{Label: "Id", Cells: []Cell{Code(d.Live.ID)}}},
	}
	if d.Info != nil {
		v.Facts = append(v.Facts,
			Fact{Label: "Draft", Cells: []Cell{When(d.Info.UpdatedAt), Text(actorName(d.Info.Actor))}})
	}
	uses, err := usedIn(c, links.Usage{Store: h.entries.Store}, d.Live.ID, at)
	if err != nil {
		return nil, err
	}
	if len(uses[0].Cells) > 0 {
		v.Facts = append(v.Facts, uses...)
	}
	if v.Locales, err = h.localeTabs(c, site, m, d.Live); err != nil {
		return nil, err
	}
	if !v.ReadOnly {
		v.Actions = h.entryActions(c, m, d, uses[0].Cells)
	}
	return v, nil
}

// entryViewOf is the view of a page that shows the form of a stored entry, nil for others.
func entryViewOf(page *Page) *entryView {
	if page == nil {
		return nil
	}
	if v, ok := page.Custom.(*entryView); ok && v.live != nil {
		return v
	}
	return nil
}

// mayWrite reports whether the user may change an entry.
func (h entryHandlers) mayWrite(c *Call, m *site.Model, e *cms.Entry) bool {
	return c.May(cms.RoleEditor) && cms.PermissionsOf(c.R.Context()).May(cms.ActionWrite, m.Slug, e.Locale)
}

// entryState says in badges what readers see of an entry.
func entryState(m *site.Model, d *editing.Drafted) []Cell {
	cells := []Cell{statusBadge(d.Live.Status)}
	if m.Localized {
		cells = append(cells, Badge(d.Live.Locale))
	}
	if d.Info != nil && d.Live.Status == cms.StatusPublished {
		cells = append(cells, Cell{Text: "changed, not live", Kind: "warn"})
	}
	if d.Outdated {
		cells = append(cells, Cell{Text: "draft is outdated", Kind: "bad"})
	}
	return cells
}

// entryActions are what can be done with an entry beside saving it.
func (h entryHandlers) entryActions(c *Call, m *site.Model, d *editing.Drafted, uses []Cell) []Action {
	at := Base + c.entryPath()
	var actions []Action
	if d.Live.Status == cms.StatusPublished {
		actions = append(actions, Action{Label: "Unpublish", Method: http.MethodPost, Href: at +
			"/unpublish", Confirm: "Readers will not find this entry any more.", Uses: uses})
	}
	if d.Info != nil {
		actions = append(actions, Action{Label: "Discard draft", Method: http.MethodDelete,
			Href: at + "/draft", Danger: true, Confirm: "Discard the draft? The entry stays as it is."})
	}
	actions = append(actions, h.duplicateAction(c)...)
	return append(actions, Action{
		Label: "Delete", Href: at, Method: http.MethodDelete, Danger: true, Uses: uses,
		Confirm: "Move this entry to the trash? It can be restored for 90 days.",
	})
}

// trashed is the notice after an entry was moved to the trash, with the way back.
func trashed(c *Call, page *Page) {
	id := c.R.URL.Query().Get("id")
	if page != nil && c.R.URL.Query().Get("ok") == "trashed" && id != "" && c.May(cms.RoleEditor) {
		page.Undo = &Action{Label: "Undo", Method: http.MethodPost, Href: Base + "/trash/" +
			url.PathEscape(id) + "/restore"}
	}
}

// withUndo adds to a list of entries the way back from the trash.
func withUndo(list handler) handler {
	return func(c *Call) (Result, error) {
		result, err := list(c)
		trashed(c, result.Page)
		return result, err
	}
}

// arrange adds the script of tabs and conditions where the form has any.
func (p *Page) arrange() {
	if slices.ContainsFunc(p.Form.Fields, func(f Field) bool { return f.Tab != "" || f.ShownIf != "" }) {
		p.use("layout")
	}
}
