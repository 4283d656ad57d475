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
	draft *content.Draft // not published yet
	will  *cms.Entry
	shown bool              // its own steps are laid over
	freed bool              // a release has published it, and so dropped its own plan to be published
	steps []planning.Step   // that change it
	group map[string]string // ids of the members of its group, if they share values
}

// whole lets reads find what the reader does not see, too: rules of the maker say what is shown.
func whole(ctx context.Context) context.Context { return cms.WithPermissions(ctx, nil) }

// changes returns the entries that a link changes, first those that are planned themselves, whose
// number it returns, then those that only share values with them. Error: CONFLICT for too much.
func (p Previews) changes(ctx context.Context, now *site.Site, v preview.Site,
	steps []planning.Step) (changes []*change, planned int, err error) {
	ctx = whole(ctx)
	known, err := p.read(ctx, now, v, steps)
	if err != nil {
		return nil, 0, err
	}
	if changes, planned, err = p.follow(ctx, steps, known); err != nil {
		return nil, 0, err
	}
	of := map[[2]string]int{}
	for _, c := range changes[:planned] {
		key := [2]string{c.m.Slug, c.was.Entry.Locale}
		if of[key]++; of[key] > maxOfOne {
			return nil, 0, cms.Errorf(cms.CodeConflict,
				"This changes more than %d entries of the model %q in the locale %q.", maxOfOne, key[0], key[1])
		}
	}
	if planned > maxChanges {
		return nil, 0, errTooMany
	}
	return changes, planned, nil
}

var errTooMany = cms.Errorf(cms.CodeConflict, "This changes more than %d entries.", maxChanges)

// steps lists the steps that lead from the present site to the one that a link shows, whoever made the link.
func (p Previews) steps(ctx context.Context, now *site.Site, v preview.Site) (steps []planning.Step, err error) {
	ctx = whole(ctx)
	switch {
	case v.Drafts:
		steps, err = p.drafts(ctx, now, v)
	case v.Release != "":
		steps, err = p.Releases.StepsOf(ctx, now, v.Release, v.Made)
	case v.At.After(p.Releases.Store.Now().Time): // else the site as it is
		steps, err = p.Releases.StepsUntil(ctx, now, v.At.Time, maxCandidates)
	}
	if err != nil {
		return nil, err
	}
	return p.withBelow(ctx, now, steps)
}

// drafts lists the entries that drafts change, or of which they show more.
func (p Previews) drafts(ctx context.Context, now *site.Site, v preview.Site) (steps []planning.Step, err error) {
	models := slices.DeleteFunc(slices.Collect(maps.Values(now.Models)),
		func(m *site.Model) bool { return !m.IsActive })
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

// read reads the entries of steps, by id, with the members of their groups if these share values. It
// leaves out what the maker may not read.
func (p Previews) read(ctx context.Context, now *site.Site, v preview.Site,
	steps []planning.Step) (map[string]*change, error) {
	var refs []content.Reference
	known := map[string]*change{}
	for _, step := range steps {
		m := now.ModelByID(step.ModelID)
		if m != nil && known[step.ID] == nil && v.Maker.May(cms.ActionRead, m.Slug, "") {
			known[step.ID], refs = &change{m: m, shown: true}, append(refs, content.Reference{Model: m, ID: step.ID})
		}
	}
	if len(refs) > maxCandidates {
		return nil, errTooMany
	}
	if err := p.load(ctx, refs, known, func(c *change) bool { return shows(v, c.m, c.was) }); err != nil {
		return nil, err
	}
	refs = nil
	for id, c := range known {
		if c.m.SharesFields() {
			refs = append(refs, content.Reference{Model: c.m, ID: id})
		}
	}
	if len(refs) == 0 {
		return known, nil
	}
	found, err := groups.OfEach(ctx, p.Releases.Store, refs)
	if err != nil {
		return nil, err
	}
	var members []content.Reference
	for i, g := range found {
		known[refs[i].ID].group = g.Members
		for _, id := range g.Members {
			if known[id] == nil {
				known[id], members = &change{m: refs[i].Model}, append(members, content.Reference{Model: refs[i].Model, ID: id})
			}
		}
	}
	return known, p.load(ctx, members, known, func(c *change) bool {
		return v.Maker.May(cms.ActionRead, c.m.Slug, c.was.Entry.Locale)
	})
}

// load reads entries, and forgets those that are missing or that keep does not keep.
func (p Previews) load(ctx context.Context, refs []content.Reference, known map[string]*change,
	keep func(*change) bool) error {
	records, err := p.Releases.Store.Records(ctx, refs)
	for i, r := range records {
		c := known[refs[i].ID]
		if c.was = r; r == nil || !keep(c) {
			delete(known, refs[i].ID)
			continue
		}
		c.will, c.draft = r.Entry, r.Draft
	}
	return err
}

// shows reports whether the changes of an entry are laid over.
func shows(v preview.Site, m *site.Model, r *content.Record) bool {
	e := r.Entry
	return v.Maker.May(cms.ActionRead, m.Slug, e.Locale) && (v.Locales == nil || slices.Contains(v.Locales, e.Locale)) &&
		(!v.Drafts || e.Status == cms.StatusDraft || e.Status == cms.StatusPublished && r.Draft.Open)
}

// follow makes the entries as they will be after the steps. See changes for its results.
func (p Previews) follow(ctx context.Context, steps []planning.Step,
	known map[string]*change) (changes []*change, planned int, err error) {
	for _, step := range steps {
		c := known[step.ID]
		publishes := step.Action == planning.ActionPublish
		if c == nil || !c.shown || publishes && step.Own && c.freed {
			continue
		}
		c.freed = c.freed || publishes && !step.Own
		before := c.will
		if err := p.take(ctx, c, step); err != nil {
			return nil, 0, err
		}
		if c.will == before {
			continue
		}
		if c.steps == nil {
			changes = append(changes, c)
		}
		c.steps = append(c.steps, step)
		c.share(before, known)
	}
	planned = len(changes)
	for _, c := range known {
		if c.steps == nil && c.will != c.was.Entry {
			changes = append(changes, c)
		}
	}
	return changes, planned, nil
}

// take takes a step.
func (p Previews) take(ctx context.Context, c *change, step planning.Step) (err error) {
	switch {
	case step.Up != nil:
		moved := *c.will
		moved.Stand(*step.Up, moved.TreePosition())
		moved.Version, moved.UpdatedAt = moved.Version+1, step.At
		c.will = &moved
	case step.Action == planning.ActionPublish:
		c.will, err = p.Releases.Entries.Published(ctx, c.m, c.will, c.draft, step.At)
		c.draft = &content.Draft{}
	case c.will.Status == cms.StatusPublished:
		down := *c.will
		down.Status, down.Version, down.UpdatedAt = cms.StatusDraft, down.Version+1, step.At
		c.will = &down
	}
	return err
}

// share gives the other members of a group the values that they share with an entry, if a step has
// changed these.
func (c *change) share(before *cms.Entry, known map[string]*change) {
	if c.group == nil || c.m.SameShared(before, c.will) {
		return
	}
	for _, id := range c.group {
		other := known[id]
		if other == nil || other == c || c.m.SameShared(other.will, c.will) {
			continue
		}
		e := *other.will
		c.m.TakeShared(&e, c.will, nil)
		e.Version, e.UpdatedAt = e.Version+1, c.will.UpdatedAt
		other.will = &e
	}
}
