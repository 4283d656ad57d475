package forms

import (
	"context"
	"errors"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/queue"
	"headless/pkg/table"
)

// WakeDue wakes a worker for each due mail whose message was lost, up to about limit, and returns
// how many. The sweeper calls it in each run.
func (m *Mails) WakeDue(ctx context.Context, limit int) (woken int, err error) {
	return m.sweep(ctx, m.Store.Now().Time, limit, false)
}

// Restart enqueues all pending mails again and ignores their leases. A process that is the only
// worker calls it at its start, when all leases belong to a process that has ended.
func (m *Mails) Restart(ctx context.Context) error {
	_, err := m.sweep(ctx, m.Store.Now().AddDate(1, 0, 0), 0, true)
	return err
}

func (m *Mails) sweep(ctx context.Context, before time.Time, limit int, alone bool) (woken int, err error) {
	rows, err := m.Store.DueMails(ctx, before, limit)
	if err != nil {
		return 0, err
	}
	var errs []error
	var msgs []queue.Message
	for _, row := range rows {
		wait, wake, err := m.look(ctx, row, alone)
		if wake {
			msgs = append(msgs, mailWake(row.MailRef, wait))
		}
		errs = append(errs, err)
	}
	m.sendMessages(ctx, msgs)
	return len(msgs), errors.Join(errs...)
}

// look handles a row of the index of due mails. It deletes a stale row. For a waiting mail it sets
// a later Due and returns whether to send a message, and with which delay. alone says that existing
// leases are void.
func (m *Mails) look(ctx context.Context, row DueMail, alone bool) (wait time.Duration, wake bool, err error) {
	err = m.Store.Retry(ctx, func() error {
		wait, wake = 0, false
		v, _, err := m.Store.Mail(ctx, row.MailRef)
		if errors.Is(err, db.ErrNotFound) || err == nil && !row.Leads(&v) {
			return m.Store.Table.BatchWrite(ctx, nil, []table.Key{row.key}) // the row is stale
		}
		if err != nil {
			return err
		}
		now := m.Store.Now()
		if alone {
			v.Lease = cms.Time{}
		}
		wait = max(v.NextAt.Sub(now.Time), v.Lease.Sub(now.Time), 0)
		var due time.Time
		due, wake = queue.SweepAt(now.Add(wait), now.Time)
		v.Due = cms.At(due)
		tx := m.Store.Begin()
		PutMail(tx, &v)
		return m.Store.Commit(ctx, tx)
	})
	return wait, wake && err == nil, err
}
