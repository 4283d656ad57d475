package forms

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/mail"
	"headless/pkg/queue"
)

// Mails manages the mails about submissions and accounts. The table holds the pending mails;
// messages of the mail queue only wake a worker. The sweeper wakes one for each mail whose message
// was lost.
type Mails struct {
	Store *Store
	Queue queue.Queue
	Rand  func() float64 // random numbers in [0, 1), for jitter
	Log   *slog.Logger
}

const (
	mailLease     = 90 * time.Second // longer than an attempt to send
	mailFirstWait = 15 * time.Second // after the first failure; doubled after each further failure
	mailMaxWait   = 6 * time.Hour    // the longest wait
	mailAttempts  = 30               // after about five days the mail is given up
	mailQueueTime = 5 * time.Second  // timeout of the queue
)

// ParseMailWake decodes the body of a message of the mail queue.
func ParseMailWake(body []byte) (MailRef, error) {
	var r MailRef
	if err := json.Unmarshal(body, &r); err != nil {
		return r, fmt.Errorf("mail queue: not a wake-up: %w", err)
	}
	if r.FormID == "" || !cms.IsUUID(r.SubmissionID) {
		return r, errors.New("mail queue: a wake-up without a mail")
	}
	return r, nil
}

// newMail returns a mail that is due at once.
func newMail(actor cms.Actor, r MailRef, to string, now cms.Time) Mail {
	return Mail{
		MailRef: r, SubmissionMail: cms.SubmissionMail{To: to, Status: cms.MailPending,
			NextAt: now}, Due: cms.At(now.Add(queue.Grace)), RequestID: actor.RequestID,
	}
}

// Announce wakes a worker for each mail of a submission. It is called when an event is dispatched,
// and ignores all other events. An error is only logged, so that it does not delay webhooks; the
// sweeper wakes a worker later.
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
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	var msgs []queue.Message
	for _, v := range mails {
		if v.Status == cms.MailPending && v.Attempts == 0 {
			msgs = append(msgs, mailWake(v.MailRef, 0))
		}
	}
	m.sendMessages(ctx, msgs)
	return nil
}

func mailWake(r MailRef, delay time.Duration) queue.Message {
	return queue.Message{Body: db.MustMarshal(r), Group: r.FormID, Delay: min(max(delay, 0), queue.MaxDelay)}
}

// sendMessages sends messages to the queue. An error is only logged: the sweeper wakes a worker later.
func (m *Mails) sendMessages(ctx context.Context, msgs []queue.Message) {
	if len(msgs) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), mailQueueTime)
	defer cancel()
	if err := m.Queue.Send(ctx, msgs...); err != nil {
		m.Log.Warn("mail queue", "error", err.Error(), "messages", len(msgs))
	}
}

// Claim leases a mail to this worker, which must call Finish within 90 s. claimed is nil if there
// is nothing to do now; about is nil for a mail about an account.
func (m *Mails) Claim(ctx context.Context, r MailRef) (claimed *Mail, about *Submission, err error) {
	err = m.Store.Retry(ctx, func() error {
		claimed = nil
		v, submission, err := m.Store.Mail(ctx, r)
		if err != nil {
			return db.Missing(err, nil) // deleted meanwhile
		}
		now := m.Store.Now()
		switch {
		case v.Status != cms.MailPending, now.Before(v.Lease.Time):
			return nil
		case now.Before(v.NextAt.Time):
			if wait := v.NextAt.Sub(now.Time); wait <= queue.MaxDelay {
				m.sendMessages(ctx, []queue.Message{mailWake(r, wait)})
			}
			return nil
		}
		v.Lease = cms.At(now.Add(mailLease))
		v.Due = cms.At(v.Lease.Add(queue.Grace))
		tx := m.Store.Begin()
		PutMail(tx, &v)
		if err := m.Store.Commit(ctx, tx); err != nil {
			return err
		}
		claimed, about = &v, submission
		return nil
	})
	return claimed, about, err
}

// Finish stores the outcome of an attempt to send a claimed mail; sent is nil or the error. After a
// failure it plans the next attempt, unless the error is permanent or it was the last attempt.
func (m *Mails) Finish(ctx context.Context, v *Mail, sent error) error {
	now := m.Store.Now()
	v.Attempts++
	v.Lease, v.NextAt, v.Due, v.Error = cms.Time{}, cms.Time{}, cms.Time{}, nil
	var wait time.Duration
	var held bool // a message, by the queue until the next attempt
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
			var due time.Time
			due, held = queue.SweepAt(v.NextAt.Time, now.Time)
			v.Due = cms.At(due)
		}
	}
	if v.Notice != nil && v.Status != cms.MailPending {
		v.Notice.Paragraphs, v.Notice.Text = nil, "" // they may hold a token
	}
	if err := m.saveState(ctx, *v); err != nil {
		return err
	}
	if held {
		m.sendMessages(ctx, []queue.Message{mailWake(v.MailRef, wait)})
	}
	return nil
}

// saveState commits the state of a claimed mail.
func (m *Mails) saveState(ctx context.Context, v Mail) error {
	err := m.Store.Finish(ctx, func() error {
		next := v
		tx := m.Store.Begin()
		PutMail(tx, &next)
		return m.Store.Commit(ctx, tx)
	})
	if errors.Is(err, db.ErrOvertaken) {
		// The mail was deleted, its lease expired, or an earlier commit succeeded without an answer.
		m.Log.Warn("mail overtaken", "mail", v.ID())
		return nil
	}
	return err
}

// pause returns how long to wait after a number of failed attempts, with a jitter of 20 %.
func (m *Mails) pause(attempts int) time.Duration {
	wait := mailMaxWait
	if attempts <= 12 {
		wait = min(mailFirstWait<<(attempts-1), mailMaxWait)
	}
	return time.Duration(float64(wait) * (0.8 + 0.4*m.Rand()))
}

// reason returns the text of an error for the admin area, at most 300 characters.
func reason(err error) string {
	const limit = 300
	if errors.Is(err, context.DeadlineExceeded) {
		return "The mail service did not answer in time."
	}
	text := []rune(err.Error())
	return string(text[:min(len(text), limit)])
}
