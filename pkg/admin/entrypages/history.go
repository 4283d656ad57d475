package entrypages

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/formerrows"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// historyView is the page of revisions: their list, and the changes of the selected one.
type historyView struct {
	*EntryView
	Versions []historyItem
	Shown    string
	Changes  []FieldChange
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
func (h Pages) revisions(c *frame.Call, m *site.Model) (frame.Result, error) {
	p, err := c.Paging()
	if err != nil {
		return frame.Result{}, err
	}
	if err := c.RefuseNames("fields", "include", "filter", "sort"); err != nil {
		return frame.Result{}, err
	}
	kept, each, err := h.Entries.Revisions(c.R.Context(), m.Slug, c.R.PathValue("id"))
	if err != nil {
		return frame.Result{}, err
	}
	page := db.Page[revisionView]{Paging: p, Total: kept, Items: []revisionView{}}
	later, at, size := map[bool]int{}, 0, 0 // index of the later revision of an entry and of a draft
	for r, err := range each {
		if at++; at <= p.Offset() && err == nil {
			continue
		}
		var v revisionView
		if err == nil {
			v, err = newRevisionView(r)
		}
		if size += len(v.Data); size > maxRevisionBytes && c.JSON {
			err = errManyRevisions
		}
		if err == nil && !c.JSON { // the page compares digests alone
			err = v.digest(m, r)
		}
		if err != nil {
			return frame.Result{}, err
		}
		if i, ok := later[v.Draft]; ok {
			page.Items[i].changed = entryforms.ChangedKeys(m, v.digests, page.Items[i].digests)
		}
		later[v.Draft] = len(page.Items)
		if page.Items = append(page.Items, v); len(page.Items) == p.PerPage {
			break
		}
	}
	result := frame.Result{Data: page.Items, Meta: frame.Meta(page)}
	if !c.JSON {
		result.Page, err = h.historyPage(c, m, page)
	}
	return result, err
}

// maxRevisionBytes limits the JSON of the revisions of an answer.
const maxRevisionBytes = 8 << 20

var errManyRevisions = cms.Errorf(cms.CodePayloadTooLarge,
	"These revisions are larger than %d MB. Ask for fewer with per_page.", maxRevisionBytes>>20)

func (h Pages) historyPage(c *frame.Call, m *site.Model, listed db.Page[revisionView]) (*ui.Page, error) {
	page, view, d, err := h.TabPage(c, m)
	if err != nil {
		return nil, err
	}
	at := ui.Base + entrydata.EntryAt(c)
	v := &historyView{EntryView: view, Shown: c.R.URL.Query().Get("show"),
		Paging: frame.Paged(c, &ui.List{Note: say.F("The last {1} versions and the last {2} drafts are kept.",
			strconv.Itoa(content.MaxRevisions), strconv.Itoa(content.DraftRevisions))}, listed)}
	if v.Shown == "" && len(listed.Items) > 0 {
		v.Shown = listed.Items[0].versionName()
	}
	people, err := c.People()
	if err != nil {
		return nil, err
	}
	for i := range listed.Items {
		r := &listed.Items[i]
		q := c.R.URL.Query()
		q.Set("show", r.versionName())
		status := r.Status
		if r.Draft {
			status = cms.StatusDraft
		}
		v.Versions = append(v.Versions, historyItem{
			Href: "?" + q.Encode(), Name: r.versionName(), Who: people.Cell(r.Actor), What: revisionWords(r), Time: r.Time,
			Status: ui.StatusBadge(status), Here: r.versionName() == v.Shown,
			Fields: say.Join(slice.Map(r.changed, func(key string) say.Text { return entrydata.PathLabel(m, key) }), ", "),
		})
	}
	if err := h.compareRevision(c, m, v, d); err != nil {
		return nil, err
	}
	if !v.ReadOnly && v.Shown != "" {
		v.Restore = &ui.Action{Label: "Restore as a draft", Method: http.MethodPost, Href: at +
			"/revisions/" + v.Shown + "/restore"}
	}
	page.Template, page.Custom = "history", v
	return page, nil
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
// if the field differs from its value before the change. It drops the content of d, which is large.
func (h Pages) compareRevision(c *frame.Call, m *site.Model, v *historyView, d *editing.Drafted) error {
	if v.Shown == "" {
		return nil
	}
	current, present := entryforms.Digests(m, d.Entry), formerrows.Digests(m, d.Entry)
	d.Entry = d.Live
	after, err := h.revision(c, m, d.Live, v.Shown)
	if err != nil {
		return err
	}
	before := d.Live
	if number, err := strconv.ParseInt(v.Shown, 10, 64); err == nil {
		d.Live.Data = nil
		before, err = h.Entries.Store.Revision(c.R.Context(), m, d.Live.ID, number-1)
		if err != nil {
			v.First = true
			return db.Missing(err, nil)
		}
	}
	v.Changes, err = h.fieldChanges(c, m, before, after, func(key string, row any) bool {
		return !v.ReadOnly && !present[key+" "+ui.Digest(row)]
	})
	if err != nil || v.ReadOnly {
		return err
	}
	v.Undo = ui.Base + entrydata.EntryAt(c) + "/revisions/" + strconv.FormatInt(before.Version, 10) + "/restore"
	old, new := entryforms.Digests(m, before), entryforms.Digests(m, after)
	for i := range v.Changes {
		key := v.Changes[i].Key
		v.Changes[i].Undo = old[key] != current[key]
		v.Changes[i].Later = new[key] != current[key]
	}
	return nil
}

// revision returns an entry as of a revision. name is the version number, with the prefix d for a
// revision of a draft.
func (h Pages) revision(c *frame.Call, m *site.Model, live *cms.Entry, name string) (*cms.Entry, error) {
	number, ofDraft := strings.CutPrefix(name, "d")
	version, err := strconv.ParseInt(number, 10, 64)
	gone := cms.Errorf(cms.CodeNotFound, "There is no such revision.")
	if err != nil || version < 1 {
		return nil, gone
	}
	if !ofDraft {
		e, err := h.Entries.Store.Revision(c.R.Context(), m, live.ID, version)
		return e, db.Missing(err, gone)
	}
	r, err := h.Entries.Store.DraftRevision(c.R.Context(), m, live.ID, version)
	if err != nil {
		return nil, db.Missing(err, gone)
	}
	e := *live
	r.Changes.ForModel(&m.Model).Apply(&e)
	return &e, nil
}

// restoreRevision restores the content of a revision. A form saves the content, or one field of it,
// as a draft, so that the user can check it before publishing.
func (h Pages) restoreRevision(c *frame.Call) (frame.Result, error) {
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
		d, err := h.Entries.RestoreDraftRevision(c.R.Context(), c.Actor(), model, id, version, nil)
		if err != nil {
			return frame.Result{}, err
		}
		return h.draftResult(c, d)
	}
	e, err := h.Entries.RestoreRevision(c.R.Context(), c.Actor(), model, id, version)
	return frame.Result{Data: e, Redirect: entrydata.EntryAt(c) + "?ok=restored"}, err
}

func (h Pages) restoreAsDraft(c *frame.Call) (frame.Result, error) {
	m, now, err := h.readDrafted(c)
	if err != nil {
		return frame.Result{}, err
	}
	old, err := h.revision(c, m, now.Live, c.R.PathValue("version"))
	if err != nil {
		return frame.Result{}, err
	}
	if row := c.Form.Get("row"); row != "" {
		return h.restoreRow(c, m, now, old, row)
	}
	body := entryBody(old)
	data := map[string]any{}
	for i := range m.Fields { // fields that were empty are cleared
		data[m.Fields[i].Name] = old.Data[m.Fields[i].Name]
	}
	body["data"] = data
	if field := c.Form.Get("field"); field != "" {
		if !slices.Contains(entryforms.Keys(m), field) {
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
