package admin

import (
	"slices"
	"time"

	"headless/pkg/access/device"
	"headless/pkg/access/notices"
	"headless/pkg/access/passkeys"
	"headless/pkg/admin/accounts"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/oauth"
	"headless/pkg/forms"
	"headless/pkg/oidc/provider"
	planmails "headless/pkg/planning/mails"
)

// Connect tells the services the public URL of the service. Links in mails start with it, and
// passkeys are bound to it.
func (s Services) Connect(siteURL string, mails *forms.Mails) {
	mailed := &notices.Notices{SiteURL: siteURL, Mailer: mails}
	s.Users.Notices, s.Sessions.Notices = mailed, mailed
	s.Redirects.SiteURL = siteURL
	s.Schedules.Mails = planmails.Mails{Store: s.Entries.Store, Mailer: mails, SiteURL: siteURL}
	s.Reviews.SiteURL, s.Comments.SiteURL, s.Submissions.SiteURL = siteURL, siteURL, siteURL
	s.Passkeys.Party = passkeys.NewParty(siteURL)
}

// WithSessions sets how long sessions last, and how long without a request; 0 is the default.
func (s Services) WithSessions(length, idle time.Duration) {
	s.Sessions.Length, s.Sessions.Idle = length, idle
}

// WithProvider lets users sign in through an OpenID Connect provider. If the provider turns
// passwords off, it is the only way to sign in. A nil provider changes nothing.
func (s *Services) WithProvider(p *provider.Provider) {
	s.Provider = p
	s.Sessions.PasswordsOff = p.PasswordsOff()
}

// accessRoutes returns the routes of users, roles, sessions and all ways to sign in.
func accessRoutes(s Services) []frame.Route {
	return slices.Concat(
		accounts.UserRoutes(s.Users, s.Sessions, s.Roles), accounts.LeavingRoutes(s.Users, s.Tokens, s.Grants, s.Leaving),
		accounts.RoleRoutes(s.Roles),
		accounts.ColleagueRoutes(s.Store.Access),
		accounts.SessionRoutes(s.Sessions), accounts.TokenRoutes(s.Tokens), oauth.Routes(s.Sessions, s.Grants),
		accounts.DeviceRoutes(device.Logins{Sessions: s.Sessions}), accounts.TotpRoutes(s.Sessions),
		accounts.PasskeyRoutes(s.Passkeys),
		accounts.InvitationRoutes(s.Invitations, s.Roles),
	)
}
