package api

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/input"
	"headless/pkg/planning"
	"headless/pkg/planning/bulk"
	"headless/pkg/site"
	"headless/pkg/urls"
	"headless/pkg/web"
)

// wantsDrafts reads the parameter version (extensions §2) and reports whether it is draft. Errors:
// BAD_REQUEST for values other than published and draft, FORBIDDEN for a key without an admin role.
func wantsDrafts(c *pipeline.Call) (bool, error) {
	q := c.R.URL.Query()
	asked := q.Get("version")
	switch {
	case asksPreview(c): // it is ignored
		return false, nil
	case !q.Has("version") || asked == "published":
		return false, nil
	case asked != "draft":
		return false, cms.Errorf(cms.CodeBadRequest, "version must be published or draft.")
	case !c.IsAdmin():
		return false, errNoDraftsForKey
	}
	return true, nil
}

var errNoDraftsForKey = cms.Errorf(cms.CodeForbidden, "Drafts can be read only with a key that has the admin role.")

// draft answers GET /{model}/{id}/draft.
func (h entries) draft(c *pipeline.Call) (pipeline.Answer, error) {
	if !c.IsAdmin() {
		return pipeline.Answer{}, errNoDraftsForKey
	}
	m, id, err := h.entryOf(c)
	if err != nil {
		return pipeline.Answer{}, err
	}
	raw, err := wantsRaw(c)
	if err != nil {
		return pipeline.Answer{}, err
	}
	u := urls.Asked(c.R.URL.Query(), h.service.Store, c.Tags)
	d, err := h.service.Draft(c.Context(), m.Slug, id)
	if err != nil {
		return pipeline.Answer{}, err
	}
	return h.answerDrafted(c, m, d, raw, u)
}

// entryOf returns the model and the id of the entry in the path of a route below it.
func (h entries) entryOf(c *pipeline.Call) (*site.Model, string, error) {
	m, err := c.Site.ActiveModel(c.R.PathValue("model"))
	if err != nil {
		return nil, "", err
	}
	id, err := entryID(c, h.service)
	return m, id, err
}

// answerDrafted returns an entry with its draft applied; raw keeps references in their stored form.
func (h entries) answerDrafted(c *pipeline.Call, m *site.Model, d *editing.Drafted,
	raw bool, u *urls.Answer) (pipeline.Answer, error) {
	encoded, err := cms.Marshal(d.Entry)
	if err != nil {
		return pipeline.Answer{}, err
	}
	place := d.Live.Place()
	v := &view{c: c, h: h, full: m, model: c.VisibleModel(m), raw: raw, urls: u, placed: &place}
	data, err := v.render(content.EntryItem{JSON: encoded, Entry: d.Entry})
	return v.answerEntry(data, EntryMeta{Draft: d.Info}), err
}

// saveDraft answers PUT /{model}/{id}/draft. A key that may not read drafts gets only the id of the
// entry and the meta of the draft.
func (h entries) saveDraft(c *pipeline.Call) (pipeline.Answer, error) {
	body, err := web.DecodeBody(c.R)
	if err != nil {
		return pipeline.Answer{}, err
	}
	m, id, err := h.entryOf(c)
	if err != nil {
		return pipeline.Answer{}, err
	}
	d, err := h.service.SaveDraft(c.Context(), c.Actor(), m.Slug, id, body, h.draftPrecondition(c, m))
	if err != nil {
		return pipeline.Answer{}, err
	}
	if !c.IsAdmin() {
		return pipeline.Answer{Data: map[string]string{"id": d.Entry.ID}, Meta: EntryMeta{Draft: d.Info.For(false)}}, nil
	}
	return savedAnswer(c, func(raw bool) (pipeline.Answer, error) { return h.answerDrafted(c, m, d, raw, nil) })
}

// discardDraft answers DELETE /{model}/{id}/draft.
func (h entries) discardDraft(c *pipeline.Call) (pipeline.Answer, error) {
	m, id, err := h.entryOf(c)
	if err != nil {
		return pipeline.Answer{}, err
	}
	err = h.service.DiscardDraft(c.Context(), c.Actor(), m.Slug, id, h.draftPrecondition(c, m))
	return pipeline.Answer{Status: http.StatusNoContent}, err
}

// draftPrecondition checks If-Match. It must match the ETag of GET /{model}/{id}/draft without
// parameters. No tag matches a missing draft.
func (h entries) draftPrecondition(c *pipeline.Call, m *site.Model) input.Precondition[*editing.Drafted] {
	changed := cms.Errorf(cms.CodePreconditionFailed, "The draft has changed since you read it. Read it again.")
	return ifMatch(c, changed, func(d *editing.Drafted) (pipeline.Answer, error) {
		if d.Info == nil {
			return pipeline.Answer{}, changed
		}
		return h.answerDrafted(c, m, d, true, nil)
	})
}

// publish answers POST /{model}/{id}/publish.
func (h entries) publish(c *pipeline.Call) (pipeline.Answer, error) {
	body, err := optionalBody(c.R)
	if err != nil {
		return pipeline.Answer{}, err
	}
	options, err := editing.DecodePublishOptions(body)
	if err != nil {
		return pipeline.Answer{}, err
	}
	m, id, err := h.entryOf(c)
	if err != nil {
		return pipeline.Answer{}, err
	}
	e, err := h.service.Publish(c.Context(), c.Actor(), m.Slug, id, options, h.precondition(c))
	return h.answerWrite(c, http.StatusOK, e, err)
}

// unpublish answers POST /{model}/{id}/unpublish.
func (h entries) unpublish(c *pipeline.Call) (pipeline.Answer, error) {
	if _, err := optionalBody(c.R); err != nil {
		return pipeline.Answer{}, err
	}
	var e *cms.Entry
	x := bulk.Exit{Action: planning.ActionUnpublish}
	x.Change = func(ctx context.Context, s *editing.Entries) (err error) {
		e, err = s.Unpublish(ctx, c.Actor(), x.Model, x.ID, h.precondition(c))
		return err
	}
	return h.leaveTree(c, &x, func(err error) (pipeline.Answer, error) { return h.answerWrite(c, http.StatusOK, e, err) })
}

// optionalBody returns the JSON object in the body of a request, an empty one without a body.
func optionalBody(r *http.Request) (map[string]any, error) {
	body, err := web.ReadBody(r, web.MaxBody)
	if err != nil || len(body) == 0 {
		return map[string]any{}, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return web.DecodeBody(r)
}
