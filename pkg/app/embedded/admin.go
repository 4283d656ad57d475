package embedded

import (
	"context"
	"log/slog"
	"net/http"

	"headless/pkg/admin"
	"headless/pkg/api/openapi"
	"headless/pkg/app"
)

// FirstUser tells that the first user of the admin area was made; Password is set when it was made up.
type FirstUser struct {
	Created         bool
	Email, Password string
}

// setUp gives an empty store its first locale and user.
func setUp(ctx context.Context, cfg app.Config, on admin.Services) (FirstUser, error) {
	if err := on.Locales.EnsureDefault(ctx); err != nil {
		return FirstUser{}, err
	}
	created, generated, err := on.Users.EnsureFirst(ctx, cfg.AdminEmail, cfg.AdminPassword)
	return FirstUser{Created: created, Email: cfg.AdminEmail, Password: generated}, err
}

func adminHandler(cfg app.Config, log *slog.Logger, on admin.Services) http.Handler {
	return admin.New(admin.Config{
		Log: log, SiteURL: cfg.SiteURL, MediaURL: cfg.MediaBaseURL, UploadMax: cfg.UploadMaxBytes, Description: openapi.AdminJSON(),
	}, on)
}
