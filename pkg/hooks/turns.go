package hooks

import (
	"context"
	"errors"
	"time"

	"headless/pkg/db"
	"headless/pkg/queue"
	"headless/pkg/table"
)

// A subscription with requests_per_second has one row, its turns. An attempt takes a turn before it
// takes a slot. One that has to wait reserves its turn, and its message comes back at that time.

const (
	turnsAhead = time.Minute // how far ahead turns are reserved; who comes later asks again
	turnsKept  = time.Hour
)

// turns are the requests of a subscription: when the next one is free, and how many were made in
// the current second.
type turns struct {
	Next   int64 `json:"next"`   // Unix microseconds
	Second int64 `json:"second"` // Unix
	Made   int   `json:"made"`
}

// take gives a turn at now (wait 0), or reserves one (ahead true) and says when it comes. own is a
// turn that was reserved before, Unix microseconds; 0: none.
func (t *turns) take(now time.Time, limit int, own int64) (wait time.Duration, ahead bool) {
	if second := now.Unix(); second > t.Second { // the clock of another worker may be ahead
		t.Second, t.Made = second, 0
	}
	interval := (time.Second / time.Duration(limit)).Microseconds()
	micros := now.UnixMicro()
	free := t.Next <= micros
	if (free || own != 0 && own <= micros) && t.Made < limit {
		if t.Made++; free {
			t.Next = micros + interval
		}
		return 0, false
	}
	turn := max(t.Next, micros+interval)
	wait = time.Duration(turn-micros) * time.Microsecond
	if wait > turnsAhead {
		return turnsAhead, false
	}
	t.Next = turn + interval
	return wait, true
}

// takeTurn waits for nothing: it reports whether the attempt of a message may be made now, else it
// puts the message back until its turn.
func (d *Deliveries) takeTurn(ctx context.Context, w *Work, wake Wake) (bool, error) {
	limit := 0
	if w.Webhook != nil && !w.Delivery.Manual && !w.Delivery.Test {
		limit = w.Webhook.RequestsPerSecond
	}
	if limit == 0 {
		return true, nil
	}
	d.turning.Lock() // the workers of one process do not overtake each other
	defer d.turning.Unlock()
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

// takeTurn changes the row; ErrOvertaken where another process did.
func (s *Store) takeTurn(ctx context.Context, webhookID string, limit int,
	own int64) (wait time.Duration, turn int64, err error) {
	rows, err := s.Table.Get(ctx, table.Strong, turnsKey(webhookID))
	if err != nil {
		return 0, 0, err
	}
	var t turns
	op := table.Op{Kind: table.Put, If: table.Absent}
	if rows[0] != nil {
		if err := db.Unpack(rows[0].Body, &t); err != nil {
			return 0, 0, err
		}
		op.If, op.Version = table.VersionIs, rows[0].Version
	}
	now := s.Now().Time
	wait, ahead := t.take(now, limit, own)
	if ahead {
		turn = now.Add(wait).UnixMicro()
	} else if wait > 0 {
		return wait, 0, nil
	}
	op.Item = table.Item{Key: turnsKey(webhookID), Version: op.Version + 1, Body: db.Pack(t),
		Expires: now.Add(turnsKept).Unix()}
	tx := s.Begin()
	tx.Do(op, db.ErrOvertaken)
	return wait, turn, s.Commit(ctx, tx)
}
