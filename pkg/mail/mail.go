// Package mail is the port to outgoing mail: one message to one address, as raw MIME.
//
// Two adapters implement it: mail/eml writes .eml objects through the blob port, mail/ses sends
// through Amazon SES. mail/mailtest holds their conformance suite.
package mail

import (
	"context"
	"errors"
	"time"
)

// ErrPermanent marks an error that sending again would not cure: an address or a message that is
// refused. Any other error of a Sender is worth a retry.
var ErrPermanent = errors.New("mail: refused for good")

// Message is a mail to one address.
type Message struct {
	// Of this mail, the same in each attempt: A-Z a-z 0-9 - _, at most 64; becomes part of
	// Message-ID.
	ID      string
	Date    time.Time // zero: the time of sending
	From    string    // an address, or a name and an address: `Site <no-reply@example.com>`
	To      string    // an address (see ValidAddress)
	ReplyTo string    // an address, or "" for none
	Subject string    // line breaks and other control characters become spaces; cut at 250 characters
	Text    string    // the plain text body
	HTML    string    // the HTML body; "" for none
}

// Sender sends mail.
type Sender interface {
	// Send hands m over. The error wraps ErrPermanent when it is no use to try again. A repeat may
	// arrive twice, under the same Message-ID.
	Send(ctx context.Context, m Message) error
}
