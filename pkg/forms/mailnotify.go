package forms

import (
	"context"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/queue"
)

// Notify adds a mail that is not about a submission to a transaction of actor. The mail worker is
// woken after the commit. An invalid address gets no mail.
func (m *Mails) Notify(tx *db.Tx, actor cms.Actor, to, subject, text string) {
	if !cms.ValidEmail(to) {
		return
	}
	v := newMail(actor, MailRef{FormID: AccountMails,
		SubmissionID: uuid.Must(uuid.NewV7()).String()}, to, tx.At())
	v.Notice = &Notice{Subject: subject, Text: text}
	PutMail(tx, &v)
	tx.Then(func(ctx context.Context) error {
		m.send(ctx, []queue.Message{mailWake(v.MailRef, 0)})
		return nil
	})
}
