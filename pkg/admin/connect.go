package admin

import (
	"slices"

	"headless/pkg/access/notices"
	"headless/pkg/access/passkeys"
	"headless/pkg/admin/accounts"
	"headless/pkg/admin/frame"
	"headless/pkg/forms"
	"headless/pkg/oidc/provider"
)

// Connect tells the services the address of the service, from which links in mails are made and to
// which passkeys belong.
func (s Services) Connect(siteURL string, mails *forms.Mails) {
	mailed := &notices.Notices{SiteURL: siteURL, Mailer: mails}
	s.Users.Notices, s.Sessions.Notices = mailed, mailed
	s.Redirects.SiteURL = siteURL
	s.Passkeys.Party = passkeys.NewParty(siteURL)
}

// WithProvider makes users sign in by an OpenID Connect provider as well, or only; nil changes
// nothing.
func (s *Services) WithProvider(p *provider.Provider) {
	s.Provider = p
	s.Sessions.PasswordsOff = p.PasswordsOff()
}

// accessRoutes are the tables of what lets users in.
func accessRoutes(s Services) []frame.Route {
	return slices.Concat(
		accounts.UserRoutes(s.Users, s.Sessions, s.Roles), accounts.RoleRoutes(s.Roles),
		accounts.SessionRoutes(s.Sessions),
		accounts.TotpRoutes(s.Sessions), accounts.PasskeyRoutes(s.Passkeys), frame.ConfirmRoutes(s.Passkeys),
		accounts.InvitationRoutes(s.Invitations, s.Roles), frame.ProviderRoutes(s.Provider),
	)
}
