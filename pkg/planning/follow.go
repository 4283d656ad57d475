package planning

import (
	"context"
	"encoding/json"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/site"
)

// followEntry updates the plan of an entry in the transaction that changes the entry: publishing removes
// publish_at, and moving to the trash deletes the plan.
func (s *Schedules) followEntry(ctx context.Context, m *site.Model, tx *db.Tx) error {
	events := tx.Events()
	is := func(kind string) func(cms.Event) bool { return func(e cms.Event) bool { return e.Kind == kind } }
	if i := slices.IndexFunc(events, is(cms.EventEntryDeleted)); i >= 0 {
		id, err := EntryID(events[i])
		if err != nil {
			return err
		}
		was, err := s.readPlan(ctx, m.ID, id)
		if err != nil {
			return err
		}
		if was.version == 0 {
			tx.RequireAbsent(planKey(m.ID, id), db.ErrOvertaken) // the plan may be saved at this moment
			return nil
		}
		replacePlan(tx, was, plan{})
		return nil
	}
	i := slices.IndexFunc(events, is(cms.EventEntryPublished))
	if i < 0 && editing.IsPublish(ctx) {
		i = slices.IndexFunc(events, is(cms.EventEntryUpdated))
	}
	if i < 0 || slices.ContainsFunc(events, is(cms.EventEntryCreated)) {
		return nil
	}
	id, err := EntryID(events[i])
	if err != nil {
		return err
	}
	return s.drop(ctx, m, tx, id, ActionPublish)
}

// drop removes an action from an entry's plan.
func (s *Schedules) drop(ctx context.Context, m *site.Model, tx *db.Tx, id, action string) error {
	was, err := s.readPlan(ctx, m.ID, id)
	if err != nil || was.version == 0 {
		return err
	}
	now := was.withoutAction(action)
	now.Error = nil
	if now.PublishAt != was.PublishAt || now.UnpublishAt != was.UnpublishAt || was.Error != nil {
		replacePlan(tx, was, now)
	}
	return nil
}

// EntryID returns the id of the entry that an event is about.
func EntryID(e cms.Event) (string, error) {
	var data struct {
		ID string `json:"id"`
	}
	err := json.Unmarshal(e.Data, &data)
	return data.ID, err
}
