package replay

import (
	"context"
	"errors"
	"slices"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks"
	"headless/pkg/slice"
)

const (
	stepSize   = 40               // deliveries in one transaction
	maxWaiting = 10               // unfinished steps at a time
	workTime   = 10 * time.Second // how long one call works
	waitTime   = 2 * time.Second  // between two checks of unfinished steps
	pausedTime = time.Minute      // between two checks of a paused subscription
)

// Work continues the replay of a subscription. It is the handler of timers of the kind KindReplay.
func (s *Replays) Work(ctx context.Context, webhookID string) (nextRun cms.Time, err error) {
	for end := s.Store.Now().Add(workTime); ; {
		var wait time.Duration
		more := false
		err := s.Store.Retry(ctx, func() (err error) {
			more, wait, err = s.replayNext(ctx, webhookID)
			return err
		})
		now := s.Store.Now()
		switch {
		case err != nil:
			return cms.Time{}, err
		case !more:
			return cms.Time{}, nil
		case wait > 0 || !now.Before(end):
			return cms.At(now.Add(wait)), nil
		}
	}
}

// replayNext makes the next deliveries of a replay due. more reports whether the replay is unfinished,
// and wait is how long to wait before the next step.
func (s *Replays) replayNext(ctx context.Context, webhookID string) (more bool, wait time.Duration, err error) {
	r, err := s.readRecord(ctx, webhookID)
	if err != nil || r.Status != Running {
		return false, 0, err
	}
	hook, err := s.Store.Webhook(ctx, webhookID)
	if errors.Is(err, db.ErrNotFound) {
		tx := s.Store.Begin()
		r.finishAs(Stopped, tx.At())
		r.putIn(tx, webhookID)
		return false, 0, s.Store.Commit(ctx, tx)
	}
	if err != nil {
		return false, 0, err
	}
	if !hook.IsActive {
		return true, pausedTime, nil
	}
	if waits, err := s.waits(ctx, &r); waits || err != nil {
		return true, waitTime, err
	}
	ids, err := s.Store.DeliveryIDs(ctx, webhookID, string(r.Position), r.To.Time, stepSize)
	if err != nil {
		return false, 0, err
	}
	due, err := s.chosen(ctx, r, ids)
	if err != nil {
		return false, 0, err
	}
	tx := s.Store.Begin()
	for i := range due {
		due[i].Resend(tx.At())
		hooks.PutDelivery(tx, &due[i])
	}
	r.LookedAt += len(ids)
	r.SentAgain += len(due)
	if len(due) > 0 {
		r.Waiting = append(r.Waiting, due[len(due)-1].ID)
	}
	if len(ids) > 0 {
		r.Position = []byte(ids[len(ids)-1].Position + "\x00")
	}
	if more = len(ids) == stepSize; !more {
		r.finishAs(Done, tx.At())
	}
	r.putIn(tx, webhookID)
	if err := s.Store.Commit(ctx, tx); err != nil {
		return false, 0, err
	}
	s.Wake(ctx, due...)
	return more, 0, nil
}

// waits reports whether too many steps are unfinished. It removes finished steps from r.Waiting.
func (s *Replays) waits(ctx context.Context, r *record) (bool, error) {
	if len(r.Waiting) < maxWaiting {
		return false, nil
	}
	found, err := s.Store.Deliveries(ctx, r.Waiting...)
	r.Waiting = slices.DeleteFunc(r.Waiting, func(id string) bool {
		d, ok := found[id]
		return !ok || d.Finished()
	})
	return len(r.Waiting) == maxWaiting, err
}

// chosen returns the deliveries that the replay sends again. It skips pending deliveries, which are
// sent anyway, and tests.
func (s *Replays) chosen(ctx context.Context, r record, ids []hooks.LoggedID) ([]hooks.Delivery, error) {
	names := slice.Map(ids, func(l hooks.LoggedID) string { return l.ID })
	found, err := s.Store.Deliveries(ctx, names...)
	var due []hooks.Delivery
	for _, id := range names {
		d, ok := found[id]
		if ok && d.Finished() && d.Event != cms.EventWebhookTest &&
			(!r.OnlyFailed || d.Status == cms.DeliveryFailed) {
			due = append(due, d)
		}
	}
	return due, err
}
