package planning

import (
	"context"
	"time"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/editing/moving"
	"headless/pkg/input"
	"headless/pkg/planning/mails"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Schedules has the use cases of plans: of changes of single entries (extensions §4).
type Schedules struct {
	Store   *content.Store
	Entries *editing.Entries

	Mails mails.Mails // to planners
}

// NewSchedules returns the use cases of plans. It also makes changes through entries update plans:
// publishing an entry removes its planned publication, and moving it to the trash deletes its plan.
func NewSchedules(entries *editing.Entries) *Schedules {
	s := &Schedules{Store: entries.Store, Entries: entries}
	entries.Follow, entries.Unapproved = s.followEntry, s.markUnapproved
	return s
}

// MaxAhead is how many years in advance a change can be planned.
const MaxAhead = 10

var errNoSchedule = cms.Errorf(cms.CodeNotFound, "Nothing is planned for this entry.")

// Get returns the plan of an entry. The model may be inactive. Errors: MODEL_NOT_FOUND,
// ENTRY_NOT_FOUND, and NOT_FOUND if nothing is planned.
func (s *Schedules) Get(ctx context.Context, model, id string) (*cms.Schedule, error) {
	v, err := s.readSubject(ctx, (*site.Site).Model, model, id)
	if err != nil {
		return nil, err
	}
	if schedule := v.plan.public(v.entry, v.draft); schedule != nil {
		return schedule, nil
	}
	return nil, errNoSchedule
}

// Of returns the plans of some entries of a model, in the order of entries; nil for an entry
// without a plan. 100 entries take one round trip.
func (s *Schedules) Of(ctx context.Context, m *site.Model, entries ...*cms.Entry) ([]*cms.Schedule, error) {
	keys := slice.Map(entries, func(e *cms.Entry) table.Key { return planKey(m.ID, e.ID) })
	items, err := s.Store.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	list := make([]*cms.Schedule, len(entries))
	for i, item := range items {
		if item == nil {
			continue
		}
		p, err := decodePlan(item)
		if err != nil {
			return nil, err
		}
		draft := &content.Draft{}
		if p.Error != nil { // rare
			if draft, err = s.Store.Draft(ctx, m, entries[i].ID); err != nil {
				return nil, err
			}
		}
		list[i] = p.public(entries[i], draft)
	}
	return list, nil
}

// Put replaces the plan of an entry. Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND, VALIDATION_FAILED.
func (s *Schedules) Put(ctx context.Context, actor cms.Actor, model, id string,
	body map[string]any) (*cms.Schedule, error) {
	var planned plan
	err := s.Store.Retry(ctx, func() error {
		v, err := s.readToChange(ctx, model, id)
		if err != nil {
			return err
		}
		tx := s.Store.Begin()
		if planned, err = decodeSchedule(body, tx.At()); err != nil {
			return err
		}
		planned.ModelID, planned.EntryID, planned.Locale, planned.By = v.m.ID, v.entry.ID, v.entry.Locale, planner(actor)
		content.RequireEntry(tx, v.m, v.entry.ID)
		replacePlan(tx, v.plan, planned)
		tx.Activity(actor, "entry.scheduled", editing.Subject(v.m, v.entry), v.entry.ID)
		return content.EntryNotFound(s.Store.Commit(ctx, tx))
	})
	return planned.public(nil, nil), err
}

// Delete deletes the plan of an entry. Errors: those of Get.
func (s *Schedules) Delete(ctx context.Context, actor cms.Actor, model, id string) error {
	return s.Store.Retry(ctx, func() error {
		v, err := s.readToChange(ctx, model, id)
		if err != nil {
			return err
		}
		if v.plan.public(v.entry, v.draft) == nil {
			return errNoSchedule
		}
		tx := s.Store.Begin()
		replacePlan(tx, v.plan, plan{})
		tx.Activity(actor, "entry.unscheduled", editing.Subject(v.m, v.entry), v.entry.ID)
		return s.Store.Commit(ctx, tx)
	})
}

// subject is an entry with its draft and its plan, which is empty if there is none.
type subject struct {
	m     *site.Model
	entry *cms.Entry
	draft *content.Draft
	plan  plan
}

func (s *Schedules) readSubject(ctx context.Context, find func(*site.Site, string) (*site.Model, error),
	model, id string) (v subject, err error) {
	if v.m, id, err = s.Entries.Locate(ctx, find, model, id); err != nil {
		return v, err
	}
	if v.entry, v.draft, err = s.Store.EntryAndDraft(ctx, v.m, id); err != nil {
		return v, content.EntryNotFound(err)
	}
	v.plan, err = s.readPlan(ctx, v.m.ID, id)
	return v, err
}

// readToChange is readSubject for a change of the plan: FORBIDDEN unless the caller may save and publish the entry.
func (s *Schedules) readToChange(ctx context.Context, model, id string) (subject, error) {
	v, err := s.readSubject(ctx, (*site.Site).ActiveModel, model, id)
	if err == nil {
		err = MayPlan(ctx, v.m, v.entry)
	}
	return v, err
}

// MayPlan returns FORBIDDEN unless the caller may save and publish the entry.
func MayPlan(ctx context.Context, m *site.Model, e *cms.Entry) error {
	p := cms.PermissionsOf(ctx)
	if err := p.Check(cms.ActionWrite, m.Slug, e.Locale, "entry"); err != nil {
		return err
	}
	return p.Check(cms.ActionPublish, m.Slug, e.Locale, "entry")
}

// decodeSchedule returns the plan of a body. now is the time of the request.
func decodeSchedule(body map[string]any, now cms.Time) (plan, error) {
	var p plan
	problems := cms.Problems{}
	for key, v := range body {
		switch key {
		case "publish_at":
			p.PublishAt = input.FutureTime(problems, key, v, now, MaxAhead)
		case "unpublish_at":
			p.UnpublishAt = input.FutureTime(problems, key, v, now, MaxAhead)
		case "children":
			p.Children = moving.Decode(problems, key, v)
		case "error", "changed", "schedule": // read only
		default:
			problems.Add(key, "is not a known key")
		}
	}
	if len(problems) == 0 && p.PublishAt.IsZero() && p.UnpublishAt.IsZero() {
		problems.Add("publish_at", "is required unless unpublish_at is set")
	}
	if p.Children != "" && p.UnpublishAt.IsZero() && len(problems) == 0 {
		problems.Add("children", "is only for unpublish_at")
	}
	if !p.PublishAt.IsZero() && !p.UnpublishAt.IsZero() && !p.UnpublishAt.After(p.PublishAt.Time) {
		problems.Add("unpublish_at", "must be after publish_at")
	}
	return p, problems.Err()
}

// tooLate is the maximum delay of a planned change, for example after an outage. A later one fails.
const tooLate = 24 * time.Hour
