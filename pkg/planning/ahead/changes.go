package ahead

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/groups"
	"headless/pkg/links/preview"
	"headless/pkg/planning"
	"headless/pkg/site"
	"headless/pkg/table"
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
	moved cms.Status        // that it has when its slug changes, "" if that stays
	group map[string]string // ids of the members of its group, if they share values
}

// whole lets reads find what the reader does not see, too: rules of the maker say what is shown.
func whole(ctx context.Context) context.Context { return cms.WithPermissions(ctx, nil) }

// changes returns the entries that some steps change, first those that are planned themselves, whose
// number it returns, then those that only share values with them. Error: CONFLICT for too much.
func (l *laying) changes(steps []planning.Step) (all laid, err error) {
	if len(steps) > 2*maxCandidates {
		return all, errTooMany
	}
	trees := l.trees(steps)
	known, err := l.read(steps)
	for _, read := range trees {
		_, _ = read() // withBelow looks at the errors; nothing goes on behind this
	}
	if err != nil {
		return all, err
	}
	if steps, err = l.withBelow(steps, known, trees); err != nil {
		return all, err
	}
	if all, err = l.follow(steps, known); err != nil {
		return all, err
	}
	of := map[[2]string]int{}
	for _, c := range all.changes[:all.planned] {
		key := [2]string{c.m.Slug, c.was.Entry.Locale}
		if of[key]++; of[key] > maxOfOne {
			return all, cms.Errorf(cms.CodeConflict,
				"This changes more than %d entries of the model %q in the locale %q.", maxOfOne, key[0], key[1])
		}
	}
	if all.planned > maxChanges {
		return all, errTooMany
	}
	return all, nil
}

var errTooMany = cms.Errorf(cms.CodeConflict, "This changes more than %d entries.", maxChanges)

// steps lists the steps that lead from the present site to the one that is shown, whoever made the link. Those
// without a time are made when the link was made.
func (p Previews) steps(ctx context.Context, now *site.Site, v preview.View) (steps []planning.Step, err error) {
	ctx = whole(ctx)
	switch {
	case v.Drafts:
		return p.drafts(ctx, now)
	case v.Release != "":
		return p.Releases.StepsOf(ctx, now, v.Release, cms.Time{})
	case v.At.After(p.Releases.Store.Now().Time): // else the site as it is
		return p.Releases.StepsUntil(ctx, now, v.At.Time, maxCandidates)
	}
	return nil, nil
}

// drafts lists the entries that drafts change, or of which they show more.
func (p Previews) drafts(ctx context.Context, now *site.Site) (steps []planning.Step, err error) {
	var of []*site.Model
	var lists []string
	for _, slug := range slices.Sorted(maps.Keys(now.Models)) {
		for _, list := range content.DraftLists(now.Models[slug], now.Codes()) {
			if now.Models[slug].IsActive {
				of, lists = append(of, now.Models[slug]), append(lists, list)
			}
		}
	}
	found := make([][]table.Item, len(lists))
	g, ctx := errgroup.WithContext(ctx)
	for i, list := range lists {
		g.Go(func() (err error) {
			found[i], err = p.Releases.Store.Table.Query(ctx, table.Range{Partition: list, Limit: maxCandidates + 1})
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for i, rows := range found {
		for _, row := range rows {
			if id := content.RowID(row.Key).String(); !known[id] {
				known[id] = true
				steps = append(steps, planning.Step{ModelID: of[i].ID, ID: id, Action: planning.ActionPublish})
			}
		}
	}
	return steps, nil
}

// read reads the entries of steps, by id, with the members of their groups if these share values. It
// leaves out what the maker may not read.
func (l *laying) read(steps []planning.Step) (map[string]*change, error) {
	known := map[string]*change{}
	var refs, sharing []content.Reference
	for _, step := range steps {
		if m := l.now.ModelByID(step.ModelID); known[step.ID] == nil {
			ref := content.Reference{Model: m, ID: step.ID}
			if known[step.ID], refs = (&change{m: m, shown: true}), append(refs, ref); m.SharesFields() {
				sharing = append(sharing, ref)
			}
		}
	}
	if len(refs) > maxCandidates {
		return nil, errTooMany
	}
	found := meanwhile(func() ([]*groups.Group, error) { return groups.OfEach(l.ctx, l.Releases.Store, sharing) })
	err := l.readEntries(refs, known, l.shows)
	groups, failed := found()
	if err := cmp.Or(err, failed); err != nil {
		return nil, err
	}
	var members []content.Reference
	for i, g := range groups {
		c := known[sharing[i].ID]
		if c == nil || !c.shown {
			continue
		}
		c.group = g.Members
		for _, id := range g.Members {
			if known[id] == nil {
				known[id], members = &change{m: c.m}, append(members, content.Reference{Model: c.m, ID: id})
			}
		}
	}
	return known, l.readEntries(members, known, func(maker *cms.Permissions, c *change) bool {
		return maker.May(cms.ActionRead, c.m.Slug, c.was.Entry.Locale)
	})
}

// readEntries reads entries, and forgets those that are missing or that keep does not keep.
func (l *laying) readEntries(refs []content.Reference, known map[string]*change,
	keep func(maker *cms.Permissions, c *change) bool) error {
	records, err := l.Releases.Store.Records(l.ctx, refs)
	if err != nil || len(refs) == 0 {
		return err
	}
	maker, err := l.maker()
	for i, r := range records {
		c := known[refs[i].ID]
		if r == nil {
			l.mu.Lock()
			l.missing[refs[i].ID] = true
			l.mu.Unlock()
		}
		if c.was = r; err != nil || r == nil || !keep(maker, c) {
			delete(known, refs[i].ID)
			continue
		}
		c.will, c.draft = r.Entry, r.Draft
	}
	return err
}

// shows reports whether the changes of an entry are laid over.
func (l *laying) shows(maker *cms.Permissions, c *change) bool {
	e, v := c.was.Entry, l.v
	return maker.May(cms.ActionRead, c.m.Slug, e.Locale) && (v.Locales == nil || slices.Contains(v.Locales, e.Locale)) &&
		(!v.Drafts || e.Status == cms.StatusDraft || e.Status == cms.StatusPublished && c.was.Draft.Open)
}

// follow makes the entries as they will be after the steps. See changes for its results.
func (l *laying) follow(steps []planning.Step, known map[string]*change) (all laid, err error) {
	for _, step := range steps {
		c := known[step.ID]
		publishes := step.Action == planning.ActionPublish
		if c == nil || !c.shown || publishes && step.Own && c.freed {
			continue
		}
		c.freed = c.freed || publishes && !step.Own
		before := c.will
		if err := l.take(c, step); err != nil {
			return all, err
		}
		if c.will == before {
			continue
		}
		if c.steps == nil {
			all.changes = append(all.changes, c)
		}
		if before.Slug != c.will.Slug || before.Locale != c.will.Locale {
			c.moved = before.Status
		}
		c.steps = append(c.steps, step)
		c.share(before, known)
	}
	all.planned = len(all.changes)
	for _, c := range known {
		if c.steps == nil && c.will != c.was.Entry {
			all.changes = append(all.changes, c)
		}
	}
	return all, nil
}

// take takes a step.
func (l *laying) take(c *change, step planning.Step) (err error) {
	switch {
	case step.Up != nil:
		moved := *c.will
		moved.Stand(*step.Up, moved.TreePosition())
		moved.Version, moved.UpdatedAt = moved.Version+1, step.At
		c.will = &moved
	case step.Action == planning.ActionPublish:
		c.will, err = l.Releases.Entries.Published(l.ctx, c.m, c.will, c.draft, step.At)
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
