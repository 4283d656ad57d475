// Package admin is the function that serves the admin area.
package admin

import (
	"context"
	"sync/atomic"

	"headless/pkg/admin"
	"headless/pkg/api/openapi"
	"headless/pkg/app/function"
	"headless/pkg/app/function/deliveries"
	"headless/pkg/app/function/files"
	"headless/pkg/app/lambdahttp"
	"headless/pkg/service"
	"headless/pkg/spam"
)

// Start answers requests until the function ends.
func Start(b *function.Base) error {
	hooks, err := deliveries.New(b)
	if err != nil {
		return err
	}
	media, err := files.New(b)
	if err != nil {
		return err
	}
	passwords := service.NewPasswords(0)
	entries := &service.Entries{Store: b.Store, MediaTypes: media.Types, MediaInline: media.Inline}
	models := &service.Models{Store: b.Store, HasEntries: entries.ModelHasEntries}
	var changed atomic.Bool
	models.OnReindex = func() { changed.Store(true) }
	cfg := admin.Config{
		Store: b.Store, Sessions: &service.Sessions{Store: b.Store, Passwords: passwords}, Log: b.Log,
		SiteURL: b.Config.SiteURL, MediaURL: b.Config.MediaBaseURL, UploadMax: b.Config.UploadMaxBytes,
	}
	area := admin.New(cfg,
		admin.DashboardRoutes(b.Store),
		admin.UserRoutes(&service.Users{Store: b.Store, Passwords: passwords}),
		admin.KeyRoutes(&service.Keys{Store: b.Store}),
		admin.LocaleRoutes(&service.Locales{Store: b.Store, InUse: entries.LocaleInUse}),
		admin.SettingRoutes(&service.Settings{Store: b.Store}, b.Store),
		admin.ModelRoutes(models),
		admin.EntryRoutes(entries),
		admin.FormRoutes(&service.Forms{Store: b.Store}, &service.Submissions{
			Store: b.Store, Recaptcha: spam.Verifier{URL: b.Config.RecaptchaVerifyURL}, Log: b.Log,
		}),
		admin.MediaRoutes(media),
		admin.LogRoutes(b.Store),
		admin.DescriptionRoutes(openapi.AdminJSON()),
		admin.WebhookRoutes(service.Webhooks{Deliveries: hooks}),
	)
	b.Warm()
	// Entries move to the index of a changed model behind the answer; what does not fit into the function's time is the sweeper's.
	lambdahttp.ServeAndFlush(area, func(ctx context.Context) {
		if !changed.Swap(false) {
			return
		}
		if err := models.Reindex(ctx); err != nil && ctx.Err() == nil {
			b.Log.Error("reindex", "error", err.Error())
		}
	})
	return nil
}
