package planning

import (
	"context"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/table"
)

// The actions on one entry.
const (
	ActionPublish   = "publish"
	ActionUnpublish = "unpublish"
)

// plan is the stored plan of an entry.
type plan struct {
	ModelID     string     `json:"model_id"`
	EntryID     string     `json:"entry_id"`
	PublishAt   cms.Time   `json:"publish_at"`
	UnpublishAt cms.Time   `json:"unpublish_at"`
	By          cms.Actor  `json:"by"` // who planned it: the actor of the change, by whose rights it is made
	Error       *planError `json:"error,omitempty"`
	Children    string     `json:"children,omitempty"` // see package moving
	Locale      string     `json:"locale,omitempty"`   // of the entry when it was planned

	Changed *cms.PlanChange `json:"changed,omitempty"` // since it was planned; see markUnapproved

	version int64 // of the row; 0 if there is none
}

// planError is why a planned change was not made. It is shown until the entry or its draft is
// saved.
type planError struct {
	cms.ScheduleError
	Version int64 `json:"version"` // of the entry
	Draft   int64 `json:"draft"`   // number of the last save of a draft
}

// planner returns an actor as the one of changes that are made later.
func planner(by cms.Actor) cms.Actor {
	return cms.Actor{Name: by.Name, UserID: by.UserID, KeyID: by.KeyID, Term: by.Term, Reviewed: by.Reviewed,
		Source: cms.SourceSchedule}
}

// empty reports whether nothing is planned and nothing failed.
func (p *plan) empty() bool {
	return p.PublishAt.IsZero() && p.UnpublishAt.IsZero() && p.Error == nil
}

// nextAction returns the first planned action and its time; "" if nothing is planned.
func (p *plan) nextAction() (action string, at cms.Time) {
	switch {
	case !p.PublishAt.IsZero():
		return ActionPublish, p.PublishAt
	case !p.UnpublishAt.IsZero():
		return ActionUnpublish, p.UnpublishAt
	}
	return "", cms.Time{}
}

// withoutAction returns the plan without an action.
func (p plan) withoutAction(action string) plan {
	if action == ActionPublish {
		p.PublishAt = cms.Time{}
	} else {
		p.UnpublishAt = cms.Time{}
	}
	return p
}

// noteOf is what the timer of an action says of it, so that lists of what is planned need not read the plan.
func (p plan) noteOf(action string) string {
	note := action + " " + p.Locale
	if action == ActionUnpublish && p.Children != "" {
		note += " " + p.Children
	}
	return note
}

// planNoted returns what a note says.
func planNoted(note string) (p plan, action string) {
	words := strings.SplitN(note, " ", 3)
	if len(words) > 1 {
		p.Locale = words[1]
	}
	if len(words) > 2 {
		p.Children = words[2]
	}
	return p, words[0]
}

// public returns the public form of a plan, nil if it is empty. e and draft are needed only if the
// plan has an error; they may be nil otherwise.
func (p *plan) public(e *cms.Entry, draft *content.Draft) *cms.Schedule {
	s := &cms.Schedule{PublishAt: p.PublishAt, UnpublishAt: p.UnpublishAt, Changed: p.Changed, Children: p.Children}
	if p.Error != nil && p.Error.Version == e.Version && p.Error.Draft == draft.Number {
		s.Error = &p.Error.ScheduleError
	}
	if s.PublishAt.IsZero() && s.UnpublishAt.IsZero() && s.Error == nil {
		return nil
	}
	return s
}

func decodePlan(item *table.Item) (plan, error) {
	p := struct {
		plan
		Actor string `json:"actor"` // of plans that were stored without By
	}{plan: plan{version: item.Version}}
	err := db.Unpack(item.Body, &p)
	if p.By == (cms.Actor{}) {
		p.By = planner(cms.Actor{Name: p.Actor})
	}
	return p.plan, err
}

// readPlan reads the plan of an entry; an empty plan with version 0 if there is none.
func (s *Schedules) readPlan(ctx context.Context, modelID, entryID string) (plan, error) {
	items, err := s.Store.Table.Get(ctx, table.Strong, planKey(modelID, entryID))
	if err != nil {
		return plan{}, err
	}
	if items[0] == nil {
		return plan{ModelID: modelID, EntryID: entryID}, nil
	}
	return decodePlan(items[0])
}

// replacePlan replaces the stored plan was by now and moves its timers. The commit fails if was changed
// after it was read. An empty plan is deleted.
func replacePlan(tx *db.Tx, was, now plan) {
	key := planKey(was.ModelID, was.EntryID)
	ref := planRef(was.ModelID, was.EntryID)
	for action, at := range map[string][2]cms.Time{ActionPublish: {was.PublishAt, now.PublishAt},
		ActionUnpublish: {was.UnpublishAt, now.UnpublishAt}} {
		note := now.noteOf(action)
		if at[0].Equal(at[1].Time) && (at[1].IsZero() || note == was.noteOf(action)) {
			continue
		}
		if !at[0].IsZero() && !at[0].Equal(now.PublishAt.Time) && !at[0].Equal(now.UnpublishAt.Time) {
			tx.ClearTimer(db.Timer{At: at[0], Kind: KindSchedule, Ref: ref})
		}
		if !at[1].IsZero() {
			tx.SetTimer(db.Timer{At: at[1], Kind: KindSchedule, Ref: ref, Note: note})
		}
	}
	switch {
	case !now.empty():
		tx.Save(table.Item{Key: key, Body: db.Pack(now)}, was.version)
	case was.version > 0:
		tx.Remove(key, was.version)
	}
}
