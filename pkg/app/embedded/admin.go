package embedded

import (
	"log/slog"
	"net/http"

	"headless/pkg/admin"
	"headless/pkg/admin/frame"
	"headless/pkg/api/openapi"
	"headless/pkg/app"
)

func adminHandler(cfg app.Config, log *slog.Logger, on admin.Services) http.Handler {
	return admin.New(frame.Config{
		Log: log, SiteURL: cfg.SiteURL, MediaURL: cfg.MediaBaseURL, UploadMax: cfg.UploadMaxBytes,
		Description: openapi.AdminJSON,
	}, on)
}
