package jobs

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/pkg/forms"
	"headless/pkg/mail"
	"headless/pkg/queue"
	"headless/pkg/slice"
)

// sendTimeout is the timeout for sending one mail.
const sendTimeout = 30 * time.Second

// Notifier handles the messages of the mail queue: it sends one mail for each message.
type Notifier struct {
	Mails   *forms.Mails
	Sender  mail.Sender
	From    string // a mail address, optionally with a name: "Name <address>"
	SiteURL string // URL of the service, for the link to the submission
	// Language returns the language that fits a locale best: its code, its direction, ltr or rtl, and what says phrases
	// in it.
	Language func(locale string) (code, dir string, say func(cms.Phrase) string)
}

// Handle handles all messages concurrently and returns the positions of those that must be
// delivered again, ascending.
func (n Notifier) Handle(ctx context.Context, messages []queue.Message) (failed []int) {
	errs := make([]error, len(messages))
	eachLimited(len(messages), max(len(messages), 1), func(i int) {
		errs[i] = safely(func() error { return n.One(ctx, messages[i]) })
	})
	return reportErrors(errs, n.Mails.Log, "mail worker")
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
	message, err := n.writeMail(ctx, claimed, about)
	if err != nil {
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

// writeMail returns a claimed mail in the language of its reader, without sender and recipient. about is nil
// for a notice.
func (n Notifier) writeMail(ctx context.Context, claimed *forms.Mail,
	about *forms.Submission) (m mail.Message, err error) {
	notice := cmp.Or(claimed.Notice, &cms.Notice{})
	language, name, err := n.Mails.Site(ctx)
	if err != nil {
		return m, err
	}
	language = cmp.Or(notice.Language, language)
	if about != nil {
		return n.notification(about, language)
	}
	_, _, say := n.Language(language)
	if notice.Optional {
		m.Unsubscribe = n.SiteURL + "/admin/profile"
		notice.Paragraphs = append(notice.Paragraphs, cms.Phrased("This mail is from {1}. Choose in your profile which "+
			"mails you get:\n{2}", cmp.Or(name, n.SiteURL), m.Unsubscribe))
	}
	text := strings.Join(slice.Map(notice.Paragraphs, say), "\n\n") + "\n"
	m.Subject, m.Text = say(notice.Subject), cmp.Or(notice.Text, text)
	return m, nil
}
