package admin

import (
	"encoding/json"
	"net/http"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/input"
)

// draftRoutes are the routes of drafts and of publishing, below an entry (extensions §2).
func (h entryHandlers) draftRoutes(item string) []Route {
	return []Route{
		{Method: "GET", Pattern: item + "/draft", Role: cms.RoleViewer, Handle: h.draft},
		{Method: "PUT", Pattern: item + "/draft", Role: cms.RoleEditor, Handle: h.saveDraft,
			Form: h.entryPage},
		{Method: "DELETE", Pattern: item + "/draft", Role: cms.RoleEditor, Handle: h.discardDraft},
		{Method: "GET", Pattern: item + "/draft/edit", Role: cms.RoleEditor, Handle: h.draftForm},
		{Method: "POST", Pattern: item + "/publish", Role: cms.RoleEditor, Handle: h.publish},
		{Method: "POST", Pattern: item + "/unpublish", Role: cms.RoleEditor, Handle: h.unpublish},
		{Method: "POST", Pattern: item + "/draft/merge", Role: cms.RoleEditor, Handle: h.mergeDraft},
		{Method: "POST", Pattern: item + "/translate", Role: cms.RoleEditor, Handle: h.translate},
		{Method: "POST", Pattern: item + "/duplicate", Role: cms.RoleEditor, Handle: h.duplicate},
	}
}

// draftMeta is the meta of an entry with its draft.
type draftMeta struct {
	Draft *cms.DraftInfo `json:"draft"`
}

// place is the model's slug and the entry's id in the address of a route below an entry.
func (c *Call) place() (model, id string) { return c.R.PathValue("slug"), c.R.PathValue("id") }

// entryPath is the address of the entry's page, below Base.
func (c *Call) entryPath() string {
	model, id := c.place()
	return "/models/" + model + "/entries/" + id
}

// withDraftMark shows whether an entry has a draft.
func (h entryHandlers) withDraftMark(c *Call, e *cms.Entry) (*cms.Entry, error) {
	_, m, err := h.model(c)
	if err != nil {
		return nil, err
	}
	marked := *e
	return &marked, h.entries.MarkDrafts(c.R.Context(), m, &marked)
}

func (h entryHandlers) draft(c *Call) (Result, error) {
	model, id := c.place()
	if !c.JSON {
		return h.changesPage(c)
	}
	d, err := h.entries.Draft(c.R.Context(), model, id)
	if err != nil {
		return Result{}, err
	}
	return h.draftResult(c, d)
}

// draftResult shows an entry with its draft as JSON.
func (h entryHandlers) draftResult(c *Call, d *editing.Drafted) (Result, error) {
	e := *d.Entry
	has := d.Info != nil
	e.HasDraft = &has
	return Result{Data: &e, Meta: draftMeta{d.Info}, Redirect: c.entryPath() + "?ok=saved"}, nil
}

func (h entryHandlers) saveDraft(c *Call) (Result, error) {
	body, err := c.Body()
	if err != nil {
		return Result{}, err
	}
	if body, err = h.body(c, body); err != nil {
		return Result{}, err
	}
	model, id := c.place()
	if c.isForm && !c.form.Has("base_version") {
		return h.saveForm(c, body)
	}
	if v, ok := body["base_version"].(string); ok {
		body["base_version"] = json.Number(v)
	}
	d, err := h.entries.SaveDraft(c.R.Context(), c.Actor(), model, id, body, nil)
	if err != nil {
		return Result{}, err
	}
	return h.draftResult(c, d)
}

func (h entryHandlers) discardDraft(c *Call) (Result, error) {
	model, id := c.place()
	err := h.entries.DiscardDraft(c.R.Context(), c.Actor(), model, id, nil)
	return Result{Status: http.StatusNoContent, Redirect: c.entryPath() + "?ok=done"}, err
}

func (h entryHandlers) publish(c *Call) (Result, error) {
	body, err := c.Body()
	if err != nil {
		return Result{}, err
	}
	options, err := publishOptions(body)
	if err != nil {
		return Result{}, err
	}
	model, id := c.place()
	e, err := h.entries.Publish(c.R.Context(), c.Actor(), model, id, options, nil)
	if err != nil {
		return Result{}, err
	}
	e, err = h.withDraftMark(c, e)
	return Result{Data: e, Redirect: c.entryPath() + "?ok=published"}, err
}

// publishOptions reads the body of a publication: nothing, or force.
func publishOptions(body map[string]any) (editing.PublishOptions, error) {
	var options editing.PublishOptions
	problems := cms.Problems{}
	for key, v := range body {
		if form, ok := v.(input.FormValue); ok {
			v = lastOf(form) == "true"
		}
		force, ok := v.(bool)
		switch {
		case key != "force":
			problems.Add(key, "is not a known key")
		case !ok && v != nil:
			problems.Add(key, "must be true or false")
		default:
			options.Force = force
		}
	}
	return options, problems.Err()
}

func (h entryHandlers) unpublish(c *Call) (Result, error) {
	model, id := c.place()
	e, err := h.entries.Unpublish(c.R.Context(), c.Actor(), model, id, nil)
	if err != nil {
		return Result{}, err
	}
	e, err = h.withDraftMark(c, e)
	return Result{Data: e, Redirect: c.entryPath() + "?ok=unpublished"}, err
}

// draftForm is the form of an entry with its draft; a program gets what it holds.
func (h entryHandlers) draftForm(c *Call) (Result, error) {
	if c.JSON {
		model, id := c.place()
		d, err := h.entries.DraftOrLive(c.R.Context(), model, id)
		if err != nil {
			return Result{}, err
		}
		return h.draftResult(c, d)
	}
	return Result{Redirect: c.entryPath()}, nil
}

func actorName(name *string) string {
	if name == nil {
		return db.Anonymous
	}
	return *name
}
