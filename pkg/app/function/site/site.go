// Package site is the function that answers ping, settings and locales.
package site

import (
	"headless/pkg/api"
	"headless/pkg/app/function"
)

// Start answers requests until the function ends.
func Start(b *function.Base) error {
	b.ServeAPI(api.SiteRoutes())
	return nil
}
