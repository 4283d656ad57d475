package planning

import (
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/editing/moving"
	"headless/pkg/planning/mails"
	"headless/pkg/planning/rehearsal"
	"headless/pkg/rights"
	"headless/pkg/site"
)

// Fire makes the planned changes of an entry that are due. It is the handler of timers of the kind
// KindSchedule.
func (s *Schedules) Fire(ctx context.Context, ref string) (nextRun cms.Time, err error) {
	modelID, id, ok := parsePlanRef(ref)
	if !ok {
		return cms.Time{}, nil
	}
	for {
		p, err := s.readPlan(ctx, modelID, id)
		if err != nil {
			return cms.Time{}, err
		}
		action, at := p.nextAction()
		if action == "" || at.After(s.Store.Now().Time) {
			return cms.Time{}, nil
		}
		if err := s.make(ctx, p, action, at); err != nil && !errors.Is(err, errPlanChanged) {
			return cms.Time{}, err
		}
	}
}

// errPlanChanged says that the plan was changed while one of its changes was being made.
var errPlanChanged = errors.New("planning: the plan has changed")

// make makes one planned change, or records why it is impossible. An error means that the change
// must be retried.
func (s *Schedules) make(ctx context.Context, p plan, action string, at cms.Time) error {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return err
	}
	m := site.ModelByID(p.ModelID)
	if m == nil {
		return s.savePlan(ctx, p, plan{ModelID: p.ModelID, EntryID: p.EntryID})
	}
	if s.Store.Now().Sub(at.Time) > tooLate {
		return s.fail(ctx, m, p, action,
			cms.Errorf(cms.CodeUnavailable,
				"The service did not run at that time, and more than 24 hours have passed."))
	}
	err = s.changeEntry(ctx, m, p, action, at)
	var refused *cms.Error
	switch {
	case errors.Is(err, rehearsal.ErrNothingToDo):
		return s.savePlan(ctx, p, p.withoutAction(action))
	case !errors.As(err, &refused):
		return err
	case refused.Code == cms.CodeEntryNotFound:
		return s.savePlan(ctx, p, plan{ModelID: p.ModelID, EntryID: p.EntryID})
	case refused.Code == cms.CodeUnavailable, refused.Code == cms.CodeInternal:
		return err
	}
	return s.fail(ctx, m, p, action, refused)
}

// changeEntry publishes or unpublishes the entry and removes the action from its plan, in one
// transaction.
func (s *Schedules) changeEntry(ctx context.Context, m *site.Model, p plan, action string, at cms.Time) error {
	entries := *s.Entries
	entries.Follow = func(ctx context.Context, m *site.Model, tx *db.Tx) error {
		current, err := s.readPlan(ctx, p.ModelID, p.EntryID)
		if err != nil {
			return err
		}
		if next, due := current.nextAction(); next != action || !due.Equal(at.Time) {
			return errPlanChanged
		}
		if action == ActionPublish && current.Changed != nil {
			return errChanged
		}
		now := current.withoutAction(action)
		now.Error = nil
		replacePlan(tx, current, now)
		return nil
	}
	ctx, err := rights.As(ctx, s.Store.DB, p.By)
	if err != nil {
		return err
	}
	below := leavingOf(s.Entries, p.By, m.Slug, p.EntryID, p.Children)
	for range maxClears {
		err = Apply(ctx, &entries, p.By, m.Slug, p.EntryID, action, false)
		held, ok := below.Held(err)
		if !ok {
			return err
		}
		if err = below.Clear(ctx, held, moving.AtOnce); err != nil {
			return err
		}
	}
	return err
}

// maxClears is how often a plan changes entries below its own before it gives up.
const maxClears = 500

// leavingOf returns the unpublication of an entry with what it says about those below.
func leavingOf(entries *editing.Entries, actor cms.Actor, model, id, children string) moving.Leaving {
	unpublish := func(ctx context.Context, entries *editing.Entries, id string) error {
		return Apply(ctx, entries, actor, model, id, ActionUnpublish, false)
	}
	return moving.Leaving{Entries: entries, Actor: actor, Children: children, Needs: cms.ActionWrite,
		Change: func(ctx context.Context, entries *editing.Entries) error { return unpublish(ctx, entries, id) },
		Out: func(ctx context.Context, entries *editing.Entries, id string) error {
			if err := unpublish(ctx, entries, id); !errors.Is(err, rehearsal.ErrNothingToDo) {
				return err
			}
			return nil
		}}
}

// Joining returns entries that call more, after Follow, for the transaction of each change; again for each try.
func Joining(entries *editing.Entries, more func(*site.Model, *db.Tx) error) *editing.Entries {
	joined := *entries
	joined.Follow = func(ctx context.Context, m *site.Model, tx *db.Tx) error {
		if entries.Follow != nil {
			if err := entries.Follow(ctx, m, tx); err != nil {
				return err
			}
		}
		return more(m, tx)
	}
	return &joined
}

// Apply publishes or unpublishes an entry. It returns rehearsal.ErrNothingToDo for unpublishing an entry that
// is not published.
func Apply(ctx context.Context, entries *editing.Entries, actor cms.Actor, model, id, action string,
	force bool) error {
	if action == ActionPublish {
		_, err := entries.Publish(ctx, actor, model, id, editing.PublishOptions{Force: force}, nil)
		return err
	}
	_, err := entries.Unpublish(ctx, actor, model, id, func(e *cms.Entry) error {
		if e.Status != cms.StatusPublished {
			return rehearsal.ErrNothingToDo
		}
		return nil
	})
	return err
}

// savePlan replaces a plan without a change of its entry.
func (s *Schedules) savePlan(ctx context.Context, was, now plan) error {
	tx := s.Store.Begin()
	replacePlan(tx, was, now)
	return planChanged(s.Store.Commit(ctx, tx))
}

// fail records why a planned change was not made: in the plan, in the activity log, as an
// event, and in a mail to who planned it.
func (s *Schedules) fail(ctx context.Context, m *site.Model, p plan, action string,
	refused *cms.Error) error {
	e, draft, err := s.Store.EntryAndDraft(ctx, m, p.EntryID)
	if errors.Is(err, db.ErrNotFound) {
		return s.savePlan(ctx, p, plan{ModelID: p.ModelID, EntryID: p.EntryID})
	}
	if err == nil {
		err = s.Store.SetAboveOf(ctx, e)
	}
	if err != nil {
		return err
	}
	tx := s.Store.Begin()
	now := p.withoutAction(action)
	now.Error = &planError{cms.ScheduleError{Code: refused.Code, Message: refused.Describe(),
		At: tx.At()}, e.Version, draft.Number}
	replacePlan(tx, p, now)
	tx.EntryEvent(p.By, cms.EventEntryScheduleFailed, m.Slug, cms.ScheduleFailedData{
		EntryEventData: editing.EventData(m, e), Action: action, Code: string(refused.Code),
		Message: now.Error.Message,
	}, e.Version, db.NoNewVersion)
	tx.Activity(p.By, cms.EventEntryScheduleFailed, editing.Subject(m, e), e.ID)
	first := cms.Phrased("This was to be published at its time, but was not. Look at it and plan it again.")
	if action == ActionUnpublish {
		first = cms.Phrased("This was to be unpublished at its time, but was not. Look at it and plan it again.")
	}
	problem := newProblem(ReleaseItem{Model: m.Slug, ID: e.ID}, refused)
	if err := s.Mails.Failed(ctx, tx, p.By, cms.Phrased("A planned change failed"), first,
		[]mails.Failure{problem.mailed()}); err != nil {
		return err
	}
	return planChanged(s.Store.Commit(ctx, tx))
}

// planChanged turns db.ErrOvertaken into errPlanChanged, after which Fire reads the plan again.
func planChanged(err error) error {
	if errors.Is(err, db.ErrOvertaken) {
		return errPlanChanged
	}
	return err
}
