package entrypages

import (
	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/approval"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/site"
)

// EntryView is the data of the bar above every page of an entry.
type EntryView = entryView

// TabPage returns a page of an entry without content, with its view and the entry: another package
// adds its template.
func TabPage(c *frame.Call, h entrydata.EntryHandlers) (*ui.Page, *EntryView, *editing.Drafted, error) {
	pages := entryPages{h}
	m, d, err := pages.readDrafted(c)
	if err != nil {
		return nil, nil, nil, err
	}
	page, view, err := pages.tabPage(c, m, d)
	return page, view, d, err
}

// FieldChange is the difference of one field between two versions of an entry.
type FieldChange = fieldChange

// ChangesSince compares an entry and its draft, as read, with an earlier version, field by field. kept
// is false if the revisions of that version are not kept.
func ChangesSince(c *frame.Call, h entrydata.EntryHandlers, d *editing.Drafted,
	was approval.Version) (changes []FieldChange, kept bool, err error) {
	m, err := h.Model(c)
	if err != nil {
		return nil, false, err
	}
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
	changes, err = entryPages{h}.fieldChanges(c, m, &before, d.Entry)
	return changes, true, err
}

// Input returns the input of a value of a field, as forms of entries have it.
func Input(h entrydata.EntryHandlers, site *site.Site, f cms.Field, v any, name string) (ui.Field, error) {
	return entryPages{h}.dataField(site, f, v, name)
}

// Saving is a save of the form of an entry: what was stored before, how the form was merged with it, and what
// is saved now.
type Saving struct {
	Model  *site.Model
	Stored entryforms.Stored
	Merge  entryforms.EntryMerge
	Saved  *editing.Drafted
}

// SaveForm saves the form of an entry that a browser sent, or a part of it, into the draft.
func SaveForm(c *frame.Call, h entrydata.EntryHandlers) (frame.Result, Saving, error) {
	return entryPages{h}.saveForm(c)
}

// FormFields returns the inputs of the form of an entry, with what was posted and what others changed since, and
// the base of the form. action is the URL that receives the steps.
func FormFields(c *frame.Call, h entrydata.EntryHandlers, m *site.Model, d *editing.Drafted,
	action string) ([]ui.Field, entryforms.Base, error) {
	return entryPages{h}.formFields(c, m, d, action)
}
