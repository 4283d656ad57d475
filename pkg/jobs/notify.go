package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"headless/pkg/forms"
	"headless/pkg/mail"
	"headless/pkg/queue"
)

// sendTimeout is how long the mail service may take for one mail.
const sendTimeout = 30 * time.Second

// Notifier works off the mail queue: it tells the addresses of a form of a submission, each by a
// mail of its own.
type Notifier struct {
	Mails   *forms.Mails
	Sender  mail.Sender
	From    string // an address, or a name and an address
	SiteURL string // root address of the service, for the link to the submission
}

// Handle does what the messages ask for, all at the same time, and gives the positions of those
// that must come again, ascending.
func (n Notifier) Handle(ctx context.Context, messages []queue.Message) (failed []int) {
	errs := make([]error, len(messages))
	each(len(messages), max(len(messages), 1), func(i int) { errs[i] = n.guarded(ctx, messages[i]) })
	return report(errs, n.Mails.Log, "mail worker")
}

// guarded keeps a message that makes the worker panic from failing the rest of its batch.
func (n Notifier) guarded(ctx context.Context, m queue.Message) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return n.One(ctx, m)
}

// One handles a single message; on an error it must come again.
func (n Notifier) One(ctx context.Context, m queue.Message) error {
	ref, err := forms.ParseMailWake(m.Body)
	if err != nil {
		return err
	}
	claimed, about, err := n.Mails.Claim(ctx, ref)
	if err != nil || claimed == nil {
		return err
	}
	var message mail.Message
	if claimed.Notice != nil {
		message = mail.Message{Subject: claimed.Notice.Subject, Text: claimed.Notice.Text}
	} else if message, err = notification(about, n.SiteURL); err != nil {
		return err
	}
	message.ID, message.From, message.To = ref.ID(), n.From, claimed.To
	timed, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	sent := n.Sender.Send(timed, message)
	switch {
	case sent == nil:
		n.Mails.Log.Info("mail sent", "request_id", claimed.RequestID, "mail", ref.ID(), "attempt",
			claimed.Attempts+1)
	case errors.Is(sent, context.Canceled) && ctx.Err() != nil:
		sent = errors.New("the service was stopped while it sent this mail")
	default:
		n.Mails.Log.Warn("mail not sent", "request_id", claimed.RequestID, "mail", ref.ID(),
			"attempt", claimed.Attempts+1,
			"permanent", errors.Is(sent, mail.ErrPermanent))
	}
	return n.Mails.Finish(context.WithoutCancel(ctx), claimed, sent)
}
