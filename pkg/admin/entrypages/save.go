package entrypages

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/admin/usages"
	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/input"
	"headless/pkg/links"
	"headless/pkg/planning/bulk"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/web"
)

// thenKey is the name of buttons that save a form and then do something else, such as "publish".
const thenKey = "_then"

// formSaved is the JSON meta of a saved form that a script sent.
type formSaved struct {
	Draft     *cms.DraftInfo `json:"draft"`
	Base      string         `json:"base"`                // describes what the form shows
	Others    []string       `json:"others,omitempty"`    // fields that show less than is stored
	Conflicts []string       `json:"conflicts,omitempty"` // values that both changed; not saved
	Problems  cms.Problems   `json:"problems,omitempty"`  // invalid fields; not saved
}

// Saving is a save of the form of an entry: the stored values before, how the form was merged with them, and the
// result.
type Saving struct {
	Model  *site.Model
	Stored entryforms.Stored
	Merge  entryforms.EntryMerge
	Saved  *editing.Drafted
}

// SaveForm saves the changes of a form in the draft of the entry, and keeps those that others made meanwhile.
// Values that both changed are not saved: the form asks which one to keep.
func (h Pages) SaveForm(c *frame.Call) (frame.Result, Saving, error) {
	m, before, err := h.readDrafted(c)
	if err != nil {
		return frame.Result{}, Saving{}, err
	}
	base := entryforms.ReadBase(c.Form)
	in := entryforms.FormReader{Problems: cms.Problems{}, IDs: true, Locale: before.Entry.Locale, Base: base}
	body := in.Typed(m, c.Form)
	sent, lost := entryforms.SentValues(m, body), lostFields(m, base, body)
	if len(lost) > 0 && !c.JSON {
		return frame.Result{}, Saving{}, lost.Err()
	}
	const tries = 10 // of a save at the same time as others
	for range tries {
		stored := entryforms.StoredOf(m, before.Entry, before.RowIDs)
		merge := entryforms.MergeEntry(m, base, sent, stored, entryforms.Choice{})
		saved, problems, err := h.saveFields(c, m, before, stored, entryforms.Nest(merge.Mine))
		if errors.Is(err, errMoved) {
			if _, before, err = h.readDrafted(c); err != nil {
				return frame.Result{}, Saving{}, err
			}
			continue
		}
		if err != nil {
			return frame.Result{}, Saving{}, err
		}
		if c.JSON {
			if blank, ok := merge.Mine["slug"].(string); ok && strings.TrimSpace(blank) == "" {
				merge.Sent["slug"] = base["slug"] // it is made from the title later
			}
			lost.Merge(problems)
			for path := range lost {
				key := entryforms.TopKey(path)
				merge.Sent[key] = base[key]
			}
			return scriptSaved(saved, merge, c.Known(lost)), Saving{}, nil
		}
		if len(merge.Conflicts) > 0 {
			return frame.Result{}, Saving{}, conflictError(merge.Conflicts)
		}
		result, err := h.afterSave(c, m, saved)
		return result, Saving{m, stored, merge, saved}, err
	}
	return frame.Result{}, Saving{}, errOthersSave
}

var errOthersSave = cms.Errorf(cms.CodePreconditionFailed, "Others save this entry at the same time. Save again.")

// lostFields returns a problem for each field that the model does not have any more and that somebody typed into since
// the form was opened: the base has no digest of a line of it.
func lostFields(m *site.Model, base entryforms.Base, body map[string]any) cms.Problems {
	lost := cms.Problems{}
	data, _ := body["data"].(map[string]any)
	for name, v := range data {
		shown := entryforms.Base{name: base["data."+name]}.String()
		if m.Field(name) == nil && typedSince(v, shown) {
			lost.Add("data."+name, "is not a known field")
		}
	}
	return lost
}

func typedSince(v any, shown string) bool {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if !strings.HasPrefix(name, "_") && name != "type" && typedSince(inner, shown) {
				return true
			}
		}
	case input.FormValue:
		return typedSince(v.Last(), shown)
	case string:
		return ui.IsWords(v) && slices.ContainsFunc(strings.Split(strings.ReplaceAll(v, "\r\n", "\n"), "\n"),
			func(line string) bool { return !strings.Contains(shown, ui.Digest(line)) })
	}
	return false
}

// saveFields saves some fields into the draft, with the error errMoved if it is not as it was
// before. If a script sent the form, invalid fields are left out and returned as problems.
func (h Pages) saveFields(c *frame.Call, m *site.Model, before *editing.Drafted, stored entryforms.Stored,
	patch map[string]any) (*editing.Drafted, cms.Problems, error) {
	if len(patch) == 0 {
		return before, nil, nil
	}
	model, id := entrydata.PathOf(c)
	liveVersion, version := before.Live.Version, draftVersion(before)
	before.Live.Data, before.Entry.Data = nil, nil // large, and part of stored
	save := func() (*editing.Drafted, error) {
		body, ids := stored.Split(m, patch)
		return h.Entries.SaveRows(c.R.Context(), c.Actor(), model, id, body, ids, func(d *editing.Drafted) error {
			if d.Live.Version != liveVersion || draftVersion(d) != version {
				return errMoved
			}
			return nil
		})
	}
	saved, err := save()
	e := frame.AsError(err)
	if e == nil || e.Code != cms.CodeValidationFailed || !c.JSON {
		return saved, nil, err
	}
	for path := range e.Details {
		entryforms.DropField(patch, path)
	}
	if len(patch) == 0 {
		_, before, err = h.readDrafted(c)
		return before, e.Details, err
	}
	saved, err = save()
	return saved, e.Details, err
}

// draftVersion returns the version of a draft, 0 if there is none.
func draftVersion(d *editing.Drafted) int64 {
	if d.Info == nil {
		return 0
	}
	return d.Info.Version
}

// scriptSaved returns the answer to a script that sent the form.
func scriptSaved(saved *editing.Drafted, merge entryforms.EntryMerge, problems cms.Problems) frame.Result {
	return frame.Result{Data: entrydata.ShownEntry(saved.Entry), Meta: formSaved{
		Draft: saved.Info, Base: merge.Sent.String(), Others: slices.Sorted(maps.Keys(merge.Others)),
		Conflicts: keysOf(merge.Conflicts), Problems: problems,
	}}
}

func keysOf(conflicts []entryforms.Conflict) []string {
	return slice.Map(conflicts, func(c entryforms.Conflict) string { return c.Key })
}

func conflictError(conflicts []entryforms.Conflict) error {
	e := cms.Errorf(cms.CodePreconditionFailed,
		"Somebody has changed the same fields since you opened the form. Choose for each which text stays. "+
			"All other changes are saved.")
	e.Details = cms.Problems{}
	for _, conflict := range conflicts {
		e.Details.Add(conflict.Shown, "was changed by somebody else too")
	}
	return e
}

// afterSave publishes the entry if the button asks for it, and redirects the browser to the page of
// the entry.
func (h Pages) afterSave(c *frame.Call, m *site.Model, saved *editing.Drafted) (frame.Result, error) {
	model, id := entrydata.PathOf(c)
	if c.Form.Get(thenKey) == "publish" {
		_, err := h.Entries.Publish(c.R.Context(), c.Actor(), model, id, editing.PublishOptions{}, nil)
		if cms.CodeOf(err) == cms.CodePreconditionFailed {
			return frame.Result{Redirect: entrydata.EntryAt(c) + "/draft"}, nil // asks what to keep
		}
		return frame.Result{Redirect: entrydata.EntryAt(c) + "?ok=published" + shownInQuery(c)}, err
	}
	if saved.Live.Status == cms.StatusPublished || saved.Info == nil {
		return frame.Result{Redirect: entrydata.EntryAt(c) + "?ok=saved" + shownInQuery(c)}, nil
	}
	return frame.Result{Redirect: entrydata.EntryAt(c) + "?ok=saved" + shownInQuery(c)},
		h.settleDraft(c, m, saved)
}

// shownInQuery returns the parameters that keep the pane beside the form, and the parts of long lists in it, to be
// appended to a URL that has parameters already.
func shownInQuery(c *frame.Call) (query string) {
	if beside := c.R.URL.Query().Get("beside"); beside != "" {
		query = "&beside=" + url.QueryEscape(beside)
	}
	return query + entryforms.PageQuery(c.Form)
}

var errMoved = errors.New("admin: the entry was changed meanwhile")

// settleDraft moves the draft of an unpublished entry into the entry itself, so that lists and search
// show the changes. If the entry is incomplete, or somebody else changes it at the same time, the
// draft stays.
func (h Pages) settleDraft(c *frame.Call, m *site.Model, saved *editing.Drafted) error {
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
		"seo": map[string]any{"title": e.SEO.Title, "description": e.SEO.Description, "noindex": e.SEO.Noindex},
	}
}

// create creates an entry from a body. A form may create an incomplete entry, unless it also
// publishes it.
func (h Pages) create(c *frame.Call, body map[string]any) (*cms.Entry, error) {
	body, err := h.body(c, body)
	if err != nil {
		return nil, err
	}
	model := c.R.PathValue("slug")
	if c.Form.Get(thenKey) == "publish" {
		body["status"] = string(cms.StatusPublished)
		return h.Entries.Create(c.R.Context(), c.Actor(), model, body)
	}
	incomplete, err := web.Flag(c.R.URL.Query(), "draft")
	if err != nil {
		return nil, err
	}
	if incomplete {
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
func (h Pages) delete(c *frame.Call) (frame.Result, error) {
	unused, err := links.OnlyIfUnused(c.R.URL.Query())
	if err != nil {
		return frame.Result{}, err
	}
	model, id := entrydata.PathOf(c)
	x := bulk.Exit{Action: bulk.ActionDelete, Model: model, ID: id}
	x.Change = func(ctx context.Context, s *editing.Entries) error {
		if unused {
			return s.DeleteUnused(ctx, c.Actor(), model, id, true, nil)
		}
		return s.Delete(ctx, c.Actor(), model, id, nil)
	}
	from, err := h.FromPath(c, id)
	if err != nil {
		return frame.Result{}, err
	}
	return frame.Result{Status: http.StatusNoContent, Redirect: ui.EntriesPath(model) +
		"?ok=trashed&id=" + id + from}, usages.Leave(c, h.Entries, x)
}
