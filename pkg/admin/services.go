package admin

import (
	"slices"

	"headless/pkg/access"
	"headless/pkg/access/passkeys"
	"headless/pkg/access/passwords"
	"headless/pkg/apikeys"
	"headless/pkg/assets"
	"headless/pkg/editing"
	"headless/pkg/forms"
	"headless/pkg/hooks"
	"headless/pkg/links"
	"headless/pkg/oidc/provider"
	"headless/pkg/planning"
	"headless/pkg/presence"
	"headless/pkg/redirects"
	"headless/pkg/rooms"
	"headless/pkg/settings"
	"headless/pkg/site"
	"headless/pkg/transfer"
	"headless/pkg/views"
)

// Services are what the pages work on.
type Services struct {
	Store       *rooms.Stores
	Users       *access.Users
	Sessions    *access.Sessions
	Keys        *apikeys.Keys
	Locales     *site.Locales
	Settings    *settings.Settings
	Models      *site.Models
	Entries     *editing.Entries
	Media       *assets.Media
	Forms       *forms.Forms
	Submissions *forms.Submissions
	Webhooks    hooks.Webhooks
	Roles       *access.Roles
	Schedules   *planning.Schedules
	Jobs        *planning.Jobs
	Invitations *access.Invitations
	Releases    *planning.Releases
	Redirects   *redirects.Redirects
	Presence    *presence.Store
	Views       *views.Store
	Provider    *provider.Provider // nil: none
	Passkeys    *passkeys.Passkeys
}

// NewServices makes what needs no more than the store, beside what the caller has wired to other
// ports.
func NewServices(st *rooms.Stores, hasher *passwords.Hasher, files *assets.Media,
	submissions *forms.Submissions, hooksNow *hooks.Deliveries) Services {
	entries := &editing.Entries{Store: st.Content, MediaTypes: files.Types, MediaInline: files.Inline}
	entries.Uses = links.Usage{Store: entries.Store}
	files.Uses = entries.Uses
	schedules := planning.NewSchedules(entries)
	users, sessions := &access.Users{Store: st.Access, Passwords: hasher},
		&access.Sessions{Store: st.Access, Passwords: hasher}
	return Services{
		Store: st, Media: files, Submissions: submissions,
		Webhooks: hooks.Webhooks{Deliveries: hooksNow}, Entries: entries,
		Schedules: schedules, Jobs: &planning.Jobs{Store: st.Content, Entries: entries},
		Releases: &planning.Releases{Store: st.Content, Entries: entries},
		Users:    users, Sessions: sessions, Invitations: &access.Invitations{Store: st.Access,
			Users: users, Sessions: sessions},
		Passkeys: &passkeys.Passkeys{Sessions: sessions},
		Roles:    &access.Roles{Store: st.Access}, Keys: &apikeys.Keys{Store: st.Keys},
		Settings: &settings.Settings{Store: st.Site}, Forms: &forms.Forms{Store: st.Forms},
		Redirects: &redirects.Redirects{Store: st.Redirects},
		Presence:  &presence.Store{DB: st.DB}, Views: &views.Store{DB: st.DB},
		Locales: &site.Locales{Store: st.Site, InUse: entries.LocaleInUse},
		Models:  &site.Models{Store: st.Site, HasEntries: entries.ModelHasEntries},
	}
}

// routes are the tables of all resources.
func (s Services) routes() []Route {
	return slices.Concat(
		schemaRoutes(s.schemas()), importRoutes(transfer.Importer{Entries: s.Entries}, s.Media),
		dashboardRoutes(s.Store, s.Releases),
		modelRoutes(modelHandlers{s.Models, s.schemas(), s.Entries.Store}),
		s.entryRoutes(), searchRoutes(s.Entries),
		linkRoutes(s.Entries), helpRoutes(), scheduleRoutes(s.Schedules), jobRoutes(s.Jobs),
		releaseRoutes(s.Releases), plannedRoutes(s.Releases),
		mediaRoutes(s.Media, links.Usage{Store: s.Entries.Store}, s.Jobs), formRoutes(s.Forms),
		submissionRoutes(s.Submissions),
		localeRoutes(s.Locales), settingRoutes(s.Settings, library{s.Entries, s.Media}),
		keyRoutes(s.Keys), webhookRoutes(s.Webhooks), profileRoutes(s.Sessions), logRoutes(s.Store),
		accessRoutes(s),
		redirectRoutes(s.Redirects),
		purgeRoutes(&site.Purges{Store: s.Store.Site}),
	)
}

// entryRoutes are the routes of entries with what other rooms add to them.
func (s Services) entryRoutes() []Route {
	h := entryHandlers{library{s.Entries, s.Media}}
	routes := withSchedules(entryRoutes(s.Entries, s.Media), s.Schedules)
	saved := viewHandlers{h, s.Views}
	wrap(routes, "GET", "/models/{slug}/entries", saved.withViews)
	return slices.Concat(routes, presenceRoutes(presenceHandlers{h, s.Presence}), viewRoutes(saved))
}
