// Command admin is the function that serves the admin area.
package main

import (
	"headless/pkg/app/function"
	"headless/pkg/app/function/admin"
)

func main() { function.Main(admin.Start) }
