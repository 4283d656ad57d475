package ahead

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/content/drafted"
	"headless/pkg/content/tree"
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
	left  []string          // ids of the entries below which it stood while it was published, and does no more
	stood bool              // it was published below the entry above it
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
	known, err := l.readChanges(steps)
	for _, read := range trees {
		_, _ = read() // stepsBelow looks at the errors; nothing goes on behind this
	}
	if err != nil {
		return all, err
	}
	for asked := map[string]bool{}; ; {
		var unread []content.Reference
		if all, unread, err = l.followSteps(steps, known, trees); err != nil {
			return all, err
		}
		unread = slices.DeleteFunc(unread, func(r content.Reference) bool {
			again := asked[r.ID] // such as a page that two steps move
			asked[r.ID] = true
			return again
		})
		if len(unread) == 0 {
			return all, l.limit(all)
		}
		for _, r := range unread {
			known[r.ID] = &change{m: r.Model, shown: true}
		}
		if err := l.readEntries(unread, known, l.shows); err != nil {
			return all, err
		}
	}
}

// limit counts changes. Error: CONFLICT for too many.
func (l *laying) limit(all laid) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range all.changes[:all.planned] {
		key := [2]string{c.m.Slug, c.was.Entry.Locale}
		if l.of[key]++; l.of[key] > maxOfOne {
			return cms.Errorf(cms.CodeConflict,
				"This changes more than %d entries of the model %q in the locale %q.", maxOfOne, key[0], key[1])
		}
	}
	if l.planned += all.planned; l.planned > maxChanges {
		return errTooMany
	}
	return nil
}

var errTooMany = cms.Errorf(cms.CodeConflict, "This changes more than %d entries.", maxChanges)

// listed are the steps that lead from the present site to the one that is shown.
type listed struct {
	steps     []planning.Step
	undrafted map[string]bool // ids of entries that are known to have no draft
}

// list lists the steps, whoever made the link. Those without a time are made when the link was made.
func (p Previews) list(ctx context.Context, now *site.Site, v preview.View) (found listed, err error) {
	ctx = whole(ctx)
	if v.Drafts {
		return p.drafts(ctx, now)
	}
	moved := meanwhile(func() (map[string]bool, error) { return p.movedEntries(ctx, now) })
	switch {
	case v.Release != "":
		found.steps, err = p.Releases.StepsOf(ctx, now, v.Release, cms.Time{})
	case v.At.After(p.Releases.Store.Now().Time): // else the site as it is
		found.steps, err = p.Releases.StepsUntil(ctx, now, v.At.Time, maxCandidates)
	}
	unsure, failed := moved()
	for i, step := range found.steps {
		if unsure[step.ID] || unsure[step.ModelID] {
			found.steps[i].Locale = ""
		}
	}
	return found, cmp.Or(err, failed)
}

// movedEntries returns the ids of entries whose locale may be another one than when they were planned, and of
// models with very many of these.
func (p Previews) movedEntries(ctx context.Context, now *site.Site) (map[string]bool, error) {
	ids, mu := map[string]bool{}, sync.Mutex{}
	g, ctx := errgroup.WithContext(ctx)
	for _, m := range now.Models {
		if !m.Localized {
			continue
		}
		g.Go(func() error {
			list, err := drafted.Moved(ctx, p.Releases.Store.DB, m, maxChanges)
			mu.Lock()
			defer mu.Unlock()
			for _, id := range list {
				ids[id] = true
			}
			ids[m.ID] = len(list) > maxChanges
			return err
		})
	}
	return ids, g.Wait()
}

// drafts lists the entries that drafts change, or of which they show more.
func (p Previews) drafts(ctx context.Context, now *site.Site) (listed, error) {
	var of []*site.Model
	var lists []drafted.List
	for _, slug := range slices.Sorted(maps.Keys(now.Models)) {
		for _, list := range drafted.Lists(now.Models[slug], now.Codes()) {
			if now.Models[slug].IsActive {
				of, lists = append(of, now.Models[slug]), append(lists, list)
			}
		}
	}
	found := make([][]table.Item, len(lists))
	g, ctx := errgroup.WithContext(ctx)
	for i, list := range lists {
		g.Go(func() (err error) {
			found[i], err = p.Releases.Store.Table.Query(ctx, table.Range{Partition: list.Partition, Limit: maxCandidates + 1})
			return err
		})
	}
	all := listed{undrafted: map[string]bool{}}
	if err := g.Wait(); err != nil {
		return all, err
	}
	known := map[string]bool{}
	for i, rows := range found {
		for _, row := range rows {
			e, err := lists[i].Read(row)
			if err != nil {
				return all, err
			}
			if e.Outside || known[e.ID] {
				continue
			}
			known[e.ID], all.undrafted[e.ID] = true, !e.Draft
			all.steps = append(all.steps, planning.Step{ModelID: of[i].ID, ID: e.ID, Locale: e.Locale,
				Action: planning.ActionPublish})
		}
	}
	return all, nil
}

// readChanges reads the entries of steps, by id, with the members of their groups if these share values. It
// leaves out what the maker may not read.
func (l *laying) readChanges(steps []planning.Step) (map[string]*change, error) {
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
	found := meanwhile(func() ([]*groups.Group, error) { return groups.OfEach(l.ctx, l.store, sharing) })
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
	records, err := l.store.Records(l.ctx, refs, func(id string) bool { return !l.undrafted[id] })
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

// followSteps makes the entries as they will be after the steps, in copies of what was read. See changes for all.
// unread are entries that are changed too, since they stand below others.
func (l *laying) followSteps(steps []planning.Step, read map[string]*change,
	trees map[treeOf]func() (*tree.Tree, error)) (all laid, unread []content.Reference, err error) {
	maker, err := l.maker()
	if err != nil {
		return all, nil, err
	}
	known := make(map[string]*change, len(read))
	for id, c := range read {
		copied := *c
		known[id] = &copied
	}
	for _, step := range steps {
		before, err := l.stepsBelow(step, known, trees)
		if err != nil {
			return all, nil, err
		}
		for _, step := range append(before, step) {
			switch c := known[step.ID]; {
			case step.Below && c == nil:
				unread = append(unread, content.Reference{Model: l.now.ModelByID(step.ModelID), ID: step.ID})
			case step.Below: // it may have been read as the translation of another one
				c.shown = l.shows(maker, c)
			}
			if err := l.followOne(step, known, &all); err != nil {
				return all, nil, err
			}
		}
	}
	all.planned = len(all.changes)
	for _, c := range known {
		if c.steps == nil && c.will != c.was.Entry {
			all.changes = append(all.changes, c)
		}
	}
	return all, unread, nil
}

// followOne makes an entry as it will be after a step.
func (l *laying) followOne(step planning.Step, known map[string]*change, all *laid) error {
	c := known[step.ID]
	publishes := step.Action == planning.ActionPublish
	if c == nil || !c.shown || publishes && step.Own && c.freed {
		return nil
	}
	c.freed = c.freed || publishes && !step.Own
	before := c.will
	if err := l.takeStep(c, step); err != nil || c.will == before {
		return err
	}
	if c.steps == nil {
		all.changes = append(all.changes, c)
	}
	c.stood = c.stood || before.Status == cms.StatusPublished
	if before.ParentID() != c.will.ParentID() {
		if c.stood {
			c.left = append(c.left, before.ParentID())
		}
		c.stood = false
	}
	c.steps = append(c.steps, step)
	c.share(before, known)
	return nil
}

// takeStep takes a step.
func (l *laying) takeStep(c *change, step planning.Step) (err error) {
	switch {
	case step.Up != nil:
		moved := *c.will
		moved.Spot, moved.Version, moved.UpdatedAt = step.Up, moved.Version+1, step.At
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
