// Command upload is the function that takes, lists and removes media files.
package main

import (
	"headless/pkg/app/function"
	"headless/pkg/app/function/upload"
)

func main() { function.Main(upload.Start) }
