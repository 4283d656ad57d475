// Package content is the function that answers requests for entries, and those that no other
// function takes.
package content

import (
	"slices"

	"headless/pkg/api"
	"headless/pkg/app/function"
	"headless/pkg/app/function/entries"
	"headless/pkg/links"
	"headless/pkg/planning"
)

// Start answers requests until the function ends.
func Start(b *function.Base) error {
	entries, _ := entries.New(b)
	entries.Uses = links.Usage{Store: entries.Store}
	schedules := planning.NewSchedules(entries)
	b.ServeAPI(slices.Concat(api.ContentRoutes(entries), api.ScheduleRoutes(schedules)))
	return nil
}
