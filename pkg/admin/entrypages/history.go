package entrypages

import (
	"net/http"
	"strconv"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/site"
)

// historyView is the page of revisions: their list, and the changes of the selected one.
type historyView struct {
	*entryView
	Versions []historyItem
	Shown    string
	Changes  []fieldChange
	First    bool // no older revision is kept to compare with
	Restore  *ui.Action
	Undo     string // URL that restores single fields
	Paging   *ui.List
}

type historyItem struct {
	Href, Name string
	What       say.Text
	Who        ui.Cell
	Fields     say.Text // labels of what differs from the revision before
	Time       cms.Time
	Status     ui.Cell
	Here       bool
}

// revisions lists the revisions with their authors and times. Browsers also see the changes of the
// selected one.
func (h entryPages) revisions(c *frame.Call) (frame.Result, error) {
	p, err := c.Paging()
	if err != nil {
		return frame.Result{}, err
	}
	if err := c.RefuseNames("fields", "include", "filter", "sort"); err != nil {
		return frame.Result{}, err
	}
	model, id := entrydata.PathOf(c)
	page, err := h.Entries.Revisions(c.R.Context(), model, id, p)
	if err != nil {
		return frame.Result{}, err
	}
	shown := make([]revisionView, len(page.Items))
	for i, r := range page.Items {
		if shown[i], err = newRevisionView(r); err != nil {
			return frame.Result{}, err
		}
	}
	result := frame.Result{Data: shown, Meta: frame.Meta(page)}
	if !c.JSON {
		result.Page, err = h.historyPage(c, shown, page)
	}
	return result, err
}

func (h entryPages) historyPage(c *frame.Call, revisions []revisionView,
	listed db.Page[content.Revision]) (*ui.Page, error) {
	site, m, d, err := h.readDrafted(c)
	if err != nil {
		return nil, err
	}
	page, view, err := h.tabPage(c, site, m, d)
	if err != nil {
		return nil, err
	}
	at := ui.Base + entrydata.EntryAt(c)
	v := &historyView{entryView: view, Shown: c.R.URL.Query().Get("show"),
		Paging: frame.Paged(c, &ui.List{Kept: say.F("The last {1} versions and the last {2} drafts are kept.",
			strconv.Itoa(content.MaxRevisions), strconv.Itoa(content.DraftRevisions))}, listed)}
	if v.Shown == "" && len(revisions) > 0 {
		v.Shown = revisions[0].versionName()
	}
	people, err := c.People()
	if err != nil {
		return nil, err
	}
	for i := range revisions {
		r := &revisions[i]
		q := c.R.URL.Query()
		q.Set("show", r.versionName())
		status := r.Status
		if r.Draft {
			status = cms.StatusDraft
		}
		v.Versions = append(v.Versions, historyItem{
			Href: "?" + q.Encode(), Name: r.versionName(), Who: people.Cell(r.Actor), What: revisionWords(r), Time: r.Time,
			Status: ui.StatusBadge(status), Here: r.versionName() == v.Shown, Fields: changedFields(m, revisions[i:]),
		})
	}
	if err := h.compareRevision(c, v, d.Entry); err != nil {
		return nil, err
	}
	if !v.ReadOnly && v.Shown != "" {
		v.Restore = &ui.Action{Label: "Restore as a draft", Method: http.MethodPost, Href: at +
			"/revisions/" + v.Shown + "/restore"}
	}
	page.Template, page.Custom = "history", v
	return page, nil
}

// changedFields names the fields in which a revision differs from the next older one of its kind.
func changedFields(m *site.Model, revisions []revisionView) say.Text {
	now := &revisions[0]
	for i := range revisions[1:] {
		if was := &revisions[1+i]; was.Draft == now.Draft {
			var labels []say.Text
			for _, key := range entryforms.ChangedKeys(m, was.entry(), now.entry()) {
				labels = append(labels, entrydata.PathLabel(m, key))
			}
			return say.Join(labels, ", ")
		}
	}
	return ""
}

// revisionWords describes a revision in words.
func revisionWords(r *revisionView) say.Text {
	if r.Draft {
		return "Draft saved"
	}
	switch r.Event {
	case cms.EventEntryCreated:
		return "Created"
	case cms.EventEntryPublished:
		return "Published"
	case cms.EventEntryUnpublished:
		return "Unpublished"
	}
	return "Saved"
}

// compareRevision finds the changes of the selected revision. A revision of the entry is compared
// with the one before it, and a revision of a draft with the stored entry. A change can be undone
// if the field differs from its value before the change.
func (h entryPages) compareRevision(c *frame.Call, v *historyView, now *cms.Entry) error {
	if v.Shown == "" {
		return nil
	}
	site, m, err := h.Model(c)
	if err != nil {
		return err
	}
	after, err := h.revision(c, m, v.Shown)
	if err != nil {
		return err
	}
	before := v.Stored
	if number, err := strconv.ParseInt(v.Shown, 10, 64); err == nil {
		before, err = h.Entries.Store.Revision(c.R.Context(), m, v.Stored.ID, number-1)
		if err != nil {
			v.First = true
			return missingRevision(err, nil)
		}
	}
	if v.Changes, err = h.fieldChanges(c, site, m, before, after); err != nil || v.ReadOnly {
		return err
	}
	v.Undo = ui.Base + entrydata.EntryAt(c) + "/revisions/" + strconv.FormatInt(before.Version, 10) + "/restore"
	old, current := entryforms.EntryValues(m, before), entryforms.EntryValues(m, now)
	new := entryforms.EntryValues(m, after)
	for i := range v.Changes {
		key := v.Changes[i].Key
		v.Changes[i].Undo = ui.Digest(old[key]) != ui.Digest(current[key])
		v.Changes[i].Later = ui.Digest(new[key]) != ui.Digest(current[key])
	}
	return nil
}

// revision returns the entry as of a revision. name is the version number, with the prefix d for a
// revision of a draft.
func (h entryPages) revision(c *frame.Call, m *site.Model, name string) (*cms.Entry, error) {
	model, id := entrydata.PathOf(c)
	number, ofDraft := strings.CutPrefix(name, "d")
	version, err := strconv.ParseInt(number, 10, 64)
	gone := cms.Errorf(cms.CodeNotFound, "There is no such revision.")
	if err != nil || version < 1 {
		return nil, gone
	}
	d, err := h.Entries.DraftOrLive(c.R.Context(), model, id)
	if err != nil {
		return nil, err
	}
	if !ofDraft {
		e, err := h.Entries.Store.Revision(c.R.Context(), m, d.Live.ID, version)
		return e, missingRevision(err, gone)
	}
	r, err := h.Entries.Store.DraftRevision(c.R.Context(), m, d.Live.ID, version)
	if err != nil {
		return nil, missingRevision(err, gone)
	}
	e := *d.Live
	r.Changes.ForModel(&m.Model).Apply(&e)
	return &e, nil
}

// restoreRevision restores the content of a revision. A form saves the content, or one field of it,
// as a draft, so that the user can check it before publishing.
func (h entryPages) restoreRevision(c *frame.Call) (frame.Result, error) {
	if c.IsForm {
		return h.restoreAsDraft(c)
	}
	number, ofDraft := strings.CutPrefix(c.R.PathValue("version"), "d")
	version, err := strconv.ParseInt(number, 10, 64)
	if err != nil || version < 1 {
		return frame.Result{}, cms.Errorf(cms.CodeNotFound, "There is no such revision.")
	}
	model, id := entrydata.PathOf(c)
	if ofDraft {
		d, err := h.Entries.RestoreDraftRevision(c.R.Context(), c.Actor(), model, id, version)
		if err != nil {
			return frame.Result{}, err
		}
		return h.draftResult(c, d)
	}
	e, err := h.Entries.RestoreRevision(c.R.Context(), c.Actor(), model, id, version)
	return frame.Result{Data: e, Redirect: entrydata.EntryAt(c) + "?ok=restored"}, err
}

func (h entryPages) restoreAsDraft(c *frame.Call) (frame.Result, error) {
	_, m, err := h.Model(c)
	if err != nil {
		return frame.Result{}, err
	}
	old, err := h.revision(c, m, c.R.PathValue("version"))
	if err != nil {
		return frame.Result{}, err
	}
	body := entryBody(old)
	data := map[string]any{}
	for i := range m.Fields { // fields that were empty are cleared
		data[m.Fields[i].Name] = old.Data[m.Fields[i].Name]
	}
	body["data"] = data
	if field := c.Form.Get("field"); field != "" {
		if _, known := entryforms.EntryValues(m, old)[field]; !known {
			return frame.Result{}, cms.Errorf(cms.CodeNotFound, "There is no such field.")
		}
		body = entryforms.Only(body, []string{field})
	}
	model, id := entrydata.PathOf(c)
	d, err := h.Entries.SaveDraft(c.R.Context(), c.Actor(), model, id, body, nil)
	if err != nil {
		return frame.Result{}, err
	}
	result, err := h.draftResult(c, d)
	result.Redirect = entrydata.EntryAt(c) + "/draft?ok=drafted"
	return result, err
}
