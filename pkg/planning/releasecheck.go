package planning

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/editing/moving"
	"headless/pkg/editing/standing"
	"headless/pkg/planning/rehearsal"
	"headless/pkg/rights"
	"headless/pkg/slice"
)

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
	return s.checkEach(ctx, r.left(items, marks))
}

// left returns the items of a release that are still to be published.
func (r *release) left(items []storedItem, marks changedItems) (left []checked) {
	for i, item := range items {
		if !r.isDone(i) {
			left = append(left, checked{storedItem: item, release: r.ID, publisher: r.By, changed: marks.markOf(item)})
		}
	}
	return left
}

// checked is an item to be checked.
type checked struct {
	storedItem
	release   string          // id; "" for a step of a plan
	publisher cms.Actor       // who publishes it together with others; the service itself if nobody does
	changed   *cms.PlanChange // since it was planned; see markUnapproved
	along     bool            // no item of its own: the item before takes it along
}

// withTakenAlong adds to items the entries that an unpublication takes along and that a later item publishes again.
func (s *Releases) withTakenAlong(ctx context.Context, items []checked) ([]checked, error) {
	takes := func(b checked) bool { return b.Action == ActionUnpublish && b.Children == moving.Down }
	if !slices.ContainsFunc(items, takes) {
		return items, nil
	}
	known := content.Above{}
	if err := s.Store.AddAbove(ctx, known, slice.Map(items, func(b checked) string { return b.ID })...); err != nil {
		return nil, err
	}
	var all []checked
	for i, item := range items {
		all = append(all, item)
		for _, b := range items[i+1:] {
			if takes(item) && b.Action == ActionPublish && slices.Contains(known.Chain(b.ID), item.ID) {
				below := item
				below.ID, below.along = b.ID, true
				all = append(all, below)
			}
		}
	}
	return all, nil
}

// checkEach checks items in their order.
func (s *Releases) checkEach(ctx context.Context, items []checked) ([]Problem, error) {
	items, err := s.withTakenAlong(ctx, items)
	if err != nil {
		return nil, err
	}
	as, refused, lookup := make([]context.Context, len(items)), make([]error, len(items)), rights.Lookup(s.Store.DB)
	for i, item := range items {
		after := standing.Published(ctx, func(id string) bool {
			return slices.ContainsFunc(items[:i], func(b checked) bool { return b.ID == id && b.Action == ActionPublish })
		})
		if refused[i] = errChanged; item.changed == nil {
			as[i], refused[i] = lookup(after, item.By, item.publisher)
		}
	}
	refused, err = rehearsal.Outcomes(ctx, s.Store, as, func(i int, on *content.Store) (*db.Tx, error) {
		if refused[i] != nil {
			return nil, refused[i]
		}
		if on == s.Store && slices.ContainsFunc(items[:i], func(b checked) bool { return b.ID == items[i].ID }) {
			return nil, db.ErrOvertaken // by another step for the same entry
		}
		return s.rehearse(as[i], on, items[i].storedItem, func() rehearsal.Leavers { return leaversBeside(items, i) })
	})
	problems := []Problem{}
	for i, err := range refused {
		if e, ok := errors.AsType[*cms.Error](err); ok && !items[i].along {
			problem := newProblem(items[i].ReleaseItem, e)
			problem.Changed = items[i].changed
			problems = append(problems, problem)
		}
	}
	return problems, err
}

// leaversBeside returns the entries that leave with or before an item: those of its release and of the steps before.
func leaversBeside(items []checked, i int) rehearsal.Leavers {
	l := rehearsal.Leavers{}
	for j, item := range items {
		switch {
		case j >= i && (item.release == "" || item.release != items[i].release):
		case item.Action == ActionUnpublish:
			l[item.ID] = item.Children
		case j < i:
			delete(l, item.ID)
		}
	}
	return l
}

// rehearse is rehearsal.Try for an item of a release. Entries below one that leaves do not hold it if other items, or
// its own children, take them away.
func (s *Releases) rehearse(ctx context.Context, on *content.Store, item storedItem,
	leaving func() rehearsal.Leavers) (*db.Tx, error) {
	made, err := rehearsal.Try(s.Entries, on, func(entries *editing.Entries) error {
		return Apply(ctx, entries, item.By, item.Model, item.ID, item.Action, false)
	})
	if _, held := errors.AsType[*standing.Held](err); !held {
		return made, err
	}
	below := leavingOf(s.Entries, item.By, item.Model, item.ID, item.Children)
	var failed error
	below.Children, failed = leaving().Below(ctx, s.Store, err, item.Children)
	held, ok := below.Held(err)
	if !ok || failed != nil {
		return nil, cmp.Or(failed, err)
	}
	if err := below.Permit(ctx, held); err != nil {
		return nil, err
	}
	return rehearsal.Try(s.Entries, on, func(entries *editing.Entries) error {
		return below.Change(standing.Free(ctx), entries)
	})
}
