package forms

import (
	"context"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/queue"
)

// Notify puts a mail into a transaction of actor that is about no submission. The mail worker is
// woken after the commit, or by the sweeper where there is no queue.
func (m *Mails) Notify(tx *db.Tx, actor cms.Actor, to, subject, text string) {
	if !cms.ValidEmail(to) {
		return
	}
	v := newMail(actor, MailRef{FormID: AccountMails,
		SubmissionID: uuid.Must(uuid.NewV7()).String()}, to, tx.At())
	if m.Queue == nil {
		v.Due = tx.At()
	}
	v.Notice = &Notice{Subject: subject, Text: text}
	PutMail(tx, &v)
	if m.Queue != nil {
		tx.Then(func(ctx context.Context) error {
			m.send(ctx, []queue.Message{mailWake(v.MailRef, 0)})
			return nil
		})
	}
}
