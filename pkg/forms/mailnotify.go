package forms

import (
	"context"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/queue"
	"headless/pkg/site"
)

// Site returns the language of mails that name none, the default locale of the site, and the name of the site, "" for
// none.
func (m *Mails) Site(ctx context.Context) (language, name string, err error) {
	now, err := m.Store.Site(ctx)
	if err != nil {
		return "", "", err
	}
	return now.Default, site.Name(now), nil
}

// Notify adds a mail that is not about a submission to a transaction of actor. The mail worker is
// woken after the commit. An invalid address gets no mail.
func (m *Mails) Notify(tx *db.Tx, actor cms.Actor, to string, notice cms.Notice) {
	if !cms.ValidEmail(to) {
		return
	}
	v := newMail(actor, MailRef{FormID: AccountMails, SubmissionID: uuid.Must(uuid.NewV7()).String()}, to, tx.At())
	v.Notice = &notice
	PutMail(tx, &v)
	tx.Then(func(ctx context.Context) error {
		m.sendMessages(ctx, []queue.Message{mailWake(v.MailRef, 0)})
		return nil
	})
}
