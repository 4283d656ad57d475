// Package ses is the adapter of the mail port for Amazon SES (API version 2).
package ses

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"

	"headless/pkg/mail"
)

// Sender is a mail.Sender on SES. It holds one operation of the client and not the client itself: in a
// program that calls methods by name, as html/template does, the linker would then keep all operations
// of SES.
type Sender struct {
	send func(context.Context, *sesv2.SendEmailInput, ...func(*sesv2.Options)) (*sesv2.SendEmailOutput, error)
}

// New returns a Sender that uses client, which retries throttled requests itself.
func New(client *sesv2.Client) *Sender { return &Sender{client.SendEmail} }

// Send implements mail.Sender.
func (s *Sender) Send(ctx context.Context, m mail.Message) error {
	env, err := m.Envelope()
	if err != nil {
		return err
	}
	raw, err := m.Raw()
	if err != nil {
		return err
	}
	_, err = s.send(ctx, &sesv2.SendEmailInput{
		FromEmailAddress: aws.String(env.From.Address),
		Destination:      &types.Destination{ToAddresses: []string{env.To}},
		Content:          &types.EmailContent{Raw: &types.RawMessage{Data: raw}},
	})
	if permanent(err) {
		return fmt.Errorf("%w: %w", mail.ErrPermanent, err)
	}
	return err
}

// permanent reports whether SES refused this message itself. Problems of the account, such as a
// paused account or an identity that is not verified yet, are not permanent: the mail is sent once
// the operator has solved them.
func permanent(err error) bool {
	var bad *types.BadRequestException
	var rejected *types.MessageRejected
	switch {
	case errors.As(err, &bad):
		return true
	case errors.As(err, &rejected):
		return !strings.Contains(rejected.ErrorMessage(), "not verified")
	}
	return false
}
