package planning

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content/tree"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/editing/standing"
	"headless/pkg/rights"
	"headless/pkg/site"
)

// errRehearsed stops a change before its commit.
var errRehearsed = errors.New("planning: rehearsed")

// checkWorkers is how many items are checked concurrently.
const checkWorkers = 16

// Check lists everything that would prevent the release from being published. Each item is checked
// against the state after the items before it; published items are skipped. Error: NOT_FOUND.
//
// A planned release is checked by the rights of who planned it, another one by those of the actor.
func (s *Releases) Check(ctx context.Context, actor cms.Actor, id string) ([]Problem, error) {
	r, items, err := s.openRelease(ctx, id)
	if err != nil {
		return nil, err
	}
	r.By = r.publisher(actor)
	return s.checkRelease(ctx, r, items)
}

// publisher returns by whose rights a release is published: those of who planned or publishes it, else of the actor.
func (r *release) publisher(actor cms.Actor) cms.Actor {
	if r.PublishAt.IsZero() && r.Status != ReleasePublishing {
		return actor
	}
	return r.By
}

func (s *Releases) checkRelease(ctx context.Context, r *release, items []storedItem) ([]Problem, error) {
	marks, err := s.changedItems(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	var left []checked
	for i, item := range items {
		if !r.isDone(i) {
			left = append(left, checked{item, r.By, marks.markOf(item)})
		}
	}
	return s.checkEach(ctx, left)
}

// checked is an item to be checked.
type checked struct {
	storedItem
	publisher cms.Actor       // who publishes it together with others; the service itself if nobody does
	changed   *cms.PlanChange // since it was planned; see unapproved
}

// checkEach checks items in their order.
func (s *Releases) checkEach(ctx context.Context, items []checked) ([]Problem, error) {
	made, refused := make([]*db.Tx, len(items)), make([]error, len(items))
	as, lookup := make([]context.Context, len(items)), rights.Lookup(s.Store.DB)
	var g errgroup.Group
	g.SetLimit(checkWorkers)
	leaving := leavers{}
	for _, item := range items {
		leaving[item.ID] = leaving[item.ID] || item.Action == ActionUnpublish
	}
	for i, item := range items {
		if item.changed != nil {
			refused[i] = errChanged
			continue
		}
		if as[i], refused[i] = lookup(ctx, item.By, item.publisher); refused[i] != nil {
			g.Go(func() error { return unlessRefused(refused[i]) })
			continue
		}
		g.Go(func() error {
			made[i], refused[i] = s.rehearse(as[i], item.storedItem, leaving)
			return unlessRefused(refused[i])
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	problems := []Problem{}
	rehearsal := s.Store.Rehearse()
	if err := rehearsal.Read(ctx, made...); err != nil {
		return nil, err
	}
	for i, item := range items {
		err := refused[i]
		if err == nil && made[i] != nil {
			err = editing.Refusal(rehearsal.Commit(as[i], made[i]))
		}
		if errors.Is(err, db.ErrOvertaken) { // for example by a merge of texts; later items need the result of this one
			made[i], err = s.rehearse(as[i], item.storedItem, leaving)
			if failure := unlessRefused(err); failure != nil {
				return nil, failure
			}
			if err == nil && made[i] != nil {
				err = editing.Refusal(rehearsal.Commit(as[i], made[i]))
			}
		}
		var e *cms.Error
		switch {
		case errors.As(err, &e):
			problem := newProblem(item.ReleaseItem, e)
			problem.Changed = item.changed
			problems = append(problems, problem)
		case err != nil && !errors.Is(err, db.ErrOvertaken): // publishing finds out what changed meanwhile
			return nil, err
		}
	}
	return problems, nil
}

// unlessRefused returns err unless it refuses the item, that is, unless it is a problem of the
// release.
func unlessRefused(err error) error {
	var e *cms.Error
	if err == nil || errors.As(err, &e) && e.Code != cms.CodeUnavailable && e.Code != cms.CodeInternal {
		return nil
	}
	return err
}

// leavers are the ids of the entries that items of a release unpublish.
type leavers map[string]bool

func (r *release) leaversOf(items []storedItem) leavers {
	l := leavers{}
	for i, item := range items {
		if item.Action == ActionUnpublish && !r.isDone(i) {
			l[item.ID] = true
		}
	}
	return l
}

// takeAll reports whether all entries that hold another one leave too, wherever their items stand.
func (l leavers) takeAll(held *standing.Held) bool {
	return !held.Partly && !slices.ContainsFunc(held.Below, func(n *tree.Node) bool { return !l[n.ID] })
}

// rehearse returns the transaction of an item without committing it; nil if there is nothing to do. Entries
// below one that leaves do not hold it if other items, or its own children, take them away.
func (s *Releases) rehearse(ctx context.Context, item storedItem, leaving leavers) (made *db.Tx, err error) {
	entries := *s.Entries
	entries.Follow = func(_ context.Context, _ *site.Model, tx *db.Tx) error {
		made = tx
		return errRehearsed
	}
	err = Apply(ctx, &entries, item.By, item.Model, item.ID, item.Action, false)
	var held *standing.Held
	if errors.As(err, &held) {
		below := leavingOf(&entries, item.By, item.Model, item.ID, item.Children)
		switch {
		case leaving.takeAll(held):
			err = below.Change(standing.Free(ctx), &entries)
		case item.Children != "":
			if err = below.Permit(ctx, held); err == nil {
				err = below.Change(standing.Free(ctx), &entries)
			}
		}
	}
	if errors.Is(err, errRehearsed) || errors.Is(err, ErrNothingToDo) {
		err = nil
	}
	return made, err
}
