package api

import (
	"context"
	"errors"
	"net/http"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/editing/moving"
	"headless/pkg/editing/standing"
	"headless/pkg/input"
	"headless/pkg/links"
	"headless/pkg/planning/bulk"
	"headless/pkg/web"
)

func (h entries) create(c *pipeline.Call) (pipeline.Answer, error) {
	body, err := web.DecodeBody(c.R)
	if err != nil {
		return pipeline.Answer{}, err
	}
	// The answer shows the entry by this configuration, so a model that was made since is unknown before the commit.
	if _, err := c.Site.ActiveModel(c.R.PathValue("model")); err != nil {
		return pipeline.Answer{}, err
	}
	create := h.service.Create
	if c.R.URL.Query().Get("draft") == "true" {
		create = h.service.CreateIncomplete
	}
	e, err := create(c.Context(), c.Actor(), c.R.PathValue("model"), body)
	return h.answerWrite(c, http.StatusCreated, e, err)
}

func (h entries) update(c *pipeline.Call) (pipeline.Answer, error) {
	body, err := web.DecodeBody(c.R)
	if err != nil {
		return pipeline.Answer{}, err
	}
	var e *cms.Entry
	x := bulk.Exit{Action: bulk.ActionSet, Body: body}
	x.Change = func(ctx context.Context, s *editing.Entries) (err error) {
		e, err = s.Update(ctx, c.Actor(), x.Model, x.ID, body, h.precondition(c))
		return err
	}
	return h.leaveTree(c, &x, func(err error) (pipeline.Answer, error) { return h.answerWrite(c, http.StatusOK, e, err) })
}

func (h entries) delete(c *pipeline.Call) (pipeline.Answer, error) {
	unused, err := links.OnlyIfUnused(c.R.URL.Query())
	if err != nil {
		return pipeline.Answer{}, err
	}
	x := bulk.Exit{Action: bulk.ActionDelete}
	x.Change = func(ctx context.Context, s *editing.Entries) error {
		if unused {
			return s.DeleteUnused(ctx, c.Actor(), x.Model, x.ID, c.IsAdmin(), h.precondition(c))
		}
		return s.Delete(ctx, c.Actor(), x.Model, x.ID, h.precondition(c))
	}
	return h.leaveTree(c, &x, func(err error) (pipeline.Answer, error) {
		return pipeline.Answer{Status: http.StatusNoContent}, err
	})
}

// leaveTree makes a change by which the entry in the path may leave the middle of a tree. made returns the
// answer, unless a job makes the change.
func (h entries) leaveTree(c *pipeline.Call, x *bulk.Exit,
	made func(error) (pipeline.Answer, error)) (_ pipeline.Answer, err error) {
	m, id, err := h.entryOf(c)
	if err != nil {
		return pipeline.Answer{}, err
	}
	x.Model, x.ID = m.Slug, id
	if x.Children, err = moving.Asked(c.R.URL.Query()); err != nil {
		return pipeline.Answer{}, err
	}
	if x.Children == moving.Up { // which saves those below
		if err := c.CheckScope(cms.ScopeWrite); err != nil {
			return pipeline.Answer{}, err
		}
	}
	jobs := bulk.Jobs{Store: h.service.Store, Entries: h.service}
	started, err := jobs.Leave(c.Context(), c.Actor(), *x)
	if held := (*standing.Held)(nil); c.IsAdmin() && errors.As(err, &held) {
		err = held.ForEditors()
	}
	if started == nil || err != nil {
		return made(err)
	}
	return h.answerChange(c, started)
}

// answerWrite returns an entry after a write of its own, whatever its status.
func (h entries) answerWrite(c *pipeline.Call, status int, e *cms.Entry, err error) (pipeline.Answer, error) {
	if err != nil {
		return pipeline.Answer{}, err
	}
	answer, err := savedAnswer(c, func(raw bool) (pipeline.Answer, error) { return h.answerRead(c, e, raw) })
	answer.Status = status
	return answer, err
}

// savedAnswer returns the answer to a save, with references in their stored form if they are too many to be shown: they
// refuse no save.
func savedAnswer(c *pipeline.Call, shown func(raw bool) (pipeline.Answer, error)) (pipeline.Answer, error) {
	answer, err := shown(asksRaw(c))
	if errors.Is(err, links.ErrTextTargets) {
		answer, err = shown(true)
	}
	if err != nil {
		return pipeline.Answer{}, err
	}
	return withETag(answer)
}

// answerCreate and answerChange return the answers of a create and of a change before the commit. A job may make the
// change.
func (h entries) answerCreate(c *pipeline.Call, made any) (pipeline.Answer, error) {
	return h.answerWrite(c, http.StatusCreated, made.(*cms.Entry), nil)
}

func (h entries) answerChange(c *pipeline.Call, made any) (pipeline.Answer, error) {
	if started, ok := made.(*bulk.Started); ok {
		return pipeline.Answer{Status: http.StatusAccepted, Data: started}, nil
	}
	return h.answerWrite(c, http.StatusOK, made.(*cms.Entry), nil)
}

// precondition checks If-Match. It must match the ETag of GET /{model}/{id} without parameters for
// the same key.
func (h entries) precondition(c *pipeline.Call) input.Precondition[*cms.Entry] {
	changed := cms.Errorf(cms.CodePreconditionFailed, "The entry has changed since you read it. Read it again.")
	return ifMatch(c, changed, func(e *cms.Entry) (pipeline.Answer, error) { return h.answerRead(c, e, true) })
}

// answerRead returns an entry as GET without parameters shows it; raw keeps references in their stored
// form.
func (h entries) answerRead(c *pipeline.Call, e *cms.Entry, raw bool) (pipeline.Answer, error) {
	m, err := c.Site.ActiveModel(c.R.PathValue("model"))
	if err != nil {
		return pipeline.Answer{}, err
	}
	encoded, err := cms.Marshal(e)
	if err != nil {
		return pipeline.Answer{}, err
	}
	v := &view{c: c, h: h, full: m, model: c.VisibleModel(m), raw: raw}
	data, err := v.render(content.EntryItem{JSON: encoded, Entry: e})
	return v.answerEntry(data, nil), err
}
