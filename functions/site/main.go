// Command site is the function that answers ping, settings and locales.
package main

import (
	"headless/pkg/app/function"
	"headless/pkg/app/function/site"
)

func main() { function.Main(site.Start) }
