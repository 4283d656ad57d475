// Package mail is the port for outgoing mail: one message to one address, as raw MIME.
//
// Two adapters implement it: mail/eml writes .eml objects through the blob port, mail/ses sends
// through Amazon SES. mail/mailtest holds their conformance suite.
package mail

import (
	"context"
	"errors"
	"time"
)

// ErrPermanent marks an error that a retry would not cure, because the address or the message is
// refused. Retry after any other error of a Sender.
var ErrPermanent = errors.New("mail: refused permanently")

// Message is a mail to one address.
type Message struct {
	// ID is the id of this mail, the same in each attempt: at most 64 of A-Z a-z 0-9 - _. It
	// becomes part of Message-ID.
	ID      string
	Date    time.Time // zero means the time of sending
	From    string    // an address, or a name and an address: `Site <no-reply@example.com>`
	To      string    // an address (see ValidAddress)
	ReplyTo string    // an address, or "" for none
	Subject string    // line breaks and other control characters become spaces; cut at 250 characters
	Text    string    // the plain text body
	HTML    string    // the HTML body; "" for none

	Unsubscribe string // URL of the page to end mails like this (RFC 2369); "" for none
}

// Sender sends mail.
type Sender interface {
	// Send sends m. The error wraps ErrPermanent if a retry is useless. After a retry a mail may
	// arrive twice, with the same Message-ID.
	Send(ctx context.Context, m Message) error
}
