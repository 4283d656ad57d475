package targets

import (
	"context"
	"slices"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
)

// Receipt says what happened after an entry was published.
type Receipt struct {
	Kind   string   `json:"kind"` // published, purged or build
	At     cms.Time `json:"at"`
	Target *string  `json:"target,omitempty"` // id, of a build
	State  *string  `json:"state,omitempty"`  // of a build
	URL    *string  `json:"url,omitempty"`    // of a build that is ready
}

// maxPurges is how many waiting purges are looked at.
const maxPurges = 1_000

// Receipts lists what happened since the last save of a published entry, the oldest first.
func (s *Targets) Receipts(ctx context.Context, e *cms.Entry) ([]Receipt, error) {
	list := []Receipt{}
	if e.Status != cms.StatusPublished {
		return list, nil
	}
	list = append(list, Receipt{Kind: "published", At: e.UpdatedAt})
	at, done, err := s.isPurged(ctx, e)
	if err != nil {
		return nil, err
	}
	if done {
		list = append(list, Receipt{Kind: "purged", At: at})
	}
	all, err := s.listAll(ctx)
	if err != nil {
		return nil, err
	}
	for _, d := range all {
		builds, err := s.builds(ctx, d.ID, recentBuilds)
		if err != nil {
			return nil, err
		}
		for i := len(builds) - 1; i >= 0; i-- {
			b := &builds[i]
			if b.Since.Before(e.UpdatedAt.Time) {
				continue
			}
			r := Receipt{Kind: "build", At: b.At, Target: &d.ID, State: &b.State}
			if b.URL != "" {
				r.URL = &b.URL
			}
			list = append(list, r)
		}
	}
	cms.Sort(list, func(a, b Receipt) int { return a.At.Compare(b.At.Time) })
	return list, nil
}

// sentWithin is how long after a save its purge leaves at the latest while all goes well.
const sentWithin = time.Minute

// isPurged reports whether the caches have accepted the purge of an entry's last save, and when. The time is
// known for a minute; after it, it is that of the save. What was sent names no entry, so that it counts only soon
// after the save.
func (s *Targets) isPurged(ctx context.Context, e *cms.Entry) (at cms.Time, done bool, err error) {
	state, err := s.DB.PurgeState(ctx)
	if err != nil {
		return at, false, err
	}
	waiting, err := s.DB.Purges(ctx, maxPurges)
	if err != nil {
		return at, false, err
	}
	waits := func(p db.Purge) bool { return p.All || slices.Contains(p.Tags, cms.TagEntry(e.ID)) }
	batch := state.Pending
	if slices.ContainsFunc(waiting, waits) ||
		batch != nil && (batch.All || slices.Contains(batch.Tags, cms.TagEntry(e.ID))) {
		return at, false, nil
	}
	for _, sent := range state.Sent {
		if after := sent.At.Sub(e.UpdatedAt.Time); after >= 0 && after <= sentWithin {
			return sent.At, true, nil
		}
	}
	return e.UpdatedAt, true, nil
}
