// Package timers wires the timers for the functions that wake workers for timers or handle them:
// schedules, releases, jobs and bundles.
package timers

import (
	"headless/pkg/app/function"
	"headless/pkg/app/function/entries"
	"headless/pkg/app/timers"
	"headless/pkg/hooks"
	"headless/pkg/jobs"
	"headless/pkg/site"
)

// New returns the timers. They use the queue of the webhooks, which wakes their workers too.
func New(b *function.Base, hooks *hooks.Deliveries) *jobs.Timers {
	entries, files := entries.New(b)
	files.Locales = (&site.Locales{Store: b.Keys.Store}).All
	t := timers.New(entries, files, hooks, b.Log)
	t.Queue = hooks.Queue
	return t
}
