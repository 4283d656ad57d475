package admin

import (
	"context"
	"net/http"
	"slices"

	"headless/pkg/access"
	"headless/pkg/access/accesstokens"
	"headless/pkg/access/grants"
	"headless/pkg/access/passkeys"
	"headless/pkg/access/passwords"
	"headless/pkg/admin/accounts"
	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entrypages"
	"headless/pkg/admin/filepages"
	"headless/pkg/admin/formpages"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/healthpages"
	"headless/pkg/admin/homepages"
	"headless/pkg/admin/hookpages"
	"headless/pkg/admin/listpages"
	"headless/pkg/admin/modelpages"
	"headless/pkg/admin/oauth"
	"headless/pkg/admin/pickers"
	"headless/pkg/admin/planpages"
	"headless/pkg/admin/presences"
	"headless/pkg/admin/presetpages"
	"headless/pkg/admin/previewpages"
	"headless/pkg/admin/quickedit"
	"headless/pkg/admin/reviewpages"
	"headless/pkg/admin/sitepages"
	"headless/pkg/admin/targetpages"
	"headless/pkg/admin/textblocks"
	"headless/pkg/admin/trashpages"
	"headless/pkg/admin/treepages"
	"headless/pkg/admin/writing"
	"headless/pkg/apikeys"
	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/comments"
	"headless/pkg/docs/pages"
	"headless/pkg/editing"
	"headless/pkg/editing/takeback"
	"headless/pkg/forms"
	formfiles "headless/pkg/forms/files"
	"headless/pkg/hooks"
	"headless/pkg/links"
	"headless/pkg/links/preview"
	"headless/pkg/menus"
	"headless/pkg/oidc/provider"
	"headless/pkg/planning"
	"headless/pkg/planning/bulk"
	"headless/pkg/planning/leaving"
	"headless/pkg/presence"
	"headless/pkg/presets"
	"headless/pkg/redirects"
	"headless/pkg/review"
	"headless/pkg/rooms"
	"headless/pkg/schema"
	"headless/pkg/settings"
	"headless/pkg/site"
	"headless/pkg/targets"
	"headless/pkg/transfer"
	"headless/pkg/views"
)

// Services are the services that the admin pages call.
type Services struct {
	Store       *rooms.Stores
	Users       *access.Users
	Sessions    *access.Sessions
	Tokens      *accesstokens.Tokens
	Grants      *grants.Grants
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
	Leaving     leaving.Work
	Jobs        *bulk.Jobs
	Invitations *access.Invitations
	Releases    *planning.Releases
	Redirects   *redirects.Redirects
	Presence    *presence.Store
	Views       *views.Store
	Presets     *presets.Store
	Reviews     *review.Reviews
	Comments    *comments.Comments
	Provider    *provider.Provider // nil without a provider
	Passkeys    *passkeys.Passkeys
}

// NewServices makes the services that need only the store. The caller passes those that also need
// other ports: assets, submissions and webhook deliveries.
func NewServices(st *rooms.Stores, hasher *passwords.Hasher, files *assets.Media,
	submissions *forms.Submissions, hooksNow *hooks.Deliveries) Services {
	entries := &editing.Entries{Store: st.Content, MediaTypes: files.Types, MediaInline: files.Inline, Files: files}
	submissions.Files = formfiles.Files{Blobs: files.Blobs, Inspector: files.Inspector, MaxBytes: files.MaxBytes}
	entries.Uses = links.Usage{Store: entries.Store}
	files.Uses = entries.Uses
	schedules := planning.NewSchedules(entries)
	all, redirectsNow := &settings.Settings{Store: st.Site}, &redirects.Redirects{Store: st.Redirects}
	texts := map[string]takeback.PutText{cms.AreaMedia: assets.PutAlt(files), cms.AreaSettings: all.PutText,
		cms.AreaRedirects: redirectsNow.PutText}
	users, sessions := &access.Users{Store: st.Access, Passwords: hasher},
		&access.Sessions{Store: st.Access, Passwords: hasher}
	on := Services{
		Store: st, Media: files, Submissions: submissions,
		Webhooks: hooks.Webhooks{Deliveries: hooksNow}, Entries: entries,
		Schedules: schedules, Jobs: &bulk.Jobs{Store: st.Content, Entries: entries, Texts: texts},
		Releases: &planning.Releases{Store: st.Content, Entries: entries},
		Users:    users, Sessions: sessions, Tokens: &accesstokens.Tokens{Sessions: sessions},
		Grants: &grants.Grants{DB: st.DB}, Invitations: &access.Invitations{Store: st.Access,
			Users: users, Sessions: sessions},
		Passkeys: &passkeys.Passkeys{Sessions: sessions},
		Roles:    &access.Roles{Store: st.Access}, Keys: &apikeys.Keys{Store: st.Keys},
		Settings: all, Forms: &forms.Forms{Store: st.Forms},
		Redirects: redirectsNow,
		Presence:  &presence.Store{DB: st.DB}, Views: &views.Store{DB: st.DB},
		Presets: &presets.Store{DB: st.DB},
		Locales: &site.Locales{Store: st.Site, InUse: entries.LocaleInUse},
		Models:  &site.Models{Store: st.Site, HasEntries: entries.ModelHasEntries},
	}
	on.Reviews, on.Comments = &review.Reviews{Entries: entries}, &comments.Comments{Entries: entries}
	on.Leaving = leaving.Work{Schedules: on.Schedules, Releases: on.Releases, Jobs: on.Jobs,
		Reviews: on.Reviews, Comments: on.Comments, Links: preview.Links{Entries: entries}}
	users.Leave, sessions.Leave = on.Leaving.Leave, on.Leaving.Leave
	on.Models.FollowSlug = on.schemas().FollowSlug
	return on
}

// targets returns the use cases of the sites that are built from the content.
func (s Services) targets() *targets.Targets {
	t := &targets.Targets{DB: s.Store.DB}
	if s.Webhooks.Deliveries != nil {
		t.Client = s.Webhooks.Client
	}
	return t
}

// Handler serves the admin area and, outside it, the endpoints by which programs get to act as users, the guides, and
// the calls of providers of builds.
func (s Services) Handler(cfg frame.Config) http.Handler {
	guides := &pages.Site{HTML: s.Entries.HTML, URL: cfg.SiteURL, Log: cfg.Log}
	programs := oauth.Endpoints{Grants: s.Grants, SiteURL: cfg.SiteURL, Log: cfg.Log}
	return targetpages.Hooks{Targets: s.targets(), Log: cfg.Log, Next: programs.Handler(guides.Handler(New(cfg, s)))}
}

func (s Services) menus() *menus.Menus { return &menus.Menus{Store: s.Entries.Store} }

// entryHandlers returns what pages about entries share.
func (s Services) entryHandlers() entrydata.EntryHandlers {
	return entrydata.EntryHandlers{Library: pickers.Library{Entries: s.Entries, Files: s.Media}}
}

// routes returns the routes of all pages.
func (s Services) routes() []frame.Route {
	return slices.Concat(
		modelpages.SchemaRoutes(s.schemas()),
		homepages.ImportRoutes(transfer.Importer{Entries: s.Entries}, s.Media, s.menus()),
		homepages.StartRoutes(s.schemas(), transfer.Importer{Entries: s.Entries}, s.Media),
		homepages.DashboardRoutes(s.Store, s.Releases, s.Reviews),
		modelpages.ModelRoutes(modelpages.ModelHandlers{Models: s.Models, Schemas: s.schemas(),
			Entries: s.Entries.Store}),
		s.entryRoutes(), homepages.SearchRoutes(s.Entries),
		writing.LinkRoutes(s.Entries), s.helpRoutes(), planpages.ScheduleRoutes(s.Schedules),
		planpages.JobRoutes(s.Jobs, s.entryHandlers(), s.Redirects),
		planpages.CSVRoutes(s.entryHandlers(), s.Jobs, s.Media),
		reviewpages.ReviewRoutes(s.reviewHandlers()), reviewpages.CommentRoutes(s.reviewHandlers()),
		reviewpages.TaskRoutes(s.Reviews),
		planpages.ReleaseRoutes(s.Releases, s.Jobs), planpages.PlannedRoutes(s.Releases, s.Reviews),
		previewpages.Routes(s.Releases),
		filepages.MediaRoutes(s.Media, links.Usage{Store: s.Entries.Store}, s.Jobs, s.fetch),
		formpages.FormRoutes(s.Forms),
		formpages.SubmissionRoutes(s.Submissions),
		healthpages.Routes(s.entryHandlers(), s.Jobs),
		trashpages.Routes(s.Entries), sitepages.LocaleRoutes(s.Locales),
		sitepages.SettingRoutes(s.Settings, s.entryHandlers().Library),
		accounts.KeyRoutes(s.Keys), hookpages.WebhookRoutes(s.Webhooks),
		accounts.ProfileRoutes(s.Sessions), homepages.LogRoutes(s.Store),
		homepages.PeopleRoutes(s.Store, s.Comments, s.Submissions, s.Invitations),
		homepages.StyleGuideRoutes(),
		accessRoutes(s),
		sitepages.RedirectRoutes(s.Redirects, s.Jobs), sitepages.MenuRoutes(s.menus(), s.entryHandlers()),
		targetpages.Routes(s.targets(), s.entryHandlers()),
		sitepages.PurgeRoutes(&site.Purges{Store: s.Store.Site}),
	)
}

// entryRoutes returns the routes of entries, including schedules, presence and saved views.
func (s Services) entryRoutes() []frame.Route {
	h := s.entryHandlers()
	routes := planpages.WithSchedules(entrypages.EntryRoutes(s.Entries, s.Media), s.Schedules)
	saved := listpages.ViewHandlers{EntryHandlers: h, Views: s.Views}
	frame.Wrap(routes, "GET", "/models/{slug}/entries", frame.AddToPage(saved.AddViews))
	quickedit.Add(routes, h)
	kept := presetpages.Handlers{EntryHandlers: h, Presets: s.Presets}
	frame.Wrap(routes, "GET", "/models/{slug}/entries", frame.AddToPage(kept.AddLink))
	routes = kept.Around(routes)
	frame.Wrap(routes, "GET", "/models/{slug}/entries/{id}/edit", frame.AddToPage(healthpages.Mark(h)))
	frame.Wrap(routes, "GET", "/models/{slug}/entries/{id}/draft/edit", frame.AddToPage(healthpages.Mark(h)))
	return slices.Concat(routes, presetpages.Routes(kept), textblocks.Routes(kept), treepages.Routes(h),
		presences.PresenceRoutes(presences.PresenceHandlers{EntryHandlers: h, Windows: s.Presence,
			Comments: s.Comments, Reviews: s.Reviews}),
		listpages.ViewRoutes(saved), listpages.XLIFFRoutes(h, s.Jobs))
}

// New builds the admin area on the services.
func New(cfg frame.Config, on Services) *frame.Admin {
	parts := frame.Parts{Sessions: on.Sessions, Site: on.Store.Site, Forms: on.Store.Forms,
		Provider: on.Provider, Passkeys: on.Passkeys, OpenTasks: on.Reviews.Open}
	return frame.New(cfg, parts, on.routes())
}

// fetch reads a file from a public address. What it reads with may be set after the routes are made.
func (s Services) fetch(ctx context.Context, address string, limit int64) ([]byte, error) {
	return s.Grants.Fetch(ctx, address, limit)
}

// schemas returns the service for the schema of the site.
func (s Services) schemas() *schema.Schemas {
	return &schema.Schemas{Store: s.Store, Models: s.Models, Locales: s.Locales,
		Webhooks: s.Webhooks, Redirects: s.Redirects}
}

func (s Services) reviewHandlers() reviewpages.Handlers {
	return reviewpages.Handlers{Reviews: s.Reviews, Comments: s.Comments, Entries: s.entryHandlers()}
}
