package entrypages

import (
	"slices"
	"strings"

	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/site"
)

// rebase updates a posted form to the stored entry: fields that the form did not change show the
// stored values. It returns the new digests for the form, and the fields that both the form and
// somebody else changed.
func (h entryPages) rebase(c *frame.Call, m *site.Model, e *cms.Entry) (base entryforms.FieldDigests,
	conflicts []string, err error) {
	stored := entryforms.EntryValues(m, e)
	if !c.IsForm {
		return entryforms.DigestsOf(stored), nil, nil
	}
	in := entryforms.FormReader{Problems: cms.Problems{}, Keep: false}
	sent := entryforms.BodyValues(m, in.Typed(m, c.Form))
	merge := entryforms.MergeEntry(c.Form, sent, stored)
	for _, key := range merge.Others {
		entryforms.Forget(c.Form, key)
	}
	if c.Step != nil && (c.Step.Verb == frame.StepTake || c.Step.Verb == frame.StepKeep) {
		if c.Step.Verb == frame.StepTake {
			entryforms.Forget(c.Form, c.Step.Name)
		}
		merge.Base[c.Step.Name] = entryforms.DigestOf(stored[c.Step.Name])
		merge.Conflicts = slices.DeleteFunc(merge.Conflicts,
			func(key string) bool { return key == c.Step.Name })
	}
	return merge.Base, merge.Conflicts, nil
}

// markConflicts shows the stored value beside each field with a conflict, and buttons to keep the
// user's own value or to take the stored one.
func (h entryPages) markConflicts(c *frame.Call, site *site.Site, m *site.Model, fields []ui.Field,
	conflicts []string, e *cms.Entry, action string) error {
	if len(conflicts) == 0 {
		return nil
	}
	names, err := h.names(c, site, m, e)
	if err != nil {
		return err
	}
	for i := range fields {
		f := &fields[i]
		if !slices.Contains(conflicts, f.Name) {
			continue
		}
		f.Conflict = &ui.Conflict{
			Theirs: names.in(wholeText(m, e, f.Name)),
			Keep: ui.ButtonView{Button: ui.Button{Text: "Keep mine", Label: "Keep mine: " + f.Label,
				Do: frame.StepKeep + " " + f.Name, To: f.Name}, Action: action},
			Take: ui.ButtonView{Button: ui.Button{Text: "Take theirs", Label: "Take theirs: " + f.Label,
				Do: frame.StepTake + " " + f.Name, To: f.Name}, Action: action},
		}
	}
	return nil
}

// wholeText returns the value of a field as text.
func wholeText(m *site.Model, e *cms.Entry, key string) string {
	switch key {
	case "title":
		return e.Title
	case "slug":
		return e.Slug
	case "seo.title":
		return e.SEO.Title
	case "seo.description":
		return e.SEO.Description
	case "seo.noindex":
		if e.SEO.Noindex {
			return "Yes"
		}
		return ""
	}
	name := strings.TrimPrefix(key, "data.")
	f := m.Field(name)
	if f == nil {
		return ""
	}
	text, err := entryforms.Readable(*f, e.Data[name])
	if err != nil {
		return ""
	}
	return text
}
