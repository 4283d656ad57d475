// Package eml is the adapter of the mail port that writes each message as an .eml object, for the
// embedded server and deployments without a mail service. Any mail program can open the files.
package eml

import (
	"bytes"
	"context"
	"time"

	"headless/pkg/blob"
	"headless/pkg/mail"
)

// Prefix begins the key of every message: mail/<time>-<id>.eml, so that keys sort by time.
const Prefix = "mail/"

// Sender is a mail.Sender that writes to a blob store.
type Sender struct {
	store blob.Store
	now   func() time.Time
}

// New returns a Sender that writes to store. now gives the time for the keys.
func New(store blob.Store, now func() time.Time) *Sender { return &Sender{store, now} }

// Send implements mail.Sender.
func (s *Sender) Send(ctx context.Context, m mail.Message) error {
	now := s.now().UTC()
	if m.Date.IsZero() {
		m.Date = now
	}
	raw, err := m.Raw()
	if err != nil {
		return err
	}
	key := Prefix + now.Format("20060102T150405.000Z") + "-" + m.ID + ".eml"
	return s.store.Put(ctx, key, bytes.NewReader(raw), blob.Meta{ContentType: "message/rfc822"})
}
