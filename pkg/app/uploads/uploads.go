// Package uploads wires media files, for the functions and the embedded server.
package uploads

import (
	"log/slog"

	"headless/pkg/app"
	"headless/pkg/blob"
	"headless/pkg/media/inspect"
	"headless/pkg/service"
	"headless/pkg/store"
)

// New makes the service on the stores of records and of objects as the configuration says.
func New(cfg app.Config, st *store.Store, blobs blob.Store, log *slog.Logger) *service.Media {
	allowed := cfg.UploadMimes
	if len(allowed) == 0 {
		allowed = inspect.DefaultAllowed()
	}
	return &service.Media{
		Store: st, Blobs: blobs, Inspector: inspect.New(inspect.Policy{Allowed: allowed}), BaseURL: cfg.MediaBaseURL,
		MaxBytes: cfg.UploadMaxBytes, DirectMaxBytes: cfg.UploadDirectMaxBytes, Log: log,
	}
}
