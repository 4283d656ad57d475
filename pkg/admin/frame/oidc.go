package frame

import (
	"net/http"

	"headless/pkg/access"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/oidc/provider"
	"headless/pkg/web"
)

// flowCookie holds the state of a sign-in while the browser is at the provider.
const flowCookie = "headless_oidc"

// ProviderRoutes returns the routes of sign-in through an OpenID Connect provider (extensions §11).
func ProviderRoutes(p *provider.Provider) []Route {
	h := providerHandlers{p}
	return []Route{
		{Method: "GET", Pattern: "/oidc/login", Handle: h.login},
		{Method: "GET", Pattern: "/oidc/callback", Handle: h.callback},
	}
}

type providerHandlers struct{ provider *provider.Provider }

// login sends the browser to the provider.
func (h providerHandlers) login(c *Call) (Result, error) {
	if h.provider == nil {
		return Result{}, web.ErrNothing
	}
	flow, err := h.provider.Start(c.R.Context(), NextPath(c.R.URL.Query().Get("next")), c.R.URL.Query().Has("again"))
	if err != nil {
		return h.showRefusal(c, err)
	}
	header := http.Header{"Location": {flow.URL}, "Cache-Control": {"no-store"}}
	return Result{Status: http.StatusFound, Header: header, Cookie: h.flow(c, flow.Cookie)}, nil
}

// callback signs in the user whom the provider sends back.
func (h providerHandlers) callback(c *Call) (Result, error) {
	if h.provider == nil {
		return Result{}, web.ErrNothing
	}
	kept := ""
	if cookie, err := c.R.Cookie(c.A.CookieName(flowCookie)); err == nil {
		kept = cookie.Value
	}
	who, next, err := h.provider.Finish(c.R.Context(), kept, c.R.URL.Query())
	if err != nil {
		return h.showRefusal(c, err)
	}
	signedIn := cms.Time{}
	if !who.SignedIn.IsZero() {
		signedIn = cms.At(who.SignedIn)
	}
	session, err := c.A.on.Sessions.SignInExternal(c.R.Context(), c.Client(), access.External{
		Issuer: who.Issuer, Subject: who.Subject, Email: who.Email, Verified: who.Verified,
		Name: who.Name, Role: cms.UserRole(who.Role), SignedIn: signedIn,
	})
	if err != nil {
		return h.showRefusal(c, err)
	}
	result := c.SignedInAs(session, NextPath(ui.Base+next))
	result.Header = http.Header{"Set-Cookie": {h.flow(c, "").String()}} // remove the cookie
	return result, nil
}

// showRefusal shows browsers the sign-in page with the error.
func (h providerHandlers) showRefusal(c *Call, err error) (Result, error) {
	e := AsError(err)
	if e == nil || c.JSON {
		return Result{}, err
	}
	result := c.Refused(e, &ui.Page{Title: "Sign in", Login: c.A.LoginView(&ui.Login{Problem: say.Known(e.Message)})})
	result.Cookie = h.flow(c, "")
	return result, nil
}

// flow returns the cookie of a sign-in at the provider. An empty value removes it.
func (h providerHandlers) flow(c *Call, value string) *http.Cookie {
	return c.CookieFor(flowCookie, value, ui.Base+"/oidc", int(provider.FlowTime.Seconds()))
}

// LoginView sets the ways to sign in that the sign-in page offers.
func (a *Admin) LoginView(v *ui.Login) *ui.Login {
	v.Provider, v.NoPassword = a.on.Provider != nil, a.on.Provider.PasswordsOff()
	v.Passkeys = a.on.Passkeys.Party != nil && !v.NoPassword
	return v
}
