// Package admin is the function that serves the admin area.
package admin

import (
	"headless/pkg/admin"
	"headless/pkg/app/function"
	"headless/pkg/app/function/deliveries"
	"headless/pkg/app/lambdahttp"
	"headless/pkg/service"
)

// Start answers requests until the function ends.
func Start(b *function.Base) error {
	d, err := deliveries.New(b)
	if err != nil {
		return err
	}
	passwords := service.NewPasswords(0)
	entries := &service.Entries{Store: b.Store}
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
		admin.ModelRoutes(&service.Models{Store: b.Store, HasEntries: entries.ModelHasEntries}),
		admin.EntryRoutes(entries),
		admin.LogRoutes(b.Store),
		admin.WebhookRoutes(service.Webhooks{Deliveries: d}),
	)
	b.Warm()
	lambdahttp.Serve(area)
	return nil
}
