package planning

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content"
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
	as, refused, lookup := make([]context.Context, len(items)), make([]error, len(items)), rights.Lookup(s.Store.DB)
	leaving := Leavers{}
	for i, item := range items {
		leaving[item.ID] = leaving[item.ID] || item.Action == ActionUnpublish
		if refused[i] = errChanged; item.changed == nil {
			as[i], refused[i] = lookup(ctx, item.By, item.publisher)
		}
	}
	refused, err := Outcomes(ctx, s.Store, as, func(i int) (*db.Tx, error) {
		if refused[i] != nil {
			return nil, refused[i]
		}
		return s.rehearse(as[i], items[i].storedItem, leaving)
	})
	problems := []Problem{}
	for i, err := range refused {
		var e *cms.Error
		if errors.As(err, &e) {
			problem := newProblem(items[i].ReleaseItem, e)
			problem.Changed = items[i].changed
			problems = append(problems, problem)
		}
	}
	return problems, err
}

// Outcomes says of each of several changes why it would be refused after those before it; nil if it would be made.
// try returns the transaction of a change as Rehearse does. It is called concurrently.
func Outcomes(ctx context.Context, s *content.Store, as []context.Context,
	try func(i int) (*db.Tx, error)) ([]error, error) {
	made, refused := make([]*db.Tx, len(as)), make([]error, len(as))
	var g errgroup.Group
	g.SetLimit(checkWorkers)
	for i := range as {
		g.Go(func() error {
			made[i], refused[i] = try(i)
			return unlessRefused(refused[i])
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	rehearsal := s.Rehearse()
	if err := rehearsal.Read(ctx, made...); err != nil {
		return nil, err
	}
	for i, as := range as {
		commit := func() {
			if refused[i] == nil && made[i] != nil {
				refused[i] = editing.Refusal(rehearsal.Commit(as, made[i]))
			}
		}
		if commit(); errors.Is(refused[i], db.ErrOvertaken) { // for example by a merge of texts; the next need its result
			made[i], refused[i] = try(i)
			commit()
		}
		if errors.Is(refused[i], db.ErrOvertaken) {
			refused[i] = nil // the change finds out what changed meanwhile
		}
		if err := unlessRefused(refused[i]); err != nil {
			return nil, err
		}
	}
	return refused, nil
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

// Leavers are the ids of the entries that leave the public together.
type Leavers map[string]bool

func (r *release) leaversOf(items []storedItem) Leavers {
	l := Leavers{}
	for i, item := range items {
		if item.Action == ActionUnpublish && !r.isDone(i) {
			l[item.ID] = true
		}
	}
	return l
}

// TakeAll reports whether all entries that hold another one leave too.
func (l Leavers) TakeAll(held *standing.Held) bool {
	return !held.Partly && !slices.ContainsFunc(held.Below, func(n *tree.Node) bool { return !l[n.ID] })
}

// Rehearse returns the transaction of a change without committing it; nil if there is nothing to do.
func Rehearse(entries *editing.Entries, change func(*editing.Entries) error) (made *db.Tx, err error) {
	tried := *entries
	tried.Follow = func(_ context.Context, _ *site.Model, tx *db.Tx) error {
		made = tx
		return errRehearsed
	}
	if err = change(&tried); errors.Is(err, errRehearsed) || errors.Is(err, ErrNothingToDo) {
		err = nil
	}
	return made, err
}

// rehearse is Rehearse for an item of a release. Entries
// below one that leaves do not hold it if other items, or its own children, take them away.
func (s *Releases) rehearse(ctx context.Context, item storedItem, leaving Leavers) (*db.Tx, error) {
	made, err := Rehearse(s.Entries, func(entries *editing.Entries) error {
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
	return Rehearse(s.Entries, func(entries *editing.Entries) error { return below.Change(standing.Free(ctx), entries) })
}
