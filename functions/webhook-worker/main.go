// Command webhook-worker is the function that sends deliveries to their receivers. It reads the
// webhook queue.
package main

import (
	"headless/pkg/app/function"
	"headless/pkg/app/function/deliveries"
	"headless/pkg/app/function/secrets"
	"headless/pkg/app/function/timers"
	"headless/pkg/forms"
	"headless/pkg/jobs"
)

func main() { function.Main(start) }

// start processes messages until the function ends.
func start(b *function.Base) error {
	secrets.Use(b)
	d, err := deliveries.New(b)
	if err != nil {
		return err
	}
	d.Mailer = &forms.Mails{Store: forms.Open(b.Keys.Store),
		Log: b.Log} // without a queue: the sweeper wakes the mail worker
	b.ServeQueue(jobs.Deliverer{Deliveries: d, Timers: timers.New(b, d)}.Handle)
	return nil
}
