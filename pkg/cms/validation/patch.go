package validation

import "headless/pkg/cms"

// Patch finds all problems in a save: those of decoding, and those of the resulting entry. before
// is the stored entry, nil on create. Required fields must be present on create and if the result
// is published (decisions §2).
func (c Checks) Patch(m *cms.Model, p cms.EntryPatch, after, before *cms.Entry) cms.Problems {
	problems := cms.Problems{}
	problems.Merge(p.Problems())
	problems.Merge(p.ForTree(m))
	problems.Merge(unknownCleared(m, p, before, problems))
	problems.Merge(c.Entry(m, after, before, before == nil || after.Status == cms.StatusPublished))
	return problems
}

// unknownCleared reports cleared keys of data that neither the model nor the entry before has.
func unknownCleared(m *cms.Model, p cms.EntryPatch, before *cms.Entry, known cms.Problems) cms.Problems {
	problems := cms.Problems{}
	for key, v := range p.Data {
		if v != nil || m.Field(key) != nil || len(known)+len(problems) >= cms.MaxProblems {
			continue
		}
		if before == nil || before.Data[key] == nil {
			problems.Add("data."+key, "is not a known field")
		}
	}
	return problems
}

// Draft finds the problems in the changes of a draft (extensions §2): types, unknown names, the
// length of texts, options, the format of the slug and an empty title. Publishing checks the rest,
// which needs the whole entry. after is the entry with the changes applied.
func (c Checks) Draft(m *cms.Model, p cms.EntryPatch, after *cms.Entry) cms.Problems {
	problems := Objects(after.Data)
	if len(problems) > 0 {
		return problems
	}
	problems.Merge(p.Problems())
	problems.Merge(p.ForTree(m))
	changed := cms.Entry{Title: after.Title, Slug: after.Slug, Status: after.Status,
		Locale: after.Locale, SEO: after.SEO, Data: map[string]any{}}
	for key, v := range p.Data {
		if v != nil {
			changed.Data[key] = v
		} else if m.Field(key) == nil && len(problems) < cms.MaxProblems {
			problems.Add("data."+key, "is not a known field")
		}
	}
	problems.Merge(c.validateEntry(m, &changed, nil, draftRules))
	return problems
}

// Update finds the problems in the changes of an update, whatever the entry has besides: those of Draft, and values
// that no saved entry may have. after is an entry with the changes applied.
func (c Checks) Update(m *cms.Model, p cms.EntryPatch, after *cms.Entry) cms.Problems {
	problems := c.Draft(m, p, after)
	d := dataCheck{Checks: c, p: cms.Problems{}}
	for key, v := range p.Data {
		if f := m.Field(key); f != nil && v != nil {
			d.checkValue("data."+key, f, v)
		}
	}
	for path, messages := range d.p { // those of Draft are among them
		problems[path] = messages
	}
	return problems
}

// Imported finds the problems of an entry as a line of an import has it: a draft may be incomplete, and only a
// published entry must have its required fields.
func (c Checks) Imported(m *cms.Model, p cms.EntryPatch, e *cms.Entry) cms.Problems {
	if e.Status == cms.StatusDraft {
		return c.Incomplete(m, p, e)
	}
	problems := cms.Problems{}
	problems.Merge(p.Problems())
	problems.Merge(p.ForTree(m))
	problems.Merge(c.Entry(m, e, nil, e.Status == cms.StatusPublished))
	return problems
}

// Incomplete does the same as Patch for a new entry of status draft. The entry may lack required
// values, be below min and not match patterns.
func (c Checks) Incomplete(m *cms.Model, p cms.EntryPatch, e *cms.Entry) cms.Problems {
	problems := cms.Problems{}
	problems.Merge(p.Problems())
	problems.Merge(p.ForTree(m))
	problems.Merge(unknownCleared(m, p, nil, problems))
	problems.Merge(c.validateEntry(m, e, nil, incompleteRules))
	return problems
}
