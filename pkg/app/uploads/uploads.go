// Package uploads wires media files, for the functions and the embedded server.
package uploads

import (
	"context"
	"log/slog"
	"net/http"
	"sync"

	"headless/pkg/app"
	"headless/pkg/assets"
	"headless/pkg/assets/images"
	"headless/pkg/assets/inspect"
	"headless/pkg/assets/picture"
	"headless/pkg/blob"
	"headless/pkg/content"
	"headless/pkg/links"
	"headless/pkg/site"
)

// maker limits the memory of all pictures that the process decodes, for placeholders and for variants.
var maker = sync.OnceValue(picture.NewMaker)

// New returns the use cases of media files on a store of records and a store of objects.
func New(cfg app.Config, st *content.Store, blobs blob.Store, log *slog.Logger) *assets.Media {
	inspector := inspect.New(inspect.Accepting(cfg.UploadMimes))
	inspector.Placeholder = maker().Placeholder
	return &assets.Media{
		Store: st.Assets, Blobs: blobs, Inspector: inspector,
		BaseURL: cfg.MediaBaseURL, SiteURL: cfg.SiteURL, FormerURLs: cfg.MediaFormerURLs,
		MaxBytes: cfg.UploadMaxBytes, DirectMaxBytes: cfg.UploadDirectMaxBytes, Log: log,
		Uses: links.Usage{Store: st}, Locales: (&site.Locales{Store: st.Store}).All,
	}
}

// Images returns the handler of files and their variants below /media/{id}. original serves the
// files themselves. lossy is given by the programs that make variants, so that the others
// need not link its encoder.
func Images(files *assets.Media, original http.Handler, maxBytes int64, lossy images.LossyWebP) *images.Server {
	return &images.Server{
		Blobs: files.Blobs, Prefix: assets.MediaPrefix, Maker: maker(),
		Lossy: lossy, Original: original, MaxBytes: maxBytes, Log: files.Log,
		Find: func(ctx context.Context, id string) (f images.File, err error) {
			m, err := files.File(ctx, id)
			if err != nil || m == nil || m.Width == nil || m.Height == nil {
				return f, err
			}
			width, height := m.WholeSize()
			return images.File{Width: width, Height: height, Focal: m.Focal, Crop: m.Crop, Scalable: m.Scalable}, nil
		},
	}
}
