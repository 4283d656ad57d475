// Command site is the function that serves ping, settings and locales.
package main

import (
	"headless/pkg/api"
	"headless/pkg/app/function"
)

func main() { function.Main(start) }

// start serves until the function ends.
func start(b *function.Base) error {
	b.ServeAPI(api.SiteRoutes())
	return nil
}
