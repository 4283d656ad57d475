package planning

import (
	"context"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
)

// ActionRelease is the action of planned releases in the list of planned changes.
const ActionRelease = "release"

// maxPlanned is the maximum number of planned changes in a list.
const maxPlanned = 500

// Planned is a planned change (extensions §4).
type Planned struct {
	At     cms.Time   `json:"at"`
	Action string     `json:"action"` // publish, unpublish or release
	ID     string     `json:"id"`     // of the entry or the release
	Model  string     `json:"model"`  // slug; "" for a release
	Title  string     `json:"title"`  // of the entry; the name of a release
	Locale string     `json:"locale"` // of the entry
	Status cms.Status `json:"status"` // of the entry now
}

// Planned lists the changes planned from one time up to another, sorted by time, at most 500. It
// leaves out changes that the caller may not read.
func (s *Releases) Planned(ctx context.Context, from, to time.Time) ([]Planned, error) {
	timers, err := s.Store.TimersBetween(ctx, from, to, maxPlanned)
	if err != nil {
		return nil, err
	}
	list := []Planned{}
	for _, t := range timers {
		var p *Planned
		switch t.Kind {
		case KindSchedule:
			p, err = s.plannedEntry(ctx, t)
		case KindRelease:
			p, err = s.plannedRelease(ctx, t)
		}
		if err != nil {
			return nil, err
		}
		if p != nil {
			list = append(list, *p)
		}
		if len(list) == maxPlanned {
			break
		}
	}
	return list, nil
}

// plannedEntry returns the planned change of an entry at the time of a timer, nil if the timer is
// stale or the caller may not read the entry.
func (s *Releases) plannedEntry(ctx context.Context, t db.Timer) (*Planned, error) {
	modelID, id, _ := parsePlanRef(t.Ref)
	schedules := Schedules{Store: s.Store}
	p, err := schedules.readPlan(ctx, modelID, id)
	if err != nil {
		return nil, err
	}
	change := &Planned{At: t.At, ID: id, Action: ActionPublish}
	switch {
	case p.PublishAt.Equal(t.At.Time):
	case p.UnpublishAt.Equal(t.At.Time):
		change.Action = ActionUnpublish
	default:
		return nil, nil
	}
	site, err := s.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	m := site.ModelByID(modelID)
	if m == nil {
		return nil, nil
	}
	e, err := s.Store.Entry(ctx, m, id)
	if err != nil {
		return nil, db.Missing(err, nil)
	}
	change.Model, change.Title, change.Locale, change.Status = m.Slug, e.Title, e.Locale, e.Status
	return change, nil
}

func (s *Releases) plannedRelease(ctx context.Context, t db.Timer) (*Planned, error) {
	r, _, err := s.openRelease(ctx, t.Ref)
	if err == errNoRelease || err == nil && !r.PublishAt.Equal(t.At.Time) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &Planned{At: t.At, Action: ActionRelease, ID: r.ID, Title: r.Name}, nil
}
