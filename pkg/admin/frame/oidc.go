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

// providerLogin sends the browser to the provider.
func providerLogin(c *Call) (Result, error) {
	if c.A.on.Provider == nil {
		return Result{}, web.ErrNothing
	}
	flow, err := c.A.on.Provider.Start(c.R.Context(), NextPath(c.R.URL.Query().Get("next")), c.R.URL.Query().Has("again"))
	if err != nil {
		return c.showRefusal(err)
	}
	header := http.Header{"Location": {flow.URL}, "Cache-Control": {"no-store"}}
	return Result{Status: http.StatusFound, Header: header, Cookie: c.providerCookie(flow.Cookie)}, nil
}

// providerCallback signs in the user whom the provider sends back.
func providerCallback(c *Call) (Result, error) {
	if c.A.on.Provider == nil {
		return Result{}, web.ErrNothing
	}
	kept := ""
	if cookie, err := c.R.Cookie(c.A.CookieName(flowCookie)); err == nil {
		kept = cookie.Value
	}
	who, next, err := c.A.on.Provider.Finish(c.R.Context(), kept, c.R.URL.Query())
	if err != nil {
		return c.showRefusal(err)
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
		return c.showRefusal(err)
	}
	result := c.SignedInAs(session, NextPath(ui.Base+next))
	result.Header = http.Header{"Set-Cookie": {c.providerCookie("").String()}} // remove the cookie
	return result, nil
}

// showRefusal shows browsers the sign-in page with the error.
func (c *Call) showRefusal(err error) (Result, error) {
	e := AsError(err)
	if e == nil || c.JSON {
		return Result{}, err
	}
	result := c.Refused(e, &ui.Page{Title: "Sign in", Login: c.A.LoginView(&ui.Login{Problem: say.Known(e.Message)})})
	result.Cookie = c.providerCookie("")
	return result, nil
}

// providerCookie returns the cookie of a sign-in at the provider. An empty value removes it.
func (c *Call) providerCookie(value string) *http.Cookie {
	return c.CookieFor(flowCookie, value, ui.Base+"/oidc", int(provider.FlowTime.Seconds()))
}

// LoginView sets the ways to sign in that the sign-in page offers.
func (a *Admin) LoginView(v *ui.Login) *ui.Login {
	v.Provider, v.NoPassword = a.on.Provider != nil, a.on.Provider.PasswordsOff()
	v.Passkeys = a.on.Passkeys.Party != nil && !v.NoPassword
	return v
}
