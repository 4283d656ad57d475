package entrypages

import (
	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/approval"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/site"
)

// readDrafted reads the entry of the request, with the changes of its draft applied, and its model.
func (h Pages) readDrafted(c *frame.Call) (*site.Model, *editing.Drafted, error) {
	m, err := c.Model()
	if err != nil {
		return nil, nil, err
	}
	d, err := h.Entries.DraftOrLive(c.R.Context(), m.Slug, c.R.PathValue("id"))
	return m, d, err
}

// TabPage returns a page of the entry of the request other than its form, with the tabs and the state of the entry,
// and the entry. The caller adds its template.
func (h Pages) TabPage(c *frame.Call, m *site.Model) (*ui.Page, *EntryView, *editing.Drafted, error) {
	d, err := h.Entries.DraftOrLive(c.R.Context(), m.Slug, c.R.PathValue("id"))
	if err != nil {
		return nil, nil, nil, err
	}
	view, err := h.entryView(c, m, d)
	if err != nil {
		return nil, nil, nil, err
	}
	page := &ui.Page{Title: say.Data(d.Entry.Title), Crumbs: []ui.Link{entrydata.ListLink(m)}}
	page.Use("entry")
	page.Use("changes")
	return page, view, d, nil
}

// ChangesSince compares an entry and its draft, as read, with an earlier version, field by field. kept
// is false if the revisions of that version are not kept.
func (h Pages) ChangesSince(c *frame.Call, m *site.Model, d *editing.Drafted,
	was approval.Version) (changes []FieldChange, kept bool, err error) {
	e := d.Live
	if was.Entry != e.Version {
		if e, err = h.Entries.Store.Revision(c.R.Context(), m, d.Live.ID, was.Entry); err != nil {
			return nil, false, db.Missing(err, nil)
		}
	}
	before := *e
	if was.Draft > 0 {
		r, err := h.Entries.Store.DraftRevision(c.R.Context(), m, d.Live.ID, was.Draft)
		if err != nil {
			return nil, false, db.Missing(err, nil)
		}
		r.Changes.ForModel(&m.Model).Apply(&before)
	}
	changes, err = h.fieldChanges(c, m, &before, d.Entry, nil)
	return changes, true, err
}
