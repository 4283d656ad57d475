// Package image is the function that makes and serves variants of pictures (extensions §9).
package image

import (
	"context"
	"net/http"

	"headless/pkg/app/function"
	"headless/pkg/app/function/files"
	"headless/pkg/app/uploads"
	"headless/pkg/assets"
	"headless/pkg/assets/images"
	"headless/pkg/blob"
)

// maxBytes is the largest body of an answer: Lambda allows 6 MB, in which a body counts in base64.
const maxBytes = 4 << 20

// Start answers requests until the function ends.
func Start(b *function.Base) error {
	media, err := files.New(b)
	if err != nil {
		return err
	}
	original := blob.FileHandler(media.Blobs, assets.MediaPrefix)
	original = images.RedirectLarge(media.Blobs, assets.MediaPrefix, b.Config.MediaBaseURL,
		maxBytes, original)
	handler := uploads.Images(media, original, maxBytes)
	mux := http.NewServeMux()
	mux.Handle("/media/{id}", handler)
	mux.Handle("/media/{id}/{name}", handler)
	b.Serve(mux, func(context.Context) {})
	return nil
}
