package forms

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/queue"
)

// Language returns the language of a mail: the one that the account with the address to chose for its
// pages, else the default locale of the site.
func (m *Mails) Language(ctx context.Context, to string) (string, error) {
	type account struct {
		Language string `json:"language"`
	}
	user, err := db.Docs[account]{DB: m.Store.DB, Kind: "user"}.ByName(ctx, strings.ToLower(to))
	if user.Value.Language != "" || err != nil && !errors.Is(err, db.ErrNotFound) {
		return user.Value.Language, err
	}
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
		m.send(ctx, []queue.Message{mailWake(v.MailRef, 0)})
		return nil
	})
}
