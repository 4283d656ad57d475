// Command image is the function that makes and serves variants of pictures.
package main

import (
	"headless/pkg/app/function"
	"headless/pkg/app/function/image"
)

func main() { function.Main(image.Start) }
