// Package content is the function that answers requests for entries, and those that no other function takes.
package content

import (
	"headless/pkg/api"
	"headless/pkg/app/function"
	"headless/pkg/service"
)

// Start answers requests until the function ends.
func Start(b *function.Base) error {
	// Of media files it reads the records alone, so it needs no bucket.
	media := &service.Media{Store: b.Store, BaseURL: b.Config.MediaBaseURL}
	b.ServeAPI(api.ContentRoutes(&service.Entries{Store: b.Store, MediaTypes: media.Types, MediaInline: media.Inline}))
	return nil
}
