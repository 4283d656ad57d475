package planning

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/table"
)

// stepReaders is how many releases StepsUntil reads concurrently.
const stepReaders = 16

// Step is a planned action on an entry.
type Step struct {
	ModelID, ID string
	Locale      string // of the entry when it was planned, "" if that is not known
	Action      string // ActionPublish or ActionUnpublish
	At          cms.Time
	After       time.Duration // at least, after At: a release publishes its items one after another
	Own         bool          // of the entry's own plan: another publication drops it
	// Below says that the step follows from the children of another one. Up is where an entry stands then that
	// moves; nil for one that is unpublished.
	Below bool
	Up    *cms.Spot

	item    storedItem // of StepsOf, for CheckSteps; of Own ones with the children alone
	release *release   // of StepsOf
}

// Children says what an unpublication does with the entries below; see package moving.
func (s Step) Children() string { return s.item.Children }

// StepsOf lists what publishing a release would still do, in order. A release without a time is
// published at now. There are no steps if the release is deleted or published.
func (s *Releases) StepsOf(ctx context.Context, in *site.Site, id string, now cms.Time) ([]Step, error) {
	r, items, err := s.readRelease(ctx, id)
	if errors.Is(err, errNoRelease) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !r.PublishAt.IsZero() {
		now = r.PublishAt
	}
	return stepsOf(in, r, items, now), nil
}

func stepsOf(in *site.Site, r *release, items []storedItem, at cms.Time) (steps []Step) {
	if r.Status == ReleasePublished {
		return nil
	}
	for i, item := range items {
		if m := in.Models[item.Model]; m != nil && !r.isDone(i) {
			steps = append(steps, Step{ModelID: m.ID, ID: item.ID, Locale: item.Locale, Action: item.Action, At: at,
				After: time.Duration(len(steps)) * time.Millisecond, item: item, release: r})
		}
	}
	return steps
}

// StepsUntil lists what is planned up to a time, that time included, in order. It lists a step more
// than limit at most, and the items of a release together. It takes one round trip, and another one if there are
// releases that were not there before in this process, or plans that are overdue or from a version without notes of
// timers.
func (s *Releases) StepsUntil(ctx context.Context, in *site.Site, until time.Time,
	limit int) (steps []Step, err error) {
	guessed := s.readGuessed(ctx)
	timers, err := s.Store.TimersBetween(ctx, time.Time{}, until.Add(time.Microsecond), limit+1)
	known := guessed()
	if err != nil {
		return nil, err
	}
	guess(timers)
	var keys []table.Key
	var plans map[table.Key]plan
	ofTimers := make([][]Step, len(timers))
	g, reading := errgroup.WithContext(ctx)
	g.SetLimit(stepReaders)
	for i, t := range timers {
		switch modelID, id, ok := parsePlanRef(t.Ref); {
		case t.Kind == KindRelease:
			g.Go(func() (err error) { ofTimers[i], err = s.stepsAt(reading, in, t, known[t.Ref]); return err })
		case t.Kind != KindSchedule || !ok || in.ModelByID(modelID) == nil:
		case t.Note != "" && t.At.After(s.Store.Now().Time):
			p, action := planNoted(t.Note)
			ofTimers[i] = []Step{ownStep(in.ModelByID(modelID), id, action, t.At, p)}
		default:
			keys = append(keys, planKey(modelID, id))
		}
	}
	g.Go(func() (err error) { plans, err = s.plans(reading, keys); return err })
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for i, t := range timers {
		modelID, id, _ := parsePlanRef(t.Ref)
		if p, ok := plans[planKey(modelID, id)]; ok && ofTimers[i] == nil {
			for action, at := range map[string]cms.Time{ActionPublish: p.PublishAt, ActionUnpublish: p.UnpublishAt} {
				if !at.IsZero() && at.Equal(t.At.Time) {
					ofTimers[i] = append(ofTimers[i], ownStep(in.ModelByID(modelID), id, action, t.At, p))
				}
			}
		}
		if steps = append(steps, ofTimers[i]...); len(steps) > limit {
			break
		}
	}
	return steps, nil
}

// ownStep is the step of a plan.
func ownStep(m *site.Model, id, action string, at cms.Time, p plan) Step {
	return Step{ModelID: m.ID, ID: id, Locale: p.Locale, Action: action, At: at, Own: true,
		item: storedItem{ReleaseItem: ReleaseItem{Children: p.Children}}}
}

// readRelease is a release with its items as they were read.
type readRelease struct {
	release *release
	items   []storedItem
	err     error
}

// lastReleases are the ids of the releases that StepsUntil found last in this process. They are only a guess, so that
// releases are read together with the timers that name them.
var lastReleases atomic.Pointer[[]string]

func guess(timers []db.Timer) {
	var ids []string
	for _, t := range timers {
		if t.Kind == KindRelease && len(ids) < stepReaders && !slices.Contains(ids, t.Ref) {
			ids = append(ids, t.Ref)
		}
	}
	lastReleases.Store(&ids)
}

// readGuessed starts to read the guessed releases.
func (s *Releases) readGuessed(ctx context.Context) (wait func() map[string]*readRelease) {
	known := map[string]*readRelease{}
	var g sync.WaitGroup
	if ids := lastReleases.Load(); ids != nil {
		for _, id := range *ids {
			r := &readRelease{}
			known[id] = r
			g.Go(func() { r.release, r.items, r.err = s.readRelease(ctx, id) })
		}
	}
	return func() map[string]*readRelease { g.Wait(); return known }
}

// stepsAt lists the steps of the release of a timer. known is nil unless it was read.
func (s *Releases) stepsAt(ctx context.Context, in *site.Site, t db.Timer, known *readRelease) ([]Step, error) {
	if known == nil {
		known = &readRelease{}
		known.release, known.items, known.err = s.readRelease(ctx, t.Ref)
	}
	r, err := known.release, known.err
	if errors.Is(err, errNoRelease) || err == nil && !r.PublishAt.Equal(t.At.Time) && r.Status != ReleasePublishing {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return stepsOf(in, r, known.items, t.At), nil
}

// plans reads plans by their keys in one round trip.
func (s *Releases) plans(ctx context.Context, keys []table.Key) (map[table.Key]plan, error) {
	found, distinct := map[table.Key]plan{}, keys[:0]
	for _, key := range keys { // an entry may have two timers
		if _, known := found[key]; !known {
			found[key], distinct = plan{}, append(distinct, key)
		}
	}
	if len(distinct) == 0 {
		return found, nil
	}
	items, err := s.Store.Table.Get(ctx, table.Strong, distinct...)
	for i, item := range items {
		if item != nil && err == nil {
			found[distinct[i]], err = decodePlan(item)
		}
	}
	return found, err
}

// CheckSteps lists everything that would prevent steps from being made, as Check does for a release.
// Those of plans are checked by the rights of who planned them, others by those of the actor.
func (s *Releases) CheckSteps(ctx context.Context, actor cms.Actor, steps []Step) ([]Problem, error) {
	now, err := s.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	var keys []table.Key
	for _, step := range steps {
		if step.Own {
			keys = append(keys, planKey(step.ModelID, step.ID))
		}
	}
	plans, err := s.plans(ctx, keys)
	if err != nil {
		return nil, err
	}
	marks := map[string]changedItems{} // by the id of the release
	var items []checked
	for _, step := range steps {
		m, item := now.ModelByID(step.ModelID), checked{storedItem: step.item}
		if item.ID == "" && m != nil {
			item.ReleaseItem = ReleaseItem{Model: m.Slug, ID: step.ID, Action: step.Action, Children: item.Children}
			item.By = actor
		}
		if step.Own {
			p := plans[planKey(step.ModelID, step.ID)]
			if p.version == 0 {
				continue // withdrawn meanwhile
			}
			if item.By = p.By; step.Action == ActionPublish {
				item.changed = p.Changed
			}
		}
		if r := step.release; r != nil {
			if marks[r.ID] == nil {
				if marks[r.ID], err = s.changedItems(ctx, r.ID); err != nil {
					return nil, err
				}
			}
			item.release, item.publisher, item.changed = r.ID, r.publisher(actor), marks[r.ID].markOf(item.storedItem)
		}
		items = append(items, item)
	}
	return s.checkEach(ctx, items)
}
