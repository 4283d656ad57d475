// Package search is the function that serves searches over all models.
package search

import (
	"headless/pkg/api"
	"headless/pkg/app/function"
	"headless/pkg/app/function/entries"
	"headless/pkg/editing"
)

// Start serves until the function ends.
func Start(b *function.Base) error {
	b.ServeAPI(api.SearchRoutes(&editing.Entries{Store: entries.Store(b)}))
	return nil
}
