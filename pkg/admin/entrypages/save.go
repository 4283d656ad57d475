package entrypages

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/usages"
	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/site"
)

// thenKey is the name of buttons that save a form and then do something else, such as "publish".
const thenKey = "_then"

// formSaved is the JSON meta of a saved form that a script sent.
type formSaved struct {
	Draft     *cms.DraftInfo `json:"draft"`
	Base      string         `json:"base"`                // new digests for the form
	Others    []string       `json:"others,omitempty"`    // fields that somebody else changed
	Conflicts []string       `json:"conflicts,omitempty"` // fields that both changed; not saved
	Problems  cms.Problems   `json:"problems,omitempty"`  // invalid fields; not saved
}

// saveForm saves the fields that a form changed into the draft of the entry. Fields that only
// somebody else changed are not overwritten. Fields that both changed are not saved, and the form
// asks which value to keep.
func (h entryPages) saveForm(c *frame.Call, body map[string]any) (frame.Result, error) {
	_, m, before, err := h.drafted(c)
	if err != nil {
		return frame.Result{}, err
	}
	merge := entryforms.MergeEntry(c.Form, entryforms.BodyValues(m, body),
		entryforms.EntryValues(m, before.Entry))
	saved, problems, err := h.saveFields(c, before, entryforms.Only(body, merge.Mine))
	if err != nil {
		return frame.Result{}, err
	}
	if c.JSON {
		return h.scriptSaved(m, saved, merge, problems), nil
	}
	if len(merge.Conflicts) > 0 {
		return frame.Result{}, conflictError(m, merge.Conflicts)
	}
	return h.afterSave(c, m, saved)
}

// saveFields saves some fields into the draft. If a script sent the form, invalid fields are left
// out and returned as problems.
func (h entryPages) saveFields(c *frame.Call, before *editing.Drafted,
	patch map[string]any) (*editing.Drafted, cms.Problems, error) {
	if len(patch) == 0 {
		return before, nil, nil
	}
	model, id := entrydata.PathOf(c)
	saved, err := h.Entries.SaveDraft(c.R.Context(), c.Actor(), model, id, patch, nil)
	e := frame.AsError(err)
	if e == nil || e.Code != cms.CodeValidationFailed || !c.JSON {
		return saved, nil, err
	}
	for path := range e.Details {
		dropField(patch, path)
	}
	if len(patch) == 0 {
		return before, e.Details, nil
	}
	saved, err = h.Entries.SaveDraft(c.R.Context(), c.Actor(), model, id, patch, nil)
	return saved, e.Details, err
}

// dropField removes the field that contains path from a body.
func dropField(body map[string]any, path string) {
	outer, rest, deeper := strings.Cut(path, ".")
	inner, ok := body[outer].(map[string]any)
	if !deeper || !ok {
		delete(body, outer)
		return
	}
	name, _, _ := strings.Cut(rest, ".")
	if delete(inner, name); len(inner) == 0 {
		delete(body, outer)
	}
}

// scriptSaved returns the answer to a script that sent the form.
func (h entryPages) scriptSaved(m *site.Model, saved *editing.Drafted, merge entryforms.EntryMerge,
	problems cms.Problems) frame.Result {
	now := entryforms.DigestsOf(entryforms.EntryValues(m, saved.Entry))
	base := merge.Base
	for _, key := range merge.Mine {
		base[key] = now[key]
	}
	return frame.Result{Data: entrydata.ShownEntry(saved.Entry), Meta: formSaved{
		Draft: saved.Info, Base: base.String(), Others: merge.Others, Conflicts: merge.Conflicts,
		Problems: problems,
	}}
}

func conflictError(m *site.Model, keys []string) error {
	e := cms.Errorf(cms.CodePreconditionFailed,
		"Somebody has changed the same fields since you opened the form. Choose for each which text stays. "+
			"All other changes are saved.")
	e.Details = cms.Problems{}
	for _, key := range keys {
		e.Details.Add(key, "was changed by somebody else too")
	}
	return e
}

// afterSave publishes the entry if the button asks for it, and redirects the browser to the page of
// the entry.
func (h entryPages) afterSave(c *frame.Call, m *site.Model, saved *editing.Drafted) (frame.Result, error) {
	model, id := entrydata.PathOf(c)
	if c.Form.Get(thenKey) == "publish" {
		_, err := h.Entries.Publish(c.R.Context(), c.Actor(), model, id, editing.PublishOptions{}, nil)
		if e := frame.AsError(err); e != nil && e.Code == cms.CodePreconditionFailed {
			return frame.Result{Redirect: entrydata.EntryAt(c) + "/draft"}, nil // asks what to keep
		}
		return frame.Result{Redirect: entrydata.EntryAt(c) + "?ok=published" + besideInQuery(c)}, err
	}
	if saved.Live.Status == cms.StatusPublished || saved.Info == nil {
		return frame.Result{Redirect: entrydata.EntryAt(c) + "?ok=saved" + besideInQuery(c)}, nil
	}
	return frame.Result{Redirect: entrydata.EntryAt(c) + "?ok=saved" + besideInQuery(c)},
		h.settle(c, m, saved)
}

// besideInQuery returns the parameter beside of the request, to be appended to a URL that has
// parameters already.
func besideInQuery(c *frame.Call) string {
	if beside := c.R.URL.Query().Get("beside"); beside != "" {
		return "&beside=" + url.QueryEscape(beside)
	}
	return ""
}

var errMoved = errors.New("admin: the entry was changed meanwhile")

// settle moves the draft of an unpublished entry into the entry itself, so that lists and search
// show the changes. If the entry is incomplete, or somebody else changes it at the same time, the
// draft stays.
func (h entryPages) settle(c *frame.Call, m *site.Model, saved *editing.Drafted) error {
	if saved.Outdated {
		return nil
	}
	model, id := entrydata.PathOf(c)
	if body := entryforms.Only(entryBody(saved.Entry), saved.ChangedKeys(&m.Model)); len(body) > 0 {
		_, err := h.Entries.Update(c.R.Context(), c.Actor(), model, id, body, func(e *cms.Entry) error {
			if e.Version != saved.Live.Version {
				return errMoved
			}
			return nil
		})
		if errors.Is(err, errMoved) || frame.AsError(err) != nil {
			return nil
		}
		if err != nil {
			return err
		}
	}
	err := h.Entries.DiscardDraft(c.R.Context(), c.Actor(), model, id, func(d *editing.Drafted) error {
		if d.Info == nil || d.Info.Version != saved.Info.Version {
			return errMoved
		}
		return nil
	})
	if errors.Is(err, errMoved) {
		return nil
	}
	return err
}

// entryBody returns the content of an entry as a request body.
func entryBody(e *cms.Entry) map[string]any {
	return map[string]any{
		"title": e.Title, "slug": e.Slug, "data": e.Data,
		"seo": map[string]any{"title": e.SEO.Title, "description": e.SEO.Description,
			"noindex": e.SEO.Noindex},
	}
}

// create creates an entry from a body. A form may create an incomplete entry, unless it also
// publishes it.
func (h entryPages) create(c *frame.Call, body map[string]any) (*cms.Entry, error) {
	body, err := h.body(c, body)
	if err != nil {
		return nil, err
	}
	model := c.R.PathValue("slug")
	if c.Form.Get(thenKey) == "publish" {
		body["status"] = string(cms.StatusPublished)
		return h.Entries.Create(c.R.Context(), c.Actor(), model, body)
	}
	if c.R.URL.Query().Get("draft") == "true" {
		return h.Entries.CreateIncomplete(c.R.Context(), c.Actor(), model, body)
	}
	return h.Entries.Create(c.R.Context(), c.Actor(), model, body)
}

// sayPublished reports "published" in place of "created" if the form also published the new entry.
func sayPublished(create frame.Handler) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		result, err := create(c)
		if c.Form.Get(thenKey) == "publish" {
			result.Redirect = strings.Replace(result.Redirect, "?ok=created", "?ok=published", 1)
		}
		return result, err
	}
}

// delete moves an entry to the trash. Browsers are redirected to the list, which has an undo
// button.
func (h entryPages) delete(c *frame.Call) (frame.Result, error) {
	unused, err := usages.OnlyIfUnused(c)
	if err != nil {
		return frame.Result{}, err
	}
	model, id := entrydata.PathOf(c)
	if unused {
		err = h.Entries.DeleteUnused(c.R.Context(), c.Actor(), model, id, true, nil)
	} else {
		err = h.Entries.Delete(c.R.Context(), c.Actor(), model, id, nil)
	}
	return frame.Result{Status: http.StatusNoContent, Redirect: "/models/" + model +
		"/entries?ok=trashed&id=" + id}, err
}
