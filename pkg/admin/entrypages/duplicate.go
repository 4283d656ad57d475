package entrypages

import (
	"net/http"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/site"
)

// duplicatePage asks for the title of a copy, and for its locale if the model has translations.
func (h Pages) duplicatePage(c *frame.Call, m *site.Model) (*ui.Page, error) {
	d, err := h.Entries.DraftOrLive(c.R.Context(), m.Slug, c.R.PathValue("id"))
	if err == nil {
		err = cms.PermissionsOf(c.R.Context()).Check(cms.ActionWrite, m.Slug, "", "entry")
	}
	if err != nil {
		return nil, err
	}
	from := d.Entry
	fields := []ui.Field{{Name: "title", Label: "Title", Kind: "text", Required: true, Focus: !c.IsForm,
		Value: c.Language().Say(say.F("{1} (copy)", from.Title))}}
	if m.Localized {
		fields = append(fields, localeField(c, m, from))
	}
	if l := c.Site.Locale(from.Locale); l != nil {
		WriteIn(fields, l)
	}
	at := ui.Base + entrydata.EntryAt(c)
	return &ui.Page{Title: "Duplicate", Crumbs: entryCrumbs(m, from, at),
		Form: &ui.Form{Action: at + "/duplicate", Method: http.MethodPost, Submit: "Duplicate", Cancel: at,
			Fields: fields}}, nil
}

// entryCrumbs lead from the list of a model and the page of an entry to a page about that entry.
func entryCrumbs(m *site.Model, e *cms.Entry, at string) []ui.Link {
	return []ui.Link{entrydata.ListLink(m), {Text: say.Data(e.Title), Href: at}}
}

// duplicate copies an entry (extensions §7). A browser's copy has the draft, which the page of the entry shows.
func (h Pages) duplicate(c *frame.Call, body map[string]any) (frame.Result, error) {
	for key, v := range body {
		if form, ok := v.(input.FormValue); ok {
			body[key] = form.Last()
		}
	}
	model, id := entrydata.PathOf(c)
	e, err := h.Entries.Duplicate(c.R.Context(), c.Actor(), model, id, body, c.IsForm)
	if err != nil {
		return frame.Result{}, err
	}
	return frame.Result{Status: http.StatusCreated, Data: entrydata.ShownEntry(e),
		Redirect: ui.EntryPath(model, e.ID) + "?ok=created"}, nil
}
