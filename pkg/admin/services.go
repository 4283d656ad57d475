package admin

import (
	"slices"

	"headless/pkg/service"
	"headless/pkg/store"
)

// Services are what the pages work on.
type Services struct {
	Store       *store.Store
	Users       *service.Users
	Sessions    *service.Sessions
	Keys        *service.Keys
	Locales     *service.Locales
	Settings    *service.Settings
	Models      *service.Models
	Entries     *service.Entries
	Media       *service.Media
	Forms       *service.Forms
	Submissions *service.Submissions
	Webhooks    service.Webhooks
}

// NewServices makes what needs no more than the store, beside what the caller has wired to other ports.
func NewServices(st *store.Store, passwords *service.Passwords, files *service.Media, submissions *service.Submissions, hooks *service.Deliveries) Services {
	entries := &service.Entries{Store: st, MediaTypes: files.Types, MediaInline: files.Inline}
	return Services{
		Store: st, Media: files, Submissions: submissions, Webhooks: service.Webhooks{Deliveries: hooks}, Entries: entries,
		Users: &service.Users{Store: st, Passwords: passwords}, Sessions: &service.Sessions{Store: st, Passwords: passwords},
		Keys: &service.Keys{Store: st}, Settings: &service.Settings{Store: st}, Forms: &service.Forms{Store: st},
		Locales: &service.Locales{Store: st, InUse: entries.LocaleInUse}, Models: &service.Models{Store: st, HasEntries: entries.ModelHasEntries},
	}
}

// routes are the tables of all resources.
func (s Services) routes() []Route {
	return slices.Concat(
		dashboardRoutes(s.Store), modelRoutes(s.Models), entryRoutes(s.Entries, s.Media), mediaRoutes(s.Media), formRoutes(s.Forms), submissionRoutes(s.Submissions),
		localeRoutes(s.Locales), settingRoutes(s.Settings, library{s.Entries, s.Media}), keyRoutes(s.Keys), webhookRoutes(s.Webhooks), userRoutes(s.Users), profileRoutes(s.Sessions), logRoutes(s.Store),
	)
}
