package entrypages

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/markdown"
	"headless/pkg/site"
)

// changesView is the page that compares a draft with the stored entry.
type changesView struct {
	*EntryView
	Changes  []FieldChange
	Refusals []say.Text // validation errors about unchanged fields, which prevent publishing
	Outdated bool
	Base     int64
	Merge    string     // URL that receives the choices
	Publish  *ui.Action // hides that of EntryView
	HasDraft bool
}

// changesPage compares the draft of an entry with the stored entry. If the draft is outdated, the
// user chooses the value of each field that differs.
func (h Pages) changesPage(c *frame.Call, m *site.Model) (frame.Result, error) {
	page, view, d, err := h.TabPage(c, m)
	if err != nil {
		return frame.Result{}, err
	}
	at := ui.Base + entrydata.EntryAt(c)
	v := &changesView{
		EntryView: view, HasDraft: d.Info != nil, Outdated: d.Outdated, Merge: at + "/draft/merge",
	}
	if v.Changes, err = h.fieldChanges(c, m, d.Live, d.Entry, nil); err != nil {
		return frame.Result{}, err
	}
	if d.Info != nil {
		v.addErrors(m, d)
		if v.Base = d.Live.Version; d.Outdated {
			if err := h.propose(c, m, d, v.Changes); err != nil {
				return frame.Result{}, err
			}
		} else if view.Publish {
			v.Publish = &ui.Action{Label: "Publish these changes", Method: "POST", Href: at + "/publish", Primary: true}
		}
	}
	page.Template, page.Custom = "changes", v
	return frame.Result{Page: page}, nil
}

// addErrors adds the validation errors that prevent publishing the draft.
func (v *changesView) addErrors(m *site.Model, d *editing.Drafted) {
	label := func(path string) say.Text { return entrydata.PathLabel(m, path) }
	refused, left := ui.FirstProblems(markdown.Checks.Entry(&m.Model, d.Entry, d.Live, true), ui.MaxProblems)
	for i := range v.Changes {
		c, own := &v.Changes[i], cms.Problems{}
		for path := range refused {
			if path == c.Key || ui.Within(path, c.Key) {
				own[path] = refused[path]
				delete(refused, path)
			}
		}
		c.Refused = ui.ProblemLines(own, ui.MaxProblems, func(path string) say.Text {
			if path == c.Key {
				return "" // it is above
			}
			return label(path)
		})
	}
	v.Refusals = ui.ProblemLines(refused, ui.MaxProblems, label)
	if left > 0 {
		v.Refusals = append(v.Refusals, ui.MoreProblems(left))
	}
}

// propose preselects a value for each field that differs in an outdated draft. It is the value of
// the entry if the draft did not change the field, else the value of the draft. If both changed the
// field, the user must decide.
func (h Pages) propose(c *frame.Call, m *site.Model, d *editing.Drafted, changes []FieldChange) error {
	base, err := h.Entries.Store.Revision(c.R.Context(), m, d.Live.ID, d.Info.BaseVersion)
	if err := db.Missing(err, nil); err != nil {
		return err
	}
	var was map[string]string // nil if that version is not kept
	if base != nil {
		was = entryforms.Digests(m, base)
	}
	draft := entryforms.Digests(m, d.Entry)
	for i := range changes {
		changes[i].Choice = "draft"
		if draft[changes[i].Key] == was[changes[i].Key] {
			changes[i].Choice = "live"
		}
	}
	return nil
}

// mergeDraft rebases an outdated draft on the current entry. Each field keeps the value of the
// draft, unless the request chooses the value of the entry.
func (h Pages) mergeDraft(c *frame.Call, m *site.Model) (frame.Result, error) {
	choice, err := readMerge(c)
	if err != nil {
		return frame.Result{}, err
	}
	model, id := entrydata.PathOf(c)
	d, err := h.Entries.Draft(c.R.Context(), model, id)
	if err != nil {
		return frame.Result{}, err
	}
	now := d.Live.Version
	switch {
	case choice.base != now && c.JSON:
		return frame.Result{}, cms.Errorf(cms.CodePreconditionFailed,
			"The entry has the version %d by now. Compare the draft with it again.", now)
	case choice.base != now: // show the comparison again
		return frame.Result{Redirect: entrydata.EntryAt(c) + "/draft"}, nil
	}
	problems, known := cms.Problems{}, entryforms.Keys(m)
	for i, key := range choice.take {
		if !slices.Contains(known, key) {
			problems.Add("take."+strconv.Itoa(i), "is not a field of the entry")
		}
	}
	if err := problems.Err(); err != nil {
		return frame.Result{}, err
	}
	body := entryforms.Only(entryBody(d.Live), choice.take)
	body["base_version"] = json.Number(strconv.FormatInt(now, 10))
	saved, err := h.Entries.SaveDraft(c.R.Context(), c.Actor(), model, id, body, nil)
	if err != nil {
		return frame.Result{}, err
	}
	result, err := h.draftResult(c, saved)
	result.Redirect = entrydata.EntryAt(c) + "/draft?ok=saved"
	return result, err
}

// mergeChoice is the request to rebase an outdated draft.
type mergeChoice struct {
	base int64    // version of the entry that the fields were compared with
	take []string // fields that get the value of the entry; the others keep the draft
}

// readMerge reads the choices from a form or from a body {base_version, take}.
func readMerge(c *frame.Call) (choice mergeChoice, err error) {
	if c.IsForm {
		for name, values := range c.Form {
			if key, ok := strings.CutPrefix(name, "_choice."); ok && len(values) > 0 &&
				values[len(values)-1] == "live" {
				choice.take = append(choice.take, key)
			}
		}
		choice.base, _ = strconv.ParseInt(c.Form.Get("base_version"), 10, 64) // 0 is no version
		return choice, nil
	}
	body, err := c.Body()
	if err != nil {
		return choice, err
	}
	problems := cms.Problems{}
	for key := range body {
		if key != "base_version" && key != "take" {
			problems.Add(key, "is not a known key")
		}
	}
	var ok bool
	if choice.base, ok = cms.WholeNumber(body["base_version"]); !ok {
		problems.Add("base_version", "is required: the version of the entry that the draft was compared with")
	}
	list, ok := body["take"].([]any)
	if !ok && body["take"] != nil {
		problems.Add("take", "must be a list of fields, such as data.body")
	}
	for i, v := range list {
		key, ok := v.(string)
		if !ok {
			problems.Add("take."+strconv.Itoa(i), "must be a string")
		}
		choice.take = append(choice.take, key)
	}
	return choice, problems.Err()
}
