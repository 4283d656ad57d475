package frame

import (
	"net/http"

	"headless/pkg/access"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
)

// OwnRoutes returns the routes for signing in and out, that of the OpenAPI document, and those by which users confirm
// their identity before actions that a stolen session must not be able to do.
func (a *Admin) OwnRoutes() []Route {
	return []Route{
		{Method: "GET", Pattern: "/login", Handle: loginPage},
		{Method: "POST", Pattern: "/login", Handle: WithBody(login)},
		{Method: "POST", Pattern: "/logout", Role: cms.RoleViewer, Handle: logout},
		{Method: "GET", Pattern: "/me", Role: cms.RoleViewer, Handle: me},
		{Method: "GET", Pattern: "/oidc/login", Handle: providerLogin}, // extensions §11
		{Method: "GET", Pattern: "/oidc/callback", Handle: providerCallback},
		{Method: "GET", Pattern: "/confirm", Role: cms.RoleViewer, Handle: showConfirm},
		{Method: "POST", Pattern: "/confirm", Role: cms.RoleViewer, Handle: confirm},
		{Method: "POST", Pattern: "/confirm/options", Role: cms.RoleViewer, Handle: beginPasskey},
		a.description(),
	}
}

func loginPage(c *Call) (Result, error) {
	if c.User != nil {
		return Result{Redirect: NextPath(c.R.URL.Query().Get("next")), Data: c.User}, nil
	}
	if c.JSON {
		return Result{}, cms.Errorf(cms.CodeUnauthorized, "Sign in by POST with email and password.")
	}
	return Result{Page: &ui.Page{Title: "Sign in",
		Login: c.A.LoginView(&ui.Login{Next: c.R.URL.Query().Get("next")})}}, nil
}

// login signs in: a program gets a token, a browser a cookie.
func login(c *Call, body map[string]any) (Result, error) {
	next := c.Form.Get("next")
	delete(body, "next")
	session, err := c.A.on.Sessions.SignIn(c.R.Context(), c.Client(), body)
	if e := AsError(err); e != nil && !c.JSON {
		page := &ui.Page{Title: "Sign in", Login: c.A.LoginView(&ui.Login{
			Code: e.Code == cms.CodeTOTPRequired || c.Form.Has("code"), Email: c.Form.Get("email"),
			Next: next, Problem: say.Known(e.Message), Kept: c.Form.Get(KeptForm), To: c.Form.Get(KeptTo),
		})}
		return c.Refused(e, page), nil
	}
	if err != nil {
		return Result{}, err
	}
	result := c.SignedInAs(session, NextPath(next))
	if !c.JSON {
		result.Instead = c.Resumed(session.Token)
	}
	return result, nil
}

// SignedInAs returns the answer to a sign-in: a program gets the token, a browser cookies.
func (c *Call) SignedInAs(session access.Session, next string) Result {
	result := Result{Data: session, Redirect: next}
	if !c.JSON {
		result.Cookie = c.NewCookie(session.Token, session.ExpiresAt)
		result.Known = c.CookieFor(browserCookie, session.Browser, ui.Base, browserFor)
	}
	return result
}

func logout(c *Call) (Result, error) {
	if err := c.A.on.Sessions.SignOut(c.R.Context(), c.Actor(), c.Token); err != nil {
		return Result{}, err
	}
	return Result{Status: http.StatusNoContent, Redirect: "/login", Cookie: c.NewCookie("", cms.Time{})}, nil
}

// me returns the user who is signed in.
func me(c *Call) (Result, error) {
	return Result{Data: c.User, Redirect: "/profile"}, nil
}
