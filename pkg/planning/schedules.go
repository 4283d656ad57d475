package planning

import (
	"context"
	"errors"
	"time"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/input"
	"headless/pkg/site"
	"headless/pkg/table"
)

// Schedules are the plans of single entries (extensions §4).
type Schedules struct {
	Store   *content.Store
	Entries *editing.Entries
}

// NewSchedules makes the use cases around plans, and lets plans follow what is done by hand through
// the same entries: publishing drops what was to be published, and the trash drops all.
func NewSchedules(entries *editing.Entries) *Schedules {
	s := &Schedules{Store: entries.Store, Entries: entries}
	entries.Follow = s.follow
	return s
}

// MaxAhead is how many years ahead something can be planned.
const MaxAhead = 10

var errNoSchedule = cms.Errorf(cms.CodeNotFound, "Nothing is planned for this entry.")

// Get is what is planned for an entry, also where its model is inactive. Errors: MODEL_NOT_FOUND,
// ENTRY_NOT_FOUND, NOT_FOUND where nothing is.
func (s *Schedules) Get(ctx context.Context, model, id string) (*cms.Schedule, error) {
	m, id, err := s.target(ctx, editing.AnyModel, model, id)
	if err != nil {
		return nil, err
	}
	e, draft, err := s.entry(ctx, m, id)
	if err != nil {
		return nil, err
	}
	p, err := s.read(ctx, m.ID, id)
	if err != nil {
		return nil, err
	}
	if shown := p.shown(e, draft); shown != nil {
		return shown, nil
	}
	return nil, errNoSchedule
}

// Of is what is planned for each of some entries of a model, in their order; nil where nothing is.
// One round trip for 100 entries.
func (s *Schedules) Of(ctx context.Context, m *site.Model, entries ...*cms.Entry) ([]*cms.Schedule, error) {
	keys := make([]table.Key, len(entries))
	for i, e := range entries {
		keys[i] = planKey(m.ID, e.ID)
	}
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
		if p.Error != nil { // few fail
			if draft, err = s.Store.Draft(ctx, m, entries[i].ID); err != nil {
				return nil, err
			}
		}
		list[i] = p.shown(entries[i], draft)
	}
	return list, nil
}

// Put replaces what is planned for an entry. Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND,
// VALIDATION_FAILED.
func (s *Schedules) Put(ctx context.Context, actor cms.Actor, model, id string,
	body map[string]any) (*cms.Schedule, error) {
	var planned plan
	err := s.Store.Retry(ctx, func() error {
		m, id, err := s.target(ctx, editing.Model, model, id)
		if err != nil {
			return err
		}
		e, _, err := s.entry(ctx, m, id)
		if err != nil {
			return err
		}
		if err := mayPlan(ctx, m, e); err != nil {
			return err
		}
		was, err := s.read(ctx, m.ID, id)
		if err != nil {
			return err
		}
		tx := s.Store.Begin()
		if planned, err = decodeSchedule(body, tx.At()); err != nil {
			return err
		}
		planned.ModelID, planned.EntryID, planned.Actor = m.ID, id, actor.Name
		content.RequireEntry(tx, m, id)
		replace(tx, was, planned)
		tx.Activity(actor, "entry.scheduled", subject(m, e), e.ID)
		return found(s.Store.Commit(ctx, tx))
	})
	return planned.shown(nil, nil), err
}

// Delete drops what is planned for an entry. Errors: those of Get.
func (s *Schedules) Delete(ctx context.Context, actor cms.Actor, model, id string) error {
	return s.Store.Retry(ctx, func() error {
		m, id, err := s.target(ctx, editing.Model, model, id)
		if err != nil {
			return err
		}
		e, draft, err := s.entry(ctx, m, id)
		if err != nil {
			return err
		}
		if err := mayPlan(ctx, m, e); err != nil {
			return err
		}
		was, err := s.read(ctx, m.ID, id)
		if err != nil {
			return err
		}
		if was.shown(e, draft) == nil {
			return errNoSchedule
		}
		tx := s.Store.Begin()
		replace(tx, was, plan{})
		tx.Activity(actor, "entry.unscheduled", subject(m, e), e.ID)
		return s.Store.Commit(ctx, tx)
	})
}

// mayPlan is nil where whoever asks may save and publish the entry.
func mayPlan(ctx context.Context, m *site.Model, e *cms.Entry) error {
	p := cms.PermissionsOf(ctx)
	if err := p.Check(cms.ActionWrite, m.Slug, e.Locale, "entry"); err != nil {
		return err
	}
	return p.Check(cms.ActionPublish, m.Slug, e.Locale, "entry")
}

// target is the model and the id of an entry as they are stored.
func (s *Schedules) target(ctx context.Context, find func(*site.Site, string) (*site.Model, error),
	model, id string) (*site.Model, string, error) {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return nil, "", err
	}
	m, err := find(site, model)
	if err != nil {
		return nil, "", err
	}
	id, valid := input.CanonicalID(id)
	if !valid {
		return nil, "", errEntryNotFound
	}
	return m, id, nil
}

func (s *Schedules) entry(ctx context.Context, m *site.Model, id string) (*cms.Entry, *content.Draft, error) {
	e, draft, err := s.Store.EntryAndDraft(ctx, m, id)
	return e, draft, found(err)
}

var errEntryNotFound = cms.Errorf(cms.CodeEntryNotFound, "There is no such entry in this model.")

// found turns a missing entry into ENTRY_NOT_FOUND.
func found(err error) error {
	if errors.Is(err, db.ErrNotFound) {
		return errEntryNotFound
	}
	return err
}

// subject names an entry in the activity log as its other changes do.
func subject(m *site.Model, e *cms.Entry) string {
	return m.Slug + "/" + e.Slug + " (" + e.Locale + ")"
}

// decodeSchedule reads the body of a plan that is made at a time.
func decodeSchedule(body map[string]any, now cms.Time) (plan, error) {
	var p plan
	problems := cms.Problems{}
	for key, v := range body {
		switch key {
		case "publish_at":
			p.PublishAt = futureTime(problems, key, v, now)
		case "unpublish_at":
			p.UnpublishAt = futureTime(problems, key, v, now)
		case "error", "schedule": // read only
		default:
			problems.Add(key, "is not a known key")
		}
	}
	if len(problems) == 0 && p.PublishAt.IsZero() && p.UnpublishAt.IsZero() {
		problems.Add("publish_at", "is required where unpublish_at is left out")
	}
	if !p.PublishAt.IsZero() && !p.UnpublishAt.IsZero() && !p.UnpublishAt.After(p.PublishAt.Time) {
		problems.Add("unpublish_at", "must be after publish_at")
	}
	return p, problems.Err()
}

// futureTime reads a time at which something is to be done; null and "" are none.
func futureTime(problems cms.Problems, path string, v any, now cms.Time) cms.Time {
	text, isText := v.(string)
	if form, ok := v.(input.FormValue); ok && len(form) > 0 {
		text, isText = form[len(form)-1], true
	}
	if v == nil || isText && text == "" {
		return cms.Time{}
	}
	t, valid := cms.ParseDateTime(text)
	at := cms.At(t)
	switch {
	case !isText || !valid:
		problems.Add(path, "must be a timestamp of the form 2026-01-31T12:00:00Z")
	case !at.After(now.Time):
		problems.Add(path, "must be in the future")
	case at.After(now.AddDate(MaxAhead, 0, 0)):
		problems.Add(path, "must be at most %d years ahead", MaxAhead)
	default:
		return at
	}
	return cms.Time{}
}

// tooLate is how late a planned change may be made after a standstill.
const tooLate = 24 * time.Hour
