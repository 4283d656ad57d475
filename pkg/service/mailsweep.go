package service

import (
	"context"
	"errors"
	"time"

	"headless/pkg/cms"
	"headless/pkg/queue"
	"headless/pkg/store"
)

// WakeDue sends for workers to mails that nobody was woken for in time, up to limit, and tells how many. The sweeper calls it in each run.
func (m *Mails) WakeDue(ctx context.Context, limit int) (woken int, err error) {
	return m.sweep(ctx, m.Store.Now().Time, limit, false)
}

// Restart sends for workers to all that is pending. It is for the process that is the only worker, before it starts to work: whoever had a
// mail is gone.
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
	m.send(ctx, msgs)
	return len(msgs), errors.Join(errs...)
}

// look decides about a row of the due index: a mail that waits gets a message and is looked at again later; a row that leads nowhere goes.
func (m *Mails) look(ctx context.Context, row store.DueMail, alone bool) (wait time.Duration, wake bool, err error) {
	err = m.Store.Retry(ctx, func() error {
		wait, wake = 0, false
		v, _, err := m.Store.Mail(ctx, row.MailRef)
		if errors.Is(err, store.ErrNotFound) || err == nil && !row.Leads(&v) {
			return m.Store.DropDueMails(ctx, row)
		}
		if err != nil {
			return err
		}
		now := m.Store.Now()
		if alone {
			v.Lease = cms.Time{}
		}
		wait = max(v.NextAt.Sub(now.Time), v.Lease.Sub(now.Time), 0)
		if wake = wait <= queue.MaxDelay; wake {
			v.Due = cms.At(now.Add(wait + mailGrace))
		} else {
			v.Due = cms.At(now.Add(wait - mailLead))
		}
		tx := m.Store.Begin()
		tx.PutMail(&v)
		return m.Store.Commit(ctx, tx)
	})
	return wait, wake && err == nil, err
}
