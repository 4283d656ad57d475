// Package upload is the function that takes, lists and removes media files.
package upload

import (
	"headless/pkg/api"
	"headless/pkg/app/function"
	"headless/pkg/app/function/files"
)

// Start answers requests until the function ends.
func Start(b *function.Base) error {
	media, err := files.New(b)
	if err != nil {
		return err
	}
	b.ServeAPI(api.UploadRoutes(media))
	return nil
}
