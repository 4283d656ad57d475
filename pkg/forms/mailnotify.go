package forms

import (
	"context"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/queue"
)

// Language returns the language of mails that name none: the default locale of the site.
func (m *Mails) Language(ctx context.Context) (string, error) {
	site, err := m.Store.Site(ctx)
	if err != nil {
		return "", err
	}
	return site.Default, nil
}

// Notify adds a mail that is not about a submission to a transaction of actor. The mail worker is
// woken after the commit. An invalid address gets no mail.
func (m *Mails) Notify(tx *db.Tx, actor cms.Actor, to string, notice cms.Notice) {
	if !cms.ValidEmail(to) {
		return
	}
	v := newMail(actor, MailRef{FormID: AccountMails,
		SubmissionID: uuid.Must(uuid.NewV7()).String()}, to, tx.At())
	v.Notice = &notice
	PutMail(tx, &v)
	tx.Then(func(ctx context.Context) error {
		m.sendMessages(ctx, []queue.Message{mailWake(v.MailRef, 0)})
		return nil
	})
}
