package entrypages

import (
	"net/http"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/admin/usages"
	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/input"
	"headless/pkg/links"
	previews "headless/pkg/links/preview"
	"headless/pkg/site"
	"headless/pkg/slug"
)

// EntryView is the data of the bar above every page of an entry, and around its form.
type EntryView struct {
	State          []ui.Cell // badges for status and unpublished changes
	Language       say.Text  // its name, "" in models without languages
	Tabs           []ui.MenuItem
	Locales        []ui.LocaleTab
	Beside         *besideView // the entry that is shown beside the form
	Checks         []say.Text  // what to mend for search engines
	Live, ReadOnly bool        // whether the entry is published, and may not be changed
	Publish        bool        // the user may publish the entry
	Waits          bool        // there is something to publish
	Why            say.Text    // why the entry is read-only, "" if it is not
	Presence       string      // URL that tells who has the page open, and whether comments changed
	Preview        bool        // the entry can be shown on its site beside the form
	Result         *entryforms.Result
	Facts          []ui.Fact
	Actions        []ui.Action
	Stored         *cms.Entry
}

// entryTabs returns the tabs of the pages of an entry.
func entryTabs(c *frame.Call, at string) []ui.MenuItem {
	tabs := []ui.MenuItem{
		{Link: ui.Link{Text: "Edit", Href: at}}, {Link: ui.Link{Text: "Preview", Href: at + "/preview"}},
		{Link: ui.Link{Text: "Changes", Href: at + "/draft"}},
		{Link: ui.Link{Text: "History", Href: at + "/revisions"}, Aside: true, Pane: "history"},
		{Link: ui.Link{Text: "Review", Href: at + "/review"}, Aside: true},
	}
	for i := range tabs {
		tabs[i].Here = tabs[i].Href == strings.TrimSuffix(c.R.URL.Path, "/edit")
	}
	return tabs
}

// edits selects the tab of the form. A refused draft shows the form at another URL.
func (v *EntryView) edits() {
	for i := range v.Tabs {
		v.Tabs[i].Here = i == 0
	}
}

// entryPage returns the page of an entry: its form, with the changes of the draft applied.
func (h Pages) entryPage(c *frame.Call) (*ui.Page, error) {
	m, d, err := h.readDrafted(c)
	if err != nil {
		return nil, err
	}
	beside, err := h.readBeside(c, m, d.Live)
	if err != nil {
		return nil, err
	}
	if err := beside.runStep(c, m); err != nil {
		return nil, err
	}
	if c.Step != nil && c.Step.Verb == frame.StepSlug {
		c.Form.Set("slug", slug.Of(c.Form.Get("title"), d.Entry.Locale))
	}
	at := ui.Base + entrydata.EntryAt(c)
	action := at + "/draft" + beside.query()
	fields, base, err := h.FormFields(c, m, d, action)
	if err != nil {
		return nil, err
	}
	if err := beside.show(c, h, m, fields, action); err != nil {
		return nil, err
	}
	version, err := resource.VersionOf(entrydata.ShownEntry(d.Live))
	if err != nil {
		return nil, err
	}
	view, err := h.entryView(c, m, d)
	if err != nil {
		return nil, err
	}
	if view.Checks, err = entryforms.Checks(c.R.Context(), h.Entries.Store, m, d.Entry); err != nil {
		return nil, err
	}
	view.Beside, view.Result, view.Presence = beside, entryforms.ResultOf(fields), at+"/presence"
	view.edits()
	page := &ui.Page{Title: say.Data(d.Entry.Title),
		Crumbs:   []ui.Link{entrydata.ListLink(m)},
		Template: "entry", Custom: view, Form: &ui.Form{
			Action: action, Method: http.MethodPut,
			Fields: append(fields, ui.Kept(entryforms.BaseKey, base.String())),
			Submit: "Save", Cancel: at, Version: version, Base: ui.Digest(base.String()), Multipart: true,
		}}
	if err := h.showPlace(c, m, d.Live, page, view); err != nil {
		return nil, err
	}
	page.Use("entry")
	if view.ReadOnly {
		page.Use("reader")
	}
	if beside != nil {
		page.Use("beside")
	}
	page.UseLater("frame")
	page.Arrange()
	useComments(page)
	if m.PreviewURL != "" && !view.ReadOnly {
		view.Preview, page.Frame = true, previews.Address(m.PreviewURL, d.Live, "token")
	}
	return page, h.useScripts(c, page, m.Fields)
}

// checks returns the part of the page of an entry that says what to mend for search engines.
func (h Pages) checks(c *frame.Call) (frame.Result, error) {
	m, d, err := h.readDrafted(c)
	if err != nil {
		return frame.Result{}, input.NotFound(err, "entry")
	}
	var view EntryView
	if view.Checks, err = entryforms.Checks(c.R.Context(), h.Entries.Store, m, d.Entry); err != nil {
		return frame.Result{}, err
	}
	part, err := c.A.Pages.Part("entry", "checks", c.Language(), &view)
	return frame.Result{Raw: part, RawType: "text/html; charset=utf-8"}, err
}

// FormFields returns the inputs of the form of an entry, with the posted values and the later changes of others, and
// the base of the form. action is the URL that receives the steps.
func (h Pages) FormFields(c *frame.Call, m *site.Model, d *editing.Drafted,
	action string) ([]ui.Field, entryforms.Base, error) {
	stored := entryforms.StoredOf(m, d.Entry, d.RowIDs)
	part := stored.Windows(m, c.R.URL.Query())
	base, conflicts, err := h.rebase(c, m, stored, part, d.Entry.Locale)
	if err != nil {
		return nil, nil, err
	}
	fields, err := h.fields(c, m, part.Entry(d.Entry))
	if err != nil {
		return nil, nil, err
	}
	return fields, base, h.markConflicts(c, m, fields, conflicts, d, action)
}

// newPage returns the page with the form of a new entry.
func (h Pages) newPage(c *frame.Call, m *site.Model) (*ui.Page, error) {
	fields, err := h.fields(c, m, nil)
	if err != nil {
		return nil, err
	}
	fields[0].Focus = !c.IsForm // the title; a refused form shows its errors first
	at := ui.Base + ui.EntriesPath(m.Slug)
	page := &ui.Page{Title: "New entry", Crumbs: []ui.Link{{Text: say.Data(m.Name), Href: at}}, Template: "entry",
		Custom: &EntryView{State: []ui.Cell{{Text: "new", Kind: "grey"}}, Waits: true, Preview: m.PreviewURL != "",
			Result:  entryforms.ResultOf(fields),
			Publish: cms.PermissionsOf(c.R.Context()).May(cms.ActionPublish, m.Slug, "")}, Form: &ui.Form{
			Action: at + "?draft=true", Method: http.MethodPost, Fields: fields, Submit: "Create entry",
			Cancel: at, Multipart: true,
		}}
	page.Use("entry")
	if m.PreviewURL != "" { // from its first save on
		page.UseLater("frame")
		page.Frame = previews.Address(m.PreviewURL, &cms.Entry{Locale: c.Site.Default}, "token")
	}
	useComments(page)
	page.Arrange()
	return page, h.useScripts(c, page, m.Fields)
}

// useComments adds the comments beside the form. A new entry has them from its first save on.
func useComments(page *ui.Page) {
	for _, name := range []string{"review", "comments", "presence"} {
		page.UseLater(name)
	}
}

// entryView returns the data around the form on the page of an entry.
func (h Pages) entryView(c *frame.Call, m *site.Model, d *editing.Drafted) (*EntryView, error) {
	at := ui.Base + entrydata.EntryAt(c)
	v := &EntryView{
		Stored: d.Live,
		State:  entryState(d, at), Tabs: entryTabs(c, at), Live: d.Live.Status == cms.StatusPublished,
		Waits:    d.Info != nil || d.Live.Status != cms.StatusPublished,
		ReadOnly: !h.MayWrite(c, m, d.Live),
		Facts: []ui.Fact{ui.NewFact("Published", ui.When(d.Live.PublishedAt)),
			ui.NewFact("Changed", ui.When(d.Live.UpdatedAt)),
			ui.NewFact("Id", ui.Code(d.Live.ID)),
			ui.NewFact("Checks", ui.Cell{Text: "Health", Href: at + "/health"},
				ui.Cell{Text: "Is it live?", Href: at + "/receipts"})},
	}
	if m.Localized {
		v.Language = ui.LocaleName(c.Site, d.Live.Locale)
	}
	if d.Info != nil {
		people, err := c.People()
		if err != nil {
			return nil, err
		}
		v.Facts = append(v.Facts,
			ui.NewFact("Draft", ui.When(d.Info.UpdatedAt), people.Cell(d.Info.Actor)))
	}
	uses, err := usages.UsedIn(c, links.Usage{Store: h.Entries.Store}, d.Live.ID, at)
	if err != nil {
		return nil, err
	}
	if len(uses.Cells) > 0 {
		v.Facts = append(v.Facts, uses)
	}
	if v.Locales, err = h.localeTabs(c, m, d.Live); err != nil {
		return nil, err
	}
	if v.Locales != nil {
		v.Actions = translatorActions(c, m)
	}
	if may := cms.PermissionsOf(c.R.Context()); v.ReadOnly {
		v.Why = readOnlyWhy(c.Site, m, may)
	} else {
		v.Publish = may.May(cms.ActionPublish, m.Slug, d.Live.Locale)
		v.Actions = h.entryActions(c, m, d, uses.Cells, v.Actions)
		for i, tab := range v.Locales {
			if tab.Here && tab.Outdated && v.Live && v.Publish && d.Info == nil && m.Review == 0 {
				v.Locales[i].Right = at + "/publish?right=true"
			}
		}
	}
	return v, nil
}

// readOnlyWhy says which entries of a model the user may edit.
func readOnlyWhy(site *site.Site, m *site.Model, may *cms.Permissions) say.Text {
	var names []string
	for _, code := range may.Locales(cms.ActionWrite, m.Slug, site.Codes()) {
		if l := site.Locale(code); m.Localized && l != nil && may != nil {
			names = append(names, l.Name)
		}
	}
	if len(names) == 0 {
		return "You may read this entry, but not change it."
	}
	return say.F("You may read this entry. You may edit {1} in {2}.", m.Name, strings.Join(names, ", "))
}

// EntryViewOf returns the view of a page with a stored entry, nil for other pages.
func EntryViewOf(page *ui.Page) *EntryView {
	if page == nil {
		return nil
	}
	if v, ok := page.Custom.(*EntryView); ok && v.Stored != nil {
		return v
	}
	return nil
}

// entryState returns badges for the state of an entry.
func entryState(d *editing.Drafted, at string) []ui.Cell {
	cells := []ui.Cell{ui.StatusBadge(d.Live.Status)}
	if d.Info != nil && d.Live.Status == cms.StatusPublished {
		cells = append(cells, ui.Cell{Text: "changed, not live", Kind: "warn", Href: at + "/draft"})
	}
	if d.Outdated {
		cells = append(cells, ui.Cell{Text: "draft is outdated", Kind: "bad"})
	}
	return cells
}

// entryActions returns the buttons for an entry, except those that save it. More stand before Delete.
func (h Pages) entryActions(c *frame.Call, m *site.Model, d *editing.Drafted,
	uses []ui.Cell, more []ui.Action) []ui.Action {
	at := ui.Base + entrydata.EntryAt(c)
	var actions []ui.Action
	may := cms.PermissionsOf(c.R.Context())
	if d.Live.Status == cms.StatusPublished && may.May(cms.ActionPublish, m.Slug, d.Live.Locale) {
		actions = append(actions, ui.Action{Label: "Unpublish", Method: http.MethodPost, Href: at +
			"/unpublish", Confirm: "Readers will not find this entry any more.", Uses: uses})
	}
	if may.May(cms.ActionPublish, m.Slug, d.Live.Locale) {
		actions = append(actions, ui.Action{Label: "Add to release…", Method: http.MethodPost, Href: ui.Base + "/releases",
			Fields: []ui.Field{ui.Kept("model", m.Slug), ui.Kept("ids", d.Live.ID)}})
	}
	if d.Info != nil {
		actions = append(actions, ui.Action{Label: "Discard draft", Method: http.MethodDelete,
			Href: at + "/draft", Danger: true, Confirm: "Discard the draft? The entry stays as it is."})
	}
	if m.Kind != cms.KindSingle {
		actions = append(actions, ui.Action{Label: "Duplicate", Href: at + "/duplicate"})
	}
	actions = append(actions, more...)
	if m.Permit(c.R.Context(), cms.ActionDelete, d.Live, nil) != nil {
		return actions
	}
	return append(actions, ui.Action{
		Label: "Delete", Href: at, Method: http.MethodDelete, Danger: true, Uses: uses,
		Confirm: "Move this entry to the trash? It can be restored for 90 days.",
	})
}
