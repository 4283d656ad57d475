package forms

import (
	"context"
	"time"

	"headless/pkg/db"
	"headless/pkg/table"
)

// submits holds the times of a client's latest form posts, in Unix milliseconds, oldest first.
type submits struct {
	Times []int64 `json:"times"`
}

// allowPost counts a post in the row of a client if there are then at most limit posts in the window
// that ends now. limit must be at least 1. It is exact for concurrent posts. If ok is false, the
// post is not counted, and wait is the time until the next post is allowed.
func (s *Store) allowPost(ctx context.Context, key table.Key, limit int,
	window time.Duration) (wait time.Duration, ok bool, err error) {
	err = s.Retry(ctx, func() error {
		was, version, err := db.Find[submits](ctx, s.DB, key)
		if err != nil {
			return err
		}
		now := s.Clock()
		recent := was.postsSince(now.Add(-window))
		if n := len(recent.Times); n >= limit {
			wait, ok = time.UnixMilli(recent.Times[n-limit]).Add(window).Sub(now), false
			return nil
		}
		recent.Times = append(recent.Times, now.UnixMilli())
		tx := s.Begin()
		tx.Save(table.Item{Key: key, Body: db.MustMarshal(recent), Expires: now.Add(window).Unix() + 2}, version)
		wait, ok = 0, true
		return s.Commit(ctx, tx)
	})
	return wait, ok && err == nil, err
}

// postsSince returns the posts after t.
func (v submits) postsSince(t time.Time) (kept submits) {
	for _, ms := range v.Times {
		if ms > t.UnixMilli() {
			kept.Times = append(kept.Times, ms)
		}
	}
	return kept
}
