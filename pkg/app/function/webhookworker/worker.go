// Package webhookworker is the function that sends deliveries to their receivers. It reads the webhook queue.
package webhookworker

import (
	"headless/pkg/app/function"
	"headless/pkg/app/function/deliveries"
	"headless/pkg/jobs"
)

// Start works off messages until the function ends.
func Start(b *function.Base) error {
	d, err := deliveries.New(b)
	if err != nil {
		return err
	}
	function.ServeQueue(jobs.Deliverer{Deliveries: d}.Handle)
	return nil
}
