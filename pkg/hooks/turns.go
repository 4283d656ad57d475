package hooks

import (
	"context"
	"errors"
	"time"

	"headless/pkg/db"
	"headless/pkg/hooks/pace"
	"headless/pkg/queue"
	"headless/pkg/table"
)

// A subscription with requests_per_second has one row for its turns. A turn is the right to make
// one request at a given time. An attempt takes a turn before it takes a slot. If it has to wait,
// it reserves a turn and postpones its message to that time.

// turnsKept is how long the row stays after the latest turn.
const turnsKept = time.Hour

// takeTurn reports whether the attempt of a message may be made now. If not, it postpones the
// message until its turn.
func (d *Deliveries) takeTurn(ctx context.Context, w *Work, wake Wake) (bool, error) {
	limit := 0
	if w.Webhook != nil && !w.Delivery.Manual && !w.Delivery.Test {
		limit = w.Webhook.RequestsPerSecond
	}
	if limit == 0 {
		return true, nil
	}
	d.turnMutex.Lock() // so that the workers of one process do not conflict
	defer d.turnMutex.Unlock()
	wait, turn, err := d.Store.takeTurn(ctx, wake.Webhook, limit, wake.Turn)
	switch {
	case errors.Is(err, db.ErrOvertaken):
		wait = time.Duration(float64(time.Second) * d.Rand())
	case err != nil:
		return false, err
	case wait == 0:
		return true, nil
	case turn == 0:
		wait = wait/2 + time.Duration(float64(wait/2)*d.Rand())
	}
	wake.Turn = turn
	d.postpone(ctx, wake, min(wait, queue.MaxDelay))
	return false, nil
}

// takeTurn takes or reserves a turn, see pace.Turns.Take; turn is the reserved time in Unix
// microseconds, 0 if none. It returns db.ErrOvertaken if another process changed the row.
func (s *Store) takeTurn(ctx context.Context, webhookID string, limit int,
	own int64) (wait time.Duration, turn int64, err error) {
	t, version, err := db.Find[pace.Turns](ctx, s.DB, turnsKey(webhookID))
	if err != nil {
		return 0, 0, err
	}
	now := s.Now().Time
	wait, reserved := t.Take(now, limit, own)
	if reserved {
		turn = now.Add(wait).UnixMicro()
	} else if wait > 0 {
		return wait, 0, nil
	}
	item := table.Item{Key: turnsKey(webhookID), Body: db.Pack(t), Expires: now.Add(turnsKept).Unix()}
	tx := s.Begin()
	tx.Save(item, version)
	return wait, turn, s.Commit(ctx, tx)
}
