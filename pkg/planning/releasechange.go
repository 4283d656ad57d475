package planning

import (
	"context"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/planning/reach"
	"headless/pkg/slice"
)

// mayChange returns FORBIDDEN unless the caller may make a change of a release: for a change of its
// items, what the added and removed ones say; for another one, what all its items say.
func mayChange(ctx context.Context, before, after *release, was, now []storedItem) error {
	changed := append(withoutItems(was, now), slice.Filter(now, func(item storedItem) bool { return item.bound })...)
	if before.Name != after.Name || !before.PublishAt.Equal(after.PublishAt.Time) {
		changed = append(changed, now...)
	}
	return reach.Check(ctx, ItemActions, targetsOf(changed)...)
}

// withoutItems returns the items of a list that are not in another one.
func withoutItems(items, others []storedItem) []storedItem {
	return slice.Filter(items, func(item storedItem) bool { return !slices.ContainsFunc(others, item.isSame) })
}

// releaseChange is what the activity log shows of a release before and after a change.
type releaseChange struct {
	Name      string        `json:"name"`
	PublishAt cms.Time      `json:"publish_at"`
	Items     []ReleaseItem `json:"items"` // removed ones before, added ones after
}

func changeOf(before, after *release, was, now []storedItem) (old, new releaseChange) {
	return releaseChange{before.Name, before.PublishAt, publicItems(withoutItems(was, now))},
		releaseChange{after.Name, after.PublishAt, publicItems(withoutItems(now, was))}
}

// moveTimer moves the timer of a release in a transaction, and reports whether its time changed.
func (r *release) moveTimer(tx *db.Tx, before db.Timer) bool {
	after := r.timer()
	if before.At.Equal(after.At.Time) {
		return false
	}
	if !before.At.IsZero() {
		tx.ClearTimer(before)
	}
	if !after.At.IsZero() {
		tx.SetTimer(after)
	}
	return true
}
