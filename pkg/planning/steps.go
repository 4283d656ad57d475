package planning

import (
	"context"
	"errors"
	"time"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// Step is a planned action on an entry.
type Step struct {
	ModelID, ID string
	Action      string // ActionPublish or ActionUnpublish
	At          cms.Time
	Own         bool // of the entry's own plan: another publication drops it
	// Below says that the step follows from the children of another one. Up is the new parent then of an entry
	// that moves; nil for one that is unpublished.
	Below bool
	Up    *string

	item storedItem // of StepsOf and StepsUntil, for CheckSteps
}

// Children says what an unpublication does with the entries below; see package moving.
func (s Step) Children() string { return s.item.Children }

// StepsOf lists what publishing a release would still do, in order. A release without a time is
// published at now. There are no steps if the release is deleted or published.
func (s *Releases) StepsOf(ctx context.Context, id string, now cms.Time) ([]Step, error) {
	r, items, err := s.read(ctx, id)
	if errors.Is(err, errNoRelease) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !r.PublishAt.IsZero() {
		now = r.PublishAt
	}
	return s.stepsOf(ctx, r, items, now)
}

func (s *Releases) stepsOf(ctx context.Context, r *release, items []storedItem, at cms.Time) ([]Step, error) {
	if r.Status == ReleasePublished {
		return nil, nil
	}
	site, err := s.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	var steps []Step
	for i, item := range items {
		if m := site.Models[item.Model]; m != nil && !r.isDone(i) {
			steps = append(steps, Step{ModelID: m.ID, ID: item.ID, Action: item.Action, At: at, item: item})
		}
	}
	return steps, nil
}

// StepsUntil lists what is planned up to a time, that time included, in order. It lists a step more
// than limit at most, and the items of a release together.
func (s *Releases) StepsUntil(ctx context.Context, until time.Time, limit int) ([]Step, error) {
	timers, err := s.Store.TimersBetween(ctx, time.Time{}, until.Add(time.Microsecond), limit+1)
	if err != nil {
		return nil, err
	}
	var keys []table.Key
	for _, t := range timers {
		if modelID, id, ok := parsePlanRef(t.Ref); t.Kind == KindSchedule && ok {
			keys = append(keys, planKey(modelID, id))
		}
	}
	plans, err := s.plans(ctx, keys)
	if err != nil {
		return nil, err
	}
	site, err := s.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	var steps []Step
	for _, t := range timers {
		switch t.Kind {
		case KindSchedule:
			modelID, id, _ := parsePlanRef(t.Ref)
			p := plans[planKey(modelID, id)]
			m := site.ModelByID(modelID)
			for action, at := range map[string]cms.Time{ActionPublish: p.PublishAt, ActionUnpublish: p.UnpublishAt} {
				if m != nil && !at.IsZero() && at.Equal(t.At.Time) {
					steps = append(steps, Step{ModelID: modelID, ID: id, Action: action, At: t.At, Own: true,
						item: storedItem{ReleaseItem: ReleaseItem{m.Slug, id, action, p.Children}, By: p.By}})
				}
			}
		case KindRelease:
			r, items, err := s.read(ctx, t.Ref)
			if errors.Is(err, errNoRelease) || err == nil && !r.PublishAt.Equal(t.At.Time) &&
				r.Status != ReleasePublishing {
				continue
			}
			if err != nil {
				return nil, err
			}
			more, err := s.stepsOf(ctx, r, items, t.At)
			if err != nil {
				return nil, err
			}
			steps = append(steps, more...)
		}
		if len(steps) > limit {
			break
		}
	}
	return steps, nil
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
// The steps of one's own are checked by the rights of the actor, those of plans by those of who
// planned them.
func (s *Releases) CheckSteps(ctx context.Context, actor cms.Actor, steps []Step) ([]Problem, error) {
	items := make([]storedItem, len(steps))
	for i, step := range steps {
		if items[i] = step.item; items[i].ID == "" {
			site, err := s.Store.Site(ctx)
			if err != nil {
				return nil, err
			}
			if m := site.ModelByID(step.ModelID); m != nil {
				items[i] = storedItem{ReleaseItem: ReleaseItem{Model: m.Slug, ID: step.ID, Action: step.Action}, By: actor}
			}
		}
	}
	return s.check(ctx, &release{By: actor}, items)
}
