// Package upload is the function that accepts, lists and deletes media files.
package upload

import (
	"headless/pkg/api"
	"headless/pkg/app/function"
	"headless/pkg/app/function/files"
)

// Start serves until the function ends.
func Start(b *function.Base) error {
	media, err := files.New(b)
	if err != nil {
		return err
	}
	b.ServeAPI(api.UploadRoutes(media))
	return nil
}
