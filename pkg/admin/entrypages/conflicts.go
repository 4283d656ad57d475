package entrypages

import (
	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// rebase updates a posted form to the stored entry: it gets what others changed. It returns the new
// base of the form, and the values that both the form and somebody else changed. A step that changes
// the form leaves its base as it is. part has the values that a form shows before it is posted.
func (h Pages) rebase(c *frame.Call, m *site.Model, stored, part entryforms.Stored, locale string) (
	base entryforms.Base, conflicts []entryforms.Conflict, err error) {
	if !c.IsForm {
		return entryforms.BaseOf(m, part), nil, nil
	}
	base = entryforms.ReadBase(c.Form)
	in := entryforms.FormReader{Problems: cms.Problems{}, Keep: c.Step != nil, IDs: true, Locale: locale, Base: base}
	sent := entryforms.SentValues(m, in.Typed(m, c.Form))
	var choice entryforms.Choice
	if c.Step != nil && (c.Step.Verb == frame.StepTake || c.Step.Verb == frame.StepKeep) {
		choice = entryforms.Choice{Key: c.Step.Name, Take: c.Step.Verb == frame.StepTake}
	}
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
	if !f.HasFields() && entryforms.Digest(f, v) == entryforms.Digest(f, stored) {
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
func (h Pages) markConflicts(c *frame.Call, m *site.Model, fields []ui.Field,
	conflicts []entryforms.Conflict, d *editing.Drafted, action string) error {
	if len(conflicts) == 0 {
		return nil
	}
	names, err := h.NamesIn(c, m, d.Entry)
	if err != nil {
		return err
	}
	who, err := h.authors(c, m, conflicts)
	if err != nil {
		return err
	}
	for i, conflict := range conflicts {
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
		f.Conflict = &ui.Conflict{Who: who[i],
			Parts: names.InParts(ui.TextDiff(names.In(mine), names.In(theirs))),
			Keep: ui.ButtonView{Button: ui.Button{Text: "Keep mine", Label: say.F("Keep mine: {1}", f.Label),
				Do: frame.StepKeep + " " + f.Name, To: f.Name}, Action: action},
			Take: ui.ButtonView{Button: ui.Button{Text: "Take theirs", Label: say.F("Take theirs: {1}", f.Label),
				Do: frame.StepTake + " " + f.Name, To: f.Name}, Action: action},
		}
	}
	return nil
}

// authors returns the names of those who changed the stored values of conflicts.
func (h Pages) authors(c *frame.Call, m *site.Model, conflicts []entryforms.Conflict) ([]say.Text, error) {
	model, id := entrydata.PathOf(c)
	_, each, err := h.Entries.Revisions(c.R.Context(), model, id)
	if err != nil {
		return nil, err
	}
	authors, err := entryforms.Authors(m, conflicts, func(yield func(entryforms.Version, error) bool) {
		for r, err := range each {
			v := entryforms.Version{Actor: r.Actor}
			if err == nil {
				v.Entry, err = contentOf(r)
			}
			if !yield(v, err) {
				return
			}
		}
	}, c.Actor().Name)
	if err != nil {
		return nil, err
	}
	people, err := c.People()
	return slice.Map(authors, func(actor *string) say.Text {
		switch {
		case actor == nil:
			return "Somebody else"
		case *actor == c.Actor().Name:
			return "You, in another window,"
		}
		return people.Name(*actor)
	}), err
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
