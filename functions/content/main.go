// Command content is the function that serves entries, and all requests that no other function
// handles.
package main

import (
	"slices"

	"headless/pkg/api"
	"headless/pkg/app/function"
	"headless/pkg/app/function/entries"
	"headless/pkg/links"
	"headless/pkg/planning"
)

func main() { function.Main(start) }

// start serves until the function ends.
func start(b *function.Base) error {
	entries, _ := entries.New(b)
	entries.Uses = links.Usage{Store: entries.Store}
	schedules := planning.NewSchedules(entries)
	b.ServeAPI(slices.Concat(api.ContentRoutes(entries), api.ScheduleRoutes(schedules)))
	return nil
}
