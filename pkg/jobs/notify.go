package jobs

import (
	"context"
	"errors"
	"time"

	"headless/pkg/forms"
	"headless/pkg/mail"
	"headless/pkg/queue"
)

// sendTimeout is the timeout for sending one mail.
const sendTimeout = 30 * time.Second

// Notifier handles the messages of the mail queue: it sends one mail for each message.
type Notifier struct {
	Mails   *forms.Mails
	Sender  mail.Sender
	From    string // a mail address, optionally with a name: "Name <address>"
	SiteURL string // URL of the service, for the link to the submission
}

// Handle handles all messages concurrently and returns the positions of those that must be
// delivered again, ascending.
func (n Notifier) Handle(ctx context.Context, messages []queue.Message) (failed []int) {
	errs := make([]error, len(messages))
	each(len(messages), max(len(messages), 1), func(i int) {
		errs[i] = protected(func() error { return n.One(ctx, messages[i]) })
	})
	return report(errs, n.Mails.Log, "mail worker")
}

// One handles a single message. After an error it must be delivered again.
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
		sent = errors.New("the service stopped while it was sending this mail")
	default:
		n.Mails.Log.Warn("mail not sent", "request_id", claimed.RequestID, "mail", ref.ID(),
			"attempt", claimed.Attempts+1,
			"permanent", errors.Is(sent, mail.ErrPermanent))
	}
	return n.Mails.Finish(context.WithoutCancel(ctx), claimed, sent)
}
