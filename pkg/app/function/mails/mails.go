// Package mails wires the mails for the mail worker and the functions that wake it.
package mails

import (
	"math/rand/v2"

	"headless/pkg/app/awsconf/awssqs"
	"headless/pkg/app/function"
	"headless/pkg/forms"
	"headless/pkg/queue/sqs"
)

// New returns the use cases of mails with the queue that MAIL_QUEUE_URL names.
func New(b *function.Base) (*forms.Mails, error) {
	url, err := b.Need("MAIL_QUEUE_URL")
	if err != nil {
		return nil, err
	}
	return &forms.Mails{Store: forms.Open(b.Keys.Store), Queue: sqs.New(awssqs.New(b.AWS, b.Getenv),
		url), Rand: rand.Float64, Log: b.Log}, nil
}
