// Command search is the function that serves searches over all models.
package main

import (
	"headless/pkg/api"
	"headless/pkg/app/function"
	"headless/pkg/app/function/entries"
	"headless/pkg/editing"
)

func main() { function.Main(start) }

// start serves until the function ends.
func start(b *function.Base) error {
	b.ServeAPI(api.SearchRoutes(&editing.Entries{Store: entries.Store(b)}))
	return nil
}
