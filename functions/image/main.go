// Command image is the function that makes and serves variants of pictures (extensions §9).
package main

import (
	"context"
	"net/http"

	"headless/pkg/app/function"
	"headless/pkg/app/function/files"
	"headless/pkg/app/uploads"
	"headless/pkg/assets"
	"headless/pkg/assets/images"
	"headless/pkg/assets/webp"
	"headless/pkg/blob"
)

// maxBytes is the largest body of a response: Lambda allows 6 MB, including the overhead of base64.
const maxBytes = 4 << 20

func main() { function.Main(start) }

// start serves until the function ends.
func start(b *function.Base) error {
	media, err := files.New(b)
	if err != nil {
		return err
	}
	original := blob.FileHandler(media.Blobs, assets.MediaPrefix)
	original = images.RedirectLarge(media.Blobs, assets.MediaPrefix, b.Config.MediaBaseURL, maxBytes, original)
	handler := uploads.Images(media, original, maxBytes, webp.Encode)
	mux := http.NewServeMux()
	mux.Handle("/media/{id}", handler)
	mux.Handle("/media/{id}/{name}", handler)
	b.Serve(mux, func(context.Context) {})
	return nil
}
