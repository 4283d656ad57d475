// Package deliveries wires what the functions share that send webhooks or wake up the worker that
// does.
package deliveries

import (
	"headless/pkg/app/awsconf/awssqs"
	"headless/pkg/app/function"
	"headless/pkg/app/webhooks"
	"headless/pkg/hooks"
	"headless/pkg/queue/sqs"
)

// New makes the service of webhooks on the queue that WEBHOOK_QUEUE_URL names.
func New(b *function.Base) (*hooks.Deliveries, error) {
	url, err := b.Need("WEBHOOK_QUEUE_URL")
	if err != nil {
		return nil, err
	}
	return webhooks.New(b.Config, hooks.Open(b.Keys.Store), sqs.New(awssqs.New(b.AWS, b.Getenv), url), b.Log)
}
