// Package entries opens the content for the functions that read or change it.
package entries

import (
	"headless/pkg/app/function"
	"headless/pkg/assets"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/richtext/process"
)

// Store opens the entries and the records of media files.
func Store(b *function.Base) *content.Store {
	return content.Open(b.Keys.Store, assets.Open(b.Keys.DB))
}

// New returns the use cases of entries, and of media files as far as entries need them. There is no
// bucket, so files can be shown but not stored.
func New(b *function.Base) (*editing.Entries, *assets.Media) {
	store := Store(b)
	media := &assets.Media{Store: store.Assets, BaseURL: b.Config.MediaBaseURL,
		SiteURL: b.Config.SiteURL, FormerURLs: b.Config.MediaFormerURLs}
	return &editing.Entries{Store: store, MediaTypes: media.Types, MediaInline: media.Inline,
		Files: media, HTML: process.New("").HTML}, media
}
