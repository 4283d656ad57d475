// Command webhook-worker is the function that sends deliveries to their receivers. It reads the
// webhook queue.
package main

import (
	"headless/pkg/app/function"
	"headless/pkg/app/function/deliveries"
	"headless/pkg/app/function/mails"
	"headless/pkg/app/function/secrets"
	"headless/pkg/app/function/timers"
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
	mail, err := mails.New(b)
	if err != nil {
		return err
	}
	d.Mailer = mail
	b.ServeQueue(jobs.Deliverer{Deliveries: d, Timers: timers.New(b, d)}.Handle)
	return nil
}
