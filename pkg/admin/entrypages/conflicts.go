package entrypages

import (
	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/site"
)

// rebase updates a posted form to the stored entry: it gets what others changed. It returns the new
// base of the form, and the values that both the form and somebody else changed. A step that changes
// the form leaves its base as it is. part has the values that a form shows before it is posted.
func (h entryPages) rebase(c *frame.Call, m *site.Model, stored, part entryforms.Stored, locale string) (
	base entryforms.Base, conflicts []entryforms.Conflict, err error) {
	if !c.IsForm {
		return entryforms.BaseOf(m, part), nil, nil
	}
	in := entryforms.FormReader{Problems: cms.Problems{}, Keep: c.Step != nil, IDs: true, Locale: locale}
	sent := entryforms.SentValues(m, in.Typed(m, c.Form))
	var choice entryforms.Choice
	if c.Step != nil && (c.Step.Verb == frame.StepTake || c.Step.Verb == frame.StepKeep) {
		choice = entryforms.Choice{Key: c.Step.Name, Take: c.Step.Verb == frame.StepTake}
	}
	base = entryforms.ReadBase(c.Form)
	merge := entryforms.MergeEntry(m, base, sent, stored, choice)
	if c.Step != nil && choice.Key == "" && c.Step.Verb != frame.StepResume && len(base) > 0 {
		for i := range merge.Conflicts {
			merge.Conflicts[i].Shown = merge.Conflicts[i].Key
		}
		return base, merge.Conflicts, nil
	}
	for key, v := range merge.Others {
		if err := show(c, m, key, v, stored.Values[key]); err != nil {
			return nil, nil, err
		}
	}
	return merge.Shown, merge.Conflicts, nil
}

// show puts a value into a posted form. A stored value needs no input there.
func show(c *frame.Call, m *site.Model, key string, v, stored any) error {
	f := entryforms.FieldOf(m, key)
	entryforms.Forget(c.Form, key)
	if !f.HasFields() && ui.Digest(entryforms.Canonical(f, v)) ==
		ui.Digest(entryforms.Canonical(f, stored)) {
		return nil
	}
	if c.Form.Set(key, ""); f.HasFields() {
		c.Form.Del(key)
		c.Form.Set(key+"._rows", "")
	}
	return entryforms.Post(c.Form, key, *f, v)
}

// markConflicts shows how the stored value differs beside each value with a conflict, and buttons to
// keep the user's own or to take the stored one.
func (h entryPages) markConflicts(c *frame.Call, site *site.Site, m *site.Model, fields []ui.Field,
	conflicts []entryforms.Conflict, d *editing.Drafted, action string) error {
	if len(conflicts) == 0 {
		return nil
	}
	names, err := h.names(c, site, m, d.Entry)
	if err != nil {
		return err
	}
	who, err := h.authors(c)
	if err != nil {
		return err
	}
	for _, conflict := range conflicts {
		f := findField(fields, conflict.Shown)
		if f == nil {
			continue
		}
		mine, err := entryforms.Readable(*conflict.Field, conflict.Mine)
		if err != nil {
			return err
		}
		theirs, err := entryforms.Readable(*conflict.Field, conflict.Theirs)
		if err != nil {
			return err
		}
		f.Conflict = &ui.Conflict{Who: who(m, conflict),
			Parts: names.withNames(ui.TextDiff(names.in(mine), names.in(theirs))),
			Keep: ui.ButtonView{Button: ui.Button{Text: "Keep mine", Label: say.F("Keep mine: {1}", f.Label),
				Do: frame.StepKeep + " " + f.Name, To: f.Name}, Action: action},
			Take: ui.ButtonView{Button: ui.Button{Text: "Take theirs", Label: say.F("Take theirs: {1}", f.Label),
				Do: frame.StepTake + " " + f.Name, To: f.Name}, Action: action},
		}
	}
	return nil
}

// authors returns the function that names who changed the stored value of a conflict.
func (h entryPages) authors(c *frame.Call) (func(*site.Model, entryforms.Conflict) say.Text, error) {
	model, id := entrydata.PathOf(c)
	listed, err := h.Entries.Revisions(c.R.Context(), model, id, db.Paging{Page: 1, PerPage: 100})
	if err != nil {
		return nil, err
	}
	people, err := c.People()
	versions := make([]entryforms.Version, len(listed.Items))
	for i := 0; i < len(versions) && err == nil; i++ {
		var v revisionView
		v, err = newRevisionView(listed.Items[i])
		versions[i] = entryforms.Version{Actor: v.Actor, Entry: v.entry()}
	}
	return func(m *site.Model, conflict entryforms.Conflict) say.Text {
		switch actor := conflict.Author(m, versions, c.Actor().Name); {
		case actor == nil:
			return "Somebody else"
		case *actor == c.Actor().Name:
			return "You, in another window,"
		default:
			return people.Name(*actor)
		}
	}, err
}

// findField returns a field of a form by its name, at any depth; nil if there is none.
func findField(fields []ui.Field, name string) *ui.Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
		if f := findField(fields[i].Fields, name); f != nil {
			return f
		}
	}
	return nil
}
