package planning

import (
	"context"
	"time"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/planning/reach"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// maxTimers is how many timers of each shard are searched for the plans of a user.
const maxTimers = 10_000

// plansOf lists the plans of a user.
func (s *Schedules) plansOf(ctx context.Context, userID string) ([]plan, error) {
	timers, err := s.Store.TimersBetween(ctx, time.Unix(0, 0), s.Store.Now().AddDate(MaxAhead+1, 0, 0), maxTimers)
	if err != nil {
		return nil, err
	}
	var keys []table.Key
	seen := map[string]bool{}
	for _, t := range timers {
		if modelID, id, ok := parsePlanRef(t.Ref); ok && t.Kind == KindSchedule && !seen[t.Ref] {
			seen[t.Ref] = true
			keys = append(keys, planKey(modelID, id))
		}
	}
	items, err := s.Store.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	var list []plan
	for _, item := range items {
		if item == nil {
			continue
		}
		p, err := decodePlan(item)
		if err != nil {
			return nil, err
		}
		if action, _ := p.nextAction(); action != "" && p.By.UserID == userID {
			list = append(list, p)
		}
	}
	return list, nil
}

// entriesOf returns the references and entries of plans, in their order. An entry is nil if it or its
// model is gone.
func (s *Schedules) entriesOf(ctx context.Context, plans []plan) ([]content.Reference, []*cms.Entry, error) {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return nil, nil, err
	}
	all, entries := make([]content.Reference, len(plans)), make([]*cms.Entry, len(plans))
	var refs []content.Reference
	var at []int
	for i, p := range plans {
		if all[i] = (content.Reference{Model: site.ModelByID(p.ModelID), ID: p.EntryID}); all[i].Model != nil {
			refs, at = append(refs, all[i]), append(at, i)
		}
	}
	found, err := s.Store.EntriesByID(ctx, refs)
	for i, e := range found {
		entries[at[i]] = e
	}
	return all, entries, err
}

// PlannedBy lists the changes of entries that a user has planned and that the caller may read.
func (s *Schedules) PlannedBy(ctx context.Context, userID string) ([]Planned, error) {
	plans, err := s.plansOf(ctx, userID)
	if err != nil {
		return nil, err
	}
	refs, entries, err := s.entriesOf(ctx, plans)
	list := []Planned{}
	for i, e := range entries {
		if e == nil {
			continue
		}
		for action, at := range map[string]cms.Time{ActionPublish: plans[i].PublishAt,
			ActionUnpublish: plans[i].UnpublishAt} {
			if !at.IsZero() {
				list = append(list, Planned{At: at, Action: action, ID: e.ID, Model: refs[i].Model.Slug,
					Title: e.Title, Locale: e.Locale, Status: e.Status})
			}
		}
	}
	cms.SortBy(list, func(p Planned) string { return p.At.String() + p.ID })
	return list, err
}

// MayTake returns FORBIDDEN unless the caller may do what a user has planned.
func (s *Schedules) MayTake(ctx context.Context, userID string) error {
	plans, err := s.plansOf(ctx, userID)
	if err != nil {
		return err
	}
	refs, entries, err := s.entriesOf(cms.WithPermissions(ctx, nil), plans)
	for i, e := range entries {
		if e != nil && err == nil {
			err = MayPlan(ctx, refs[i].Model, e)
		}
	}
	return err
}

// Reassign makes the plans of a user those of another actor.
func (s *Schedules) Reassign(ctx context.Context, userID string, to cms.Actor) error {
	plans, err := s.plansOf(ctx, userID)
	for _, p := range plans {
		if err != nil {
			return err
		}
		err = s.Store.Retry(ctx, func() error {
			was, err := s.readPlan(ctx, p.ModelID, p.EntryID)
			if err != nil || was.version == 0 || was.By.UserID != userID {
				return err
			}
			now, tx := was, s.Store.Begin()
			now.By = planner(to)
			replacePlan(tx, was, now)
			return s.Store.Commit(ctx, tx)
		})
	}
	return err
}

// heldRelease is a release that has not ended, with what a user has in it.
type heldRelease struct {
	*release
	items []storedItem
	own   []storedItem // those that the user added; all if the user set the time or published it
}

// heldBy lists the releases that a user has planned, publishes or has items in.
func (s *Releases) heldBy(ctx context.Context, userID string) ([]heldRelease, error) {
	rows, err := s.Store.Table.Query(ctx, table.Range{Partition: releasesPartition, Limit: maxReleases})
	if err != nil {
		return nil, err
	}
	keys := slice.Map(rows, func(row table.Item) table.Key { return releaseKey(row.Sort) })
	heads, err := s.Store.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	var list []heldRelease
	for _, head := range heads {
		var r *release
		if head == nil {
			continue
		}
		if err := db.Unpack(head.Body, &r); err != nil {
			return nil, err
		}
		if r.Status == ReleasePublished {
			continue
		}
		r, items, err := s.readRelease(ctx, r.ID)
		if err == errNoRelease {
			continue // deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
		held := heldRelease{release: r, items: items}
		planned := !r.PublishAt.IsZero() || r.Status == ReleasePublishing
		for i, item := range items {
			if !r.isDone(i) && (item.By.UserID == userID || planned && r.By.UserID == userID) {
				held.own = append(held.own, item)
			}
		}
		if len(held.own) > 0 || planned && r.By.UserID == userID {
			list = append(list, held)
		}
	}
	return list, nil
}

// HeldRelease is a release that a user has planned, publishes or has items in.
type HeldRelease struct {
	ID        string        `json:"id"`
	Name      string        `json:"name"`
	Status    ReleaseStatus `json:"status"`
	PublishAt cms.Time      `json:"publish_at"`
	Items     []ReleaseItem `json:"items"` // that stop without the user
}

// HeldBy lists the releases that a user has planned, publishes or has items in, and that the caller
// may read.
func (s *Releases) HeldBy(ctx context.Context, userID string) ([]HeldRelease, error) {
	held, err := s.heldBy(ctx, userID)
	list := []HeldRelease{}
	for _, r := range held {
		if reach.Shows(ctx, targetsOf(r.items)...) {
			list = append(list, HeldRelease{r.ID, r.Name, r.Status, r.PublishAt, publicItems(r.own)})
		}
	}
	return list, err
}

// MayTake returns FORBIDDEN unless the caller may do what a user has in releases.
func (s *Releases) MayTake(ctx context.Context, userID string) error {
	held, err := s.heldBy(ctx, userID)
	for _, r := range held {
		if err == nil {
			err = reach.Check(ctx, ItemActions, targetsOf(r.own)...)
		}
	}
	return err
}

// Reassign makes what a user has in releases that of another actor.
func (s *Releases) Reassign(ctx context.Context, userID string, to cms.Actor) error {
	held, err := s.heldBy(ctx, userID)
	for _, was := range held {
		if err != nil {
			return err
		}
		err = s.Store.Retry(ctx, func() error {
			r, items, err := s.readRelease(ctx, was.ID)
			if err != nil {
				return err
			}
			if r.By.UserID == userID {
				r.By = planner(to)
			}
			for i := range items {
				if items[i].By.UserID == userID {
					items[i].By = planner(to)
				}
			}
			tx := s.Store.Begin()
			tx.Do(r.putOp(), db.ErrOvertaken)
			tx.Put(table.Item{Key: releaseItemsKey(r.ID), Body: db.Pack(items)})
			return s.Store.Commit(ctx, tx)
		})
		if err == errNoRelease {
			err = nil // deleted meanwhile
		}
	}
	return err
}
