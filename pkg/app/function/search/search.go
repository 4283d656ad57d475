// Package search is the function that answers searches over all models.
package search

import (
	"headless/pkg/api"
	"headless/pkg/app/function"
	"headless/pkg/service"
)

// Start answers requests until the function ends.
func Start(b *function.Base) error {
	b.ServeAPI(api.SearchRoutes(&service.Entries{Store: b.Store}))
	return nil
}
