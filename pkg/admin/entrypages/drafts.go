package entrypages

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/usages"
	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/planning"
	"headless/pkg/planning/bulk"
	"headless/pkg/site"
)

// draftRoutes returns the routes for drafts and for publishing an entry (extensions §2).
func (h Pages) draftRoutes(item string) []frame.Route {
	duplicate := frame.OfModel(h.duplicatePage)
	return []frame.Route{
		{Method: "GET", Pattern: item + "/draft", Role: cms.RoleViewer, Handle: frame.OfModel(h.draft)},
		{Method: "PUT", Pattern: item + "/draft", Role: cms.RoleEditor, Handle: frame.WithBody(h.saveDraft),
			Form: h.entryPage},
		{Method: "DELETE", Pattern: item + "/draft", Role: cms.RoleEditor, Handle: h.discardDraft},
		{Method: "GET", Pattern: item + "/draft/edit", Role: cms.RoleEditor, Handle: h.draftForm},
		{Method: "POST", Pattern: item + "/publish", Role: cms.RoleEditor, Handle: frame.WithBody(h.publish)},
		{Method: "POST", Pattern: item + "/unpublish", Role: cms.RoleEditor, Handle: usages.ShowJob(h.unpublish)},
		{Method: "POST", Pattern: item + "/draft/merge", Role: cms.RoleEditor, Handle: frame.OfModel(h.mergeDraft)},
		{Method: "GET", Pattern: item + "/translate", Role: cms.RoleEditor, For: "POST",
			Handle: frame.ShowPage(h.translatePage)},
		{Method: "POST", Pattern: item + "/translate", Role: cms.RoleEditor, Handle: frame.WithBody(h.translate),
			Form: h.translatePage},
		{Method: "GET", Pattern: item + "/duplicate", Role: cms.RoleEditor, Handle: frame.ShowPage(duplicate)},
		{Method: "POST", Pattern: item + "/duplicate", Role: cms.RoleEditor, Handle: frame.WithBody(h.duplicate),
			Form: duplicate},
	}
}

// draftMeta is the JSON meta of an entry that includes its draft.
type draftMeta struct {
	Draft *cms.DraftInfo `json:"draft"`
}

// withMarks returns a copy of an entry with what only the admin area shows.
func (h Pages) withMarks(c *frame.Call, e *cms.Entry) (*cms.Entry, error) {
	m, err := c.Model()
	if err != nil {
		return nil, err
	}
	marked := *e
	return &marked, h.Mark(c, m, &marked)
}

func (h Pages) draft(c *frame.Call, m *site.Model) (frame.Result, error) {
	if !c.JSON {
		return h.changesPage(c, m)
	}
	d, err := h.Entries.Draft(c.R.Context(), m.Slug, c.R.PathValue("id"))
	if err != nil {
		return frame.Result{}, err
	}
	return h.draftResult(c, d)
}

// draftResult returns the JSON of an entry that includes its draft.
func (h Pages) draftResult(c *frame.Call, d *editing.Drafted) (frame.Result, error) {
	e := *d.Entry
	has := d.Info != nil
	e.HasDraft = &has
	return frame.Result{Data: &e, Meta: draftMeta{d.Info}, Redirect: entrydata.EntryAt(c) + "?ok=saved"}, nil
}

func (h Pages) saveDraft(c *frame.Call, body map[string]any) (frame.Result, error) {
	body, err := h.body(c, body)
	if err != nil {
		return frame.Result{}, err
	}
	model, id := entrydata.PathOf(c)
	if c.IsForm && !c.Form.Has("base_version") {
		result, _, err := h.SaveForm(c)
		return result, err
	}
	if v, ok := body["base_version"].(string); ok {
		body["base_version"] = json.Number(v)
	}
	d, err := h.Entries.SaveDraft(c.R.Context(), c.Actor(), model, id, body, nil)
	if err != nil {
		return frame.Result{}, err
	}
	return h.draftResult(c, d)
}

func (h Pages) discardDraft(c *frame.Call) (frame.Result, error) {
	model, id := entrydata.PathOf(c)
	err := h.Entries.DiscardDraft(c.R.Context(), c.Actor(), model, id, nil)
	return frame.Result{Status: http.StatusNoContent, Redirect: entrydata.EntryAt(c) + "?ok=done"}, err
}

func (h Pages) publish(c *frame.Call, body map[string]any) (frame.Result, error) {
	options, err := editing.DecodePublishOptions(body)
	if err != nil {
		return frame.Result{}, err
	}
	model, id := entrydata.PathOf(c)
	if c.R.URL.Query().Get("right") == "true" { // the translation as it is, without a later draft
		if _, d, err := h.readDrafted(c); err != nil || d.Info != nil {
			return frame.Result{}, cmp.Or[error](err, errDraftThere)
		}
	}
	e, err := h.Entries.Publish(c.R.Context(), c.Actor(), model, id, options, nil)
	if err != nil {
		return c.ShowAgain(err, frame.OfModel(h.changesPage))
	}
	e, err = h.withMarks(c, e)
	return frame.Result{Data: e, Redirect: entrydata.EntryAt(c) + "?ok=published"}, err
}

var errDraftThere = cms.Errorf(cms.CodeConflict, "This translation has a draft by now. Publish it, or discard it.")

func (h Pages) unpublish(c *frame.Call) (frame.Result, error) {
	model, id := entrydata.PathOf(c)
	var e *cms.Entry
	x := bulk.Exit{Action: planning.ActionUnpublish, Model: model, ID: id}
	x.Change = func(ctx context.Context, s *editing.Entries) (err error) {
		e, err = s.Unpublish(ctx, c.Actor(), model, id, nil)
		return err
	}
	if err := usages.Leave(c, h.Entries, x); err != nil {
		return frame.Result{}, err
	}
	e, err := h.withMarks(c, e)
	return frame.Result{Data: e, Redirect: entrydata.EntryAt(c) + "?ok=unpublished"}, err
}

// draftForm redirects browsers to the form of the entry. JSON gets the entry with the changes of
// its draft.
func (h Pages) draftForm(c *frame.Call) (frame.Result, error) {
	if c.JSON {
		model, id := entrydata.PathOf(c)
		d, err := h.Entries.DraftOrLive(c.R.Context(), model, id)
		if err != nil {
			return frame.Result{}, err
		}
		return h.draftResult(c, d)
	}
	return frame.Result{Redirect: entrydata.EntryAt(c)}, nil
}
