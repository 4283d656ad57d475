package planning

import (
	"context"
	"errors"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/editing/standing"
	"headless/pkg/planning/rehearsal"
	"headless/pkg/rights"
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
	as, refused, lookup := make([]context.Context, len(items)), make([]error, len(items)), rights.Lookup(s.Store.DB)
	leaving := rehearsal.Leavers{}
	for i, item := range items {
		leaving[item.ID] = leaving[item.ID] || item.Action == ActionUnpublish
		after := standing.Published(ctx, func(id string) bool {
			return slices.ContainsFunc(items[:i], func(b checked) bool { return b.ID == id && b.Action == ActionPublish })
		})
		if refused[i] = errChanged; item.changed == nil {
			as[i], refused[i] = lookup(after, item.By, item.publisher)
		}
	}
	refused, err := rehearsal.Outcomes(ctx, s.Store, as, func(i int, on *content.Store) (*db.Tx, error) {
		if refused[i] != nil {
			return nil, refused[i]
		}
		return s.rehearse(as[i], on, items[i].storedItem, leaving)
	})
	problems := []Problem{}
	for i, err := range refused {
		if e, ok := errors.AsType[*cms.Error](err); ok {
			problem := newProblem(items[i].ReleaseItem, e)
			problem.Changed = items[i].changed
			problems = append(problems, problem)
		}
	}
	return problems, err
}

func (r *release) leaversOf(items []storedItem) rehearsal.Leavers {
	l := rehearsal.Leavers{}
	for i, item := range items {
		if item.Action == ActionUnpublish && !r.isDone(i) {
			l[item.ID] = true
		}
	}
	return l
}

// rehearse is rehearsal.Try for an item of a release. Entries
// below one that leaves do not hold it if other items, or its own children, take them away.
func (s *Releases) rehearse(ctx context.Context, on *content.Store, item storedItem,
	leaving rehearsal.Leavers) (*db.Tx, error) {
	made, err := rehearsal.Try(s.Entries, on, func(entries *editing.Entries) error {
		return Apply(ctx, entries, item.By, item.Model, item.ID, item.Action, false)
	})
	var held *standing.Held
	if !errors.As(err, &held) {
		return made, err
	}
	below := leavingOf(s.Entries, item.By, item.Model, item.ID, item.Children)
	if !leaving.TakeAll(held) {
		if item.Children != "" {
			err = below.Permit(ctx, held)
		}
		if item.Children == "" || err != nil {
			return nil, err
		}
	}
	return rehearsal.Try(s.Entries, on, func(entries *editing.Entries) error {
		return below.Change(standing.Free(ctx), entries)
	})
}
