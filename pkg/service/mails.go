package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"headless/pkg/cms"
	"headless/pkg/mail"
	"headless/pkg/queue"
	"headless/pkg/store"
	"headless/pkg/table"
)

// Mails are the mails about submissions, from the commit of the submission until they are sent. What is pending stands in the table; messages
// of the mail queue only wake a worker up, and the sweeper finds what nobody was woken for.
type Mails struct {
	Store *store.Store
	Queue queue.Queue
	Rand  func() float64 // numbers from 0 up to 1, for jitter
	Log   *slog.Logger
}

const (
	mailLease     = 90 * time.Second // longer than a worker tries to send
	mailGrace     = 2 * time.Minute  // how late a mail is before the sweeper thinks that its message was lost
	mailLead      = 10 * time.Minute // how early the sweeper hands long waits to the queue; below queue.MaxDelay, above the sweeper's interval
	mailFirstWait = 15 * time.Second // after the first failure, doubled after each further one…
	mailMaxWait   = 6 * time.Hour    // …up to this
	mailAttempts  = 30               // then it is given up: after five days or so
	mailQueueTime = 5 * time.Second  // for a queue that does not answer
)

// ParseMailWake reads the body of a message of the mail queue.
func ParseMailWake(body []byte) (store.MailRef, error) {
	var r store.MailRef
	if err := json.Unmarshal(body, &r); err != nil {
		return r, fmt.Errorf("mail queue: not a wake-up: %w", err)
	}
	if r.FormID == "" || !cms.IsUUID(r.SubmissionID) {
		return r, errors.New("mail queue: a wake-up without a mail")
	}
	return r, nil
}

// newMail is a mail that is due at once.
func newMail(r store.MailRef, to string, now cms.Time) store.Mail {
	return store.Mail{
		MailRef: r, SubmissionMail: cms.SubmissionMail{To: to, Status: cms.MailPending, NextAt: now}, Due: cms.At(now.Add(mailGrace)),
	}
}

// Announce sends for workers to the mails of a submission when its event is dispatched; other events are none of its business. What goes
// wrong is logged and left to the sweeper: the event has webhooks to go to.
func (m *Mails) Announce(ctx context.Context, e cms.Event) {
	if e.Kind != cms.EventFormSubmissionCreated {
		return
	}
	if err := m.announce(ctx, e); err != nil {
		m.Log.Warn("mails not announced", "event", e.ID, "error", err.Error())
	}
}

func (m *Mails) announce(ctx context.Context, e cms.Event) error {
	var about struct {
		ID       string `json:"id"`
		FormSlug string `json:"form_slug"`
	}
	if err := json.Unmarshal(e.Data, &about); err != nil {
		return err
	}
	site, err := m.Store.Site(ctx)
	if err != nil || site.Forms[about.FormSlug] == nil {
		return err // the form was renamed or deleted meanwhile
	}
	_, mails, err := m.Store.Submission(ctx, site.Forms[about.FormSlug].ID, about.ID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	var msgs []queue.Message
	for _, v := range mails {
		if v.Status == cms.MailPending && v.Attempts == 0 {
			msgs = append(msgs, mailWake(v.MailRef, 0))
		}
	}
	m.send(ctx, msgs)
	return nil
}

func mailWake(r store.MailRef, delay time.Duration) queue.Message {
	body, err := json.Marshal(r)
	if err != nil {
		panic("service: a wake-up cannot be encoded: " + err.Error())
	}
	return queue.Message{Body: body, Group: r.FormID, Delay: min(max(delay, 0), queue.MaxDelay)}
}

// send hands messages to the queue. A failure is logged and no more: the sweeper finds what nobody was woken for.
func (m *Mails) send(ctx context.Context, msgs []queue.Message) {
	if len(msgs) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), mailQueueTime)
	defer cancel()
	if err := m.Queue.Send(ctx, msgs...); err != nil {
		m.Log.Warn("mail queue", "error", err.Error(), "messages", len(msgs))
	}
}

// Claim takes a mail for this worker, which must call Finish within 90 s; nil when there is nothing to do now.
func (m *Mails) Claim(ctx context.Context, r store.MailRef) (claimed *store.Mail, about *store.Submission, err error) {
	err = m.Store.Retry(ctx, func() error {
		claimed = nil
		v, submission, err := m.Store.Mail(ctx, r)
		if errors.Is(err, store.ErrNotFound) {
			return nil // deleted meanwhile
		}
		if err != nil {
			return err
		}
		now := m.Store.Now()
		switch {
		case v.Status != cms.MailPending, now.Before(v.Lease.Time):
			return nil
		case now.Before(v.NextAt.Time):
			if wait := v.NextAt.Sub(now.Time); wait <= queue.MaxDelay {
				m.send(ctx, []queue.Message{mailWake(r, wait)})
			}
			return nil
		}
		v.Lease = cms.At(now.Add(mailLease))
		v.Due = cms.At(v.Lease.Add(mailGrace))
		tx := m.Store.Begin()
		tx.PutMail(&v)
		if err := m.Store.Commit(ctx, tx); err != nil {
			return err
		}
		claimed, about = &v, submission
		return nil
	})
	return claimed, about, err
}

// Finish stores the outcome of an attempt to send a claimed mail: nil, or why it failed. The next attempt follows with growing
// pauses, unless the mail was refused for good.
func (m *Mails) Finish(ctx context.Context, v *store.Mail, sent error) error {
	now := m.Store.Now()
	v.Attempts++
	v.Lease, v.NextAt, v.Due, v.Error = cms.Time{}, cms.Time{}, cms.Time{}, nil
	wait := time.Duration(-1)
	if sent == nil {
		v.Status, v.SentAt = cms.MailSent, now
	} else {
		text := reason(sent)
		v.Error = &text
		if errors.Is(sent, mail.ErrPermanent) || v.Attempts >= mailAttempts {
			v.Status = cms.MailFailed
		} else {
			wait = m.pause(v.Attempts)
			v.NextAt = cms.At(now.Add(wait))
			v.Due = mailDue(v.NextAt, now)
		}
	}
	if err := m.save(ctx, *v); err != nil {
		return err
	}
	if wait >= 0 && wait <= queue.MaxDelay {
		m.send(ctx, []queue.Message{mailWake(v.MailRef, wait)})
	}
	return nil
}

// save commits the state of a claimed mail, trying for a while: an outcome that is not stored will be repeated.
func (m *Mails) save(ctx context.Context, v store.Mail) error {
	for try := 0; ; try++ {
		next := v
		tx := m.Store.Begin()
		tx.PutMail(&next)
		err := m.Store.Commit(ctx, tx)
		switch {
		case errors.Is(err, store.ErrOvertaken):
			m.Log.Warn("mail overtaken", "mail", v.ID()) // deleted, or the lease ran out, or a lost answer to the commit before
			return nil
		case err == nil || !errors.Is(err, table.ErrUnavailable) || try == finishTries:
			return err
		}
		select {
		case <-time.After(finishPause << try):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// pause is how long to wait after a number of failed attempts, 20 % more or less.
func (m *Mails) pause(attempts int) time.Duration {
	wait := mailMaxWait
	if attempts <= 12 {
		wait = min(mailFirstWait<<(attempts-1), mailMaxWait)
	}
	return time.Duration(float64(wait) * (0.8 + 0.4*m.Rand()))
}

// mailDue is when the sweeper looks at a mail: after the queue's message is late, or before a time that is too far for the queue.
func mailDue(next, now cms.Time) cms.Time {
	if next.Sub(now.Time) <= queue.MaxDelay {
		return cms.At(next.Add(mailGrace))
	}
	return cms.At(next.Add(-mailLead))
}

// reason is an error as the admin area shows it.
func reason(err error) string {
	const most = 300
	if errors.Is(err, context.DeadlineExceeded) {
		return "The mail service did not answer in time."
	}
	text := []rune(err.Error())
	return string(text[:min(len(text), most)])
}
