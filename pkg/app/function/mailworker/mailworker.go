// Package mailworker wires the function that sends mail.
package mailworker

import (
	"fmt"
	"time"

	"headless/pkg/admin/say"
	"headless/pkg/app/awsconf/awss3"
	"headless/pkg/app/awsconf/awssesv2"
	"headless/pkg/app/function"
	"headless/pkg/app/function/mails"
	"headless/pkg/blob/s3"
	"headless/pkg/jobs"
	"headless/pkg/mail"
	"headless/pkg/mail/eml"
	"headless/pkg/mail/ses"
)

// Start processes messages until the function ends.
func Start(b *function.Base) error {
	m, err := mails.New(b)
	if err != nil {
		return err
	}
	sender, err := sender(b)
	if err != nil {
		return err
	}
	if _, err := mail.ParseSender(b.Config.MailFrom); err != nil {
		return fmt.Errorf("MAIL_FROM: %w", err)
	}
	b.ServeQueue(jobs.Notifier{Mails: m, Sender: sender, From: b.Config.MailFrom,
		SiteURL: b.Config.SiteURL, Language: say.ForVisitor}.Handle)
	return nil
}

// sender returns the sender for MAIL_MODE: SES, or a file for each mail in the bucket.
func sender(b *function.Base) (mail.Sender, error) {
	switch mode := b.Getenv("MAIL_MODE"); mode {
	case "ses":
		return ses.New(awssesv2.New(b.AWS, b.Getenv)), nil
	case "eml":
		bucket, err := b.Need("MEDIA_BUCKET")
		if err != nil {
			return nil, err
		}
		return eml.New(s3.New(awss3.New(b.AWS, b.Getenv), bucket), time.Now), nil
	default:
		return nil, fmt.Errorf("MAIL_MODE must be ses or eml, not %q", mode)
	}
}
