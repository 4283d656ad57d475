package editing

import (
	"context"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/groups"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// ImportGroups is the change of groups that an imported line makes.
type ImportGroups struct {
	plan   *groupPlan
	absent []string // ids of translations that were not stored when the plan was made
}

// ImportGroup plans the group of an imported entry. others are the ids of its translations. The
// entry joins the group of the first of them that is stored already. If none is, the translations
// that are imported later join it, so lines may have any order. An entry that is in a group with
// one of them stays in that group.
func (s *Entries) ImportGroup(ctx context.Context, m *site.Model, rec *content.EntryRecord,
	e *cms.Entry, line map[string]any, others []string) (ImportGroups, error) {
	own, err := groups.ForChange(ctx, s.Store, m, e.ID)
	if err != nil {
		return ImportGroups{}, err
	}
	p := cms.Problems{}
	ask := decodeTranslationOf(line, p)
	var groups ImportGroups
	if len(others) > 0 {
		if ask, groups.absent, err = s.joinable(ctx, m, e, others, own); err != nil {
			return groups, err
		}
	} else if own.Holds(ask.target) || ask.target == "" && own.ID == "" {
		ask = regroup{}
	}
	var before *cms.Entry
	if rec != nil {
		before = rec.Entry
	}
	if groups.plan, err = s.planGroup(ctx, m, before, e, ask, p); err != nil {
		return groups, err
	}
	return groups, p.Err()
}

// joinable returns which translation's group an imported entry joins, and the ids of translations
// that are not stored yet.
func (s *Entries) joinable(ctx context.Context, m *site.Model, e *cms.Entry, others []string,
	own *groups.Group) (ask regroup, absent []string, err error) {
	if slices.ContainsFunc(others, own.Holds) {
		return regroup{}, nil, nil
	}
	refs := slice.Map(others, func(id string) content.Reference { return content.Reference{Model: m, ID: id} })
	found, err := s.Store.EntriesByID(ctx, refs)
	if err != nil {
		return regroup{}, nil, err
	}
	for i, other := range found {
		switch {
		case other == nil:
			absent = append(absent, others[i])
		case other.Locale != e.Locale:
			return regroup{true, other.ID}, nil, nil
		}
	}
	return regroup{}, absent, nil
}

// Changed reports whether the line changes the group of the entry.
func (g ImportGroups) Changed() bool { return g.plan != nil && g.plan.asked }

// Apply adds the change to the transaction of the import. If two translations are imported
// concurrently, the commit of the later one fails, and its retry finds the other. Error: CONFLICT
// if the group has another entry in the entry's locale.
func (g ImportGroups) Apply(t *db.Tx, s *content.Store, m *site.Model, e *cms.Entry) error {
	if err := g.plan.checkLocale(e); err != nil {
		return err
	}
	g.plan.applyTo(t, s, m, e)
	for _, id := range g.absent {
		content.RequireNoEntry(t, m, id)
	}
	return nil
}
