package validation

import "headless/pkg/cms"

// Patch finds everything wrong with a save: what could not be decoded, and the entry that came of
// it. Before is the entry as it was, nil on create. Required fields are asked for on create and
// when the result is published (decisions §2).
func Patch(m *cms.Model, p cms.EntryPatch, after, before *cms.Entry) cms.Problems {
	problems := cms.Problems{}
	problems.Merge(p.Problems())
	problems.Merge(unknownCleared(m, p, before, problems))
	problems.Merge(Entry(m, after, before, before == nil || after.Status == cms.StatusPublished))
	return problems
}

// unknownCleared reports keys of data that are cleared and that neither the model nor the entry
// before has.
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

// Draft finds what is wrong with the changes of a draft (extensions §2): types, unknown names,
// the length of texts, options, the form of the slug and an empty title. What only the whole entry
// can tell is left to publishing. After is the entry with the changes laid over it.
func Draft(m *cms.Model, p cms.EntryPatch, after *cms.Entry) cms.Problems {
	problems := cms.Problems{}
	problems.Merge(p.Problems())
	changed := cms.Entry{Title: after.Title, Slug: after.Slug, Status: after.Status,
		Locale: after.Locale, SEO: after.SEO, Data: map[string]any{}}
	for key, v := range p.Data {
		if v != nil {
			changed.Data[key] = v
		} else if m.Field(key) == nil && len(problems) < cms.MaxProblems {
			problems.Add("data."+key, "is not a known field")
		}
	}
	problems.Merge(validateEntry(m, &changed, nil, draftRules))
	return problems
}

// Incomplete is Patch for a new entry of status draft that may lack what is required, be
// shorter than min and miss patterns.
func Incomplete(m *cms.Model, p cms.EntryPatch, e *cms.Entry) cms.Problems {
	problems := cms.Problems{}
	problems.Merge(p.Problems())
	problems.Merge(unknownCleared(m, p, nil, problems))
	problems.Merge(validateEntry(m, e, nil, incompleteRules))
	return problems
}
