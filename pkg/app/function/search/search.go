// Package search is the function that answers searches over all models.
package search

import (
	"headless/pkg/api"
	"headless/pkg/app/function"
	"headless/pkg/app/function/entries"
	"headless/pkg/editing"
)

// Start answers requests until the function ends.
func Start(b *function.Base) error {
	b.ServeAPI(api.SearchRoutes(&editing.Entries{Store: entries.Store(b)}))
	return nil
}
