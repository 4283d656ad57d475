// Package site is the function that serves ping, settings and locales.
package site

import (
	"headless/pkg/api"
	"headless/pkg/app/function"
)

// Start serves until the function ends.
func Start(b *function.Base) error {
	b.ServeAPI(api.SiteRoutes())
	return nil
}
