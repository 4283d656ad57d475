package ahead

import (
	"context"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/groups"
	"headless/pkg/links/preview"
	"headless/pkg/planning"
	"headless/pkg/site"
)

const (
	maxChanges    = 1_000 // of one link
	maxOfOne      = 200   // of one model and locale
	maxCandidates = 4 * maxChanges
)

// change is an entry as it is, and as it will be.
type change struct {
	m     *site.Model
	was   *content.Record
	will  *cms.Entry
	steps []planning.Step
}

// changes returns what a link changes. Error: CONFLICT for too much.
func (p Previews) changes(ctx context.Context, v preview.Site) ([]*change, error) {
	ctx = cms.WithPermissions(ctx, nil)
	now, err := p.Releases.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	steps, err := p.steps(ctx, now, v)
	if err != nil {
		return nil, err
	}
	changes, err := p.read(ctx, now, v, steps)
	if err != nil {
		return nil, err
	}
	of := map[[2]string]int{}
	for _, c := range changes {
		key := [2]string{c.m.Slug, c.was.Entry.Locale}
		if of[key]++; of[key] > maxOfOne {
			return nil, cms.Errorf(cms.CodeConflict,
				"This changes more than %d entries of the model %q in the locale %q.", maxOfOne, key[0], key[1])
		}
	}
	if len(changes) > maxChanges || len(steps) > maxCandidates {
		return nil, cms.Errorf(cms.CodeConflict, "This changes more than %d entries.", maxChanges)
	}
	return changes, nil
}

// steps lists what is done until the site is as a link shows it.
func (p Previews) steps(ctx context.Context, now *site.Site, v preview.Site) (steps []planning.Step, err error) {
	switch {
	case v.Drafts:
		return p.drafts(ctx, now, v)
	case v.Release != "":
		return p.Releases.StepsOf(ctx, v.Release, v.Made)
	case !v.At.After(p.Releases.Store.Now().Time):
		return nil, nil // the site as it is
	}
	return p.Releases.StepsUntil(ctx, v.At.Time, maxCandidates)
}

// drafts lists the entries that drafts change, or of which they show more.
func (p Previews) drafts(ctx context.Context, now *site.Site, v preview.Site) (steps []planning.Step, err error) {
	models := slices.DeleteFunc(slices.Collect(maps.Values(now.Models)), func(m *site.Model) bool {
		return !m.IsActive || !v.Maker.May(cms.ActionRead, m.Slug, "")
	})
	slices.SortFunc(models, func(a, b *site.Model) int { return strings.Compare(a.Slug, b.Slug) })
	found := make([][]string, len(models))
	g, ctx := errgroup.WithContext(ctx)
	for i, m := range models {
		g.Go(func() (err error) {
			found[i], err = p.Releases.Store.Drafted(ctx, m, now.Codes(), maxCandidates+1)
			return err
		})
	}
	err = g.Wait()
	for i, ids := range found {
		for _, id := range ids {
			steps = append(steps, planning.Step{ModelID: models[i].ID, ID: id, Action: planning.ActionPublish, At: v.Made})
		}
	}
	return steps, err
}

// read reads the entries of steps and makes the changes. It leaves out what is not laid over, and
// entries that stay as they are.
func (p Previews) read(ctx context.Context, now *site.Site, v preview.Site,
	steps []planning.Step) (changes []*change, err error) {
	var all []*change
	var refs []content.Reference
	known := map[string]*change{}
	for _, step := range steps {
		m := now.ModelByID(step.ModelID)
		if m == nil || !v.Maker.May(cms.ActionRead, m.Slug, "") {
			continue
		}
		if known[step.ID] == nil {
			known[step.ID] = &change{m: m}
			all, refs = append(all, known[step.ID]), append(refs, content.Reference{Model: m, ID: step.ID})
		}
		known[step.ID].steps = append(known[step.ID].steps, step)
	}
	if len(refs) > maxCandidates {
		return nil, cms.Errorf(cms.CodeConflict, "This changes more than %d entries.", maxChanges)
	}
	records, err := p.Releases.Store.Records(ctx, refs)
	for i, r := range records {
		if c := all[i]; r != nil && err == nil && shows(v, c.m, r) {
			if c.was = r; c.make(ctx, p, &err) {
				changes = append(changes, c)
			}
		}
	}
	return changes, err
}

// shows reports whether the changes of an entry are laid over.
func shows(v preview.Site, m *site.Model, r *content.Record) bool {
	e := r.Entry
	return v.Maker.May(cms.ActionRead, m.Slug, e.Locale) && (v.Locales == nil || slices.Contains(v.Locales, e.Locale)) &&
		(!v.Drafts || e.Status == cms.StatusDraft || e.Status == cms.StatusPublished && r.Draft.Open)
}

// make makes the entry as it will be after its steps, and reports whether they change it.
func (c *change) make(ctx context.Context, p Previews, err *error) bool {
	e, draft := c.was.Entry, c.was.Draft
	for _, step := range c.steps {
		switch {
		case *err != nil:
		case step.Action == planning.ActionPublish:
			e, *err = p.Releases.Entries.Published(ctx, c.m, e, draft, step.At)
			draft = &content.Draft{}
		case e.Status == cms.StatusPublished:
			down := *e
			down.Status, down.Version, down.UpdatedAt = cms.StatusDraft, e.Version+1, step.At
			e = &down
		}
	}
	c.will = e
	return *err == nil && e != c.was.Entry
}

// withShared adds the members of the groups of changed entries that share their values.
func (p Previews) withShared(ctx context.Context, v preview.Site, changes []*change) ([]*change, error) {
	var sharing []*change
	var refs []content.Reference
	known := map[string]*change{}
	for _, c := range changes {
		known[c.will.ID] = c
		if c.m.SharesFields() && !c.m.SameShared(c.was.Entry, c.will) {
			sharing, refs = append(sharing, c), append(refs, content.Reference{Model: c.m, ID: c.will.ID})
		}
	}
	if len(sharing) == 0 {
		return changes, nil
	}
	found, err := groups.OfEach(ctx, p.Releases.Store, refs)
	if err != nil {
		return nil, err
	}
	var members []content.Reference
	for i, g := range found {
		for _, id := range g.Members {
			if known[id] == nil {
				known[id], members = &change{m: refs[i].Model}, append(members, content.Reference{Model: refs[i].Model, ID: id})
			}
		}
	}
	records, err := p.Releases.Store.Records(ctx, members)
	if err != nil {
		return nil, err
	}
	for i, r := range records {
		if r != nil && v.Maker.May(cms.ActionRead, members[i].Model.Slug, r.Entry.Locale) {
			c := known[r.Entry.ID]
			c.was, c.will = r, r.Entry
			changes = append(changes, c)
		}
	}
	for i, c := range sharing {
		for _, id := range found[i].Members {
			other := known[id]
			if other.will == nil || other == c || c.m.SameShared(other.will, c.will) {
				continue
			}
			e := *other.will
			c.m.TakeShared(&e, c.will, nil)
			if e.Version == other.was.Entry.Version {
				e.Version, e.UpdatedAt = e.Version+1, c.will.UpdatedAt
			}
			other.will = &e
		}
	}
	return slices.DeleteFunc(changes, func(c *change) bool { return c.will == c.was.Entry }), nil
}
