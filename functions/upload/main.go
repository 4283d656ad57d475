// Command upload is the function that accepts, lists and deletes media files.
package main

import (
	"headless/pkg/api"
	"headless/pkg/app/function"
	"headless/pkg/app/function/files"
)

func main() { function.Main(start) }

// start serves until the function ends.
func start(b *function.Base) error {
	media, err := files.New(b)
	if err != nil {
		return err
	}
	b.ServeAPI(api.UploadRoutes(media))
	return nil
}
