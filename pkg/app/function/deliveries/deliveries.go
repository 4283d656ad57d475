// Package deliveries wires the webhooks for the functions that send them or wake the worker that
// does.
package deliveries

import (
	"headless/pkg/app/awsconf/awssqs"
	"headless/pkg/app/function"
	"headless/pkg/app/webhooks"
	"headless/pkg/hooks"
	"headless/pkg/queue/sqs"
)

// New returns the use cases of webhooks with the queue that WEBHOOK_QUEUE_URL names.
func New(b *function.Base) (*hooks.Deliveries, error) {
	url, err := b.Need("WEBHOOK_QUEUE_URL")
	if err != nil {
		return nil, err
	}
	return webhooks.New(b.Config, hooks.Open(b.Keys.Store), sqs.New(awssqs.New(b.AWS, b.Getenv), url), b.Log)
}
