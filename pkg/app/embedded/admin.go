package embedded

import (
	"context"
	"log/slog"
	"net/http"

	"headless/pkg/admin"
	"headless/pkg/api/openapi"
	"headless/pkg/app"
	"headless/pkg/service"
	"headless/pkg/store"
)

// FirstUser tells that the first user of the admin area was made; Password is set when it was made up.
type FirstUser struct {
	Created         bool
	Email, Password string
}

// adminServices are the services behind the admin area.
type adminServices struct {
	users    *service.Users
	sessions *service.Sessions
	keys     *service.Keys
	locales  *service.Locales
	settings *service.Settings
	models   *service.Models
	webhooks service.Webhooks
	entries  *service.Entries
	media    *service.Media
}

func newAdminServices(st *store.Store, entries *service.Entries, deliveries *service.Deliveries) adminServices {
	passwords := service.NewPasswords(0)
	return adminServices{
		users: &service.Users{Store: st, Passwords: passwords}, sessions: &service.Sessions{Store: st, Passwords: passwords},
		keys: &service.Keys{Store: st}, settings: &service.Settings{Store: st}, entries: entries,
		locales: &service.Locales{Store: st, InUse: entries.LocaleInUse}, models: &service.Models{Store: st, HasEntries: entries.ModelHasEntries},
		webhooks: service.Webhooks{Deliveries: deliveries},
	}
}

// setUp gives an empty store its first locale and user.
func (s adminServices) setUp(ctx context.Context, cfg app.Config) (FirstUser, error) {
	if err := s.locales.EnsureDefault(ctx); err != nil {
		return FirstUser{}, err
	}
	created, generated, err := s.users.EnsureFirst(ctx, cfg.AdminEmail, cfg.AdminPassword)
	return FirstUser{Created: created, Email: cfg.AdminEmail, Password: generated}, err
}

func adminHandler(cfg app.Config, log *slog.Logger, st *store.Store, s adminServices, m *mailing) http.Handler {
	return admin.New(
		admin.Config{Store: st, Sessions: s.sessions, Log: log, SiteURL: cfg.SiteURL, MediaURL: cfg.MediaBaseURL, UploadMax: cfg.UploadMaxBytes},
		admin.DashboardRoutes(st), admin.UserRoutes(s.users), admin.KeyRoutes(s.keys), admin.LocaleRoutes(s.locales),
		admin.SettingRoutes(s.settings, st), admin.ModelRoutes(s.models), admin.EntryRoutes(s.entries), admin.LogRoutes(st),
		admin.WebhookRoutes(s.webhooks), admin.FormRoutes(&service.Forms{Store: st}, m.submissions), admin.MediaRoutes(s.media),
		admin.DescriptionRoutes(openapi.AdminJSON()),
	)
}
