package admin

import (
	"net/http"

	"headless/pkg/access"
	"headless/pkg/cms"
)

// ownRoutes are those of signing in and out, and the area's description.
func (a *Admin) ownRoutes() []Route {
	return []Route{
		{Method: "GET", Pattern: "/login", Handle: loginPage},
		{Method: "POST", Pattern: "/login", Handle: login},
		{Method: "POST", Pattern: "/logout", Role: cms.RoleViewer, Handle: logout},
		{Method: "GET", Pattern: "/me", Role: cms.RoleViewer, Handle: me},
		a.description(),
	}
}

// loginView is the sign-in page.
type loginView struct {
	Email, Next     string
	Code            bool // asks for the code of the second factor
	Problem, Notice string
	Kept, To        string // a form that comes back after signing in, and its address
	Provider        bool   // offers to sign in by the provider
	NoPassword      bool   // and by nothing else
	Passkeys        bool   // offers to sign in by a passkey
}

func loginPage(c *Call) (Result, error) {
	if c.User != nil {
		return Result{Redirect: nextPath(c.R.URL.Query().Get("next")), Data: c.User}, nil
	}
	if c.JSON {
		return Result{}, cms.Errorf(cms.CodeUnauthorized, "Sign in by POST with email and password.")
	}
	return Result{Page: &Page{Title: "Sign in",
		Login: c.loginView(&loginView{Next: c.R.URL.Query().Get("next")})}}, nil
}

// login answers a program with a token and a browser with a cookie.
func login(c *Call) (Result, error) {
	body, err := c.Body()
	if err != nil {
		return Result{}, err
	}
	next := c.form.Get("next")
	delete(body, "next")
	session, err := c.a.on.Sessions.SignIn(c.R.Context(), c.client(), body)
	if e := asError(err); e != nil && !c.JSON {
		page := &Page{Title: "Sign in", Login: c.loginView(&loginView{
			Code: e.Code == cms.CodeTOTPRequired || c.form.Has("code"), Email: c.form.Get("email"),
			Next: next, Problem: e.Message, Kept: c.form.Get(keptForm), To: c.form.Get(keptTo),
		})}
		return c.refused(e, page), nil
	}
	if err != nil {
		return Result{}, err
	}
	result := c.signedInAs(session, nextPath(next))
	if !c.JSON {
		result.Instead = c.resumed(session.Token)
	}
	return result, nil
}

// signedInAs answers a sign-in: a program gets the token, a browser cookies.
func (c *Call) signedInAs(session access.Session, next string) Result {
	result := Result{Data: session, Redirect: next}
	if !c.JSON {
		result.Cookie = c.newCookie(session.Token, session.ExpiresAt)
		result.Known = c.cookieFor(browserCookie, session.Browser, Base)
		result.Known.MaxAge = browserDays * 24 * 3600
	}
	return result
}

func logout(c *Call) (Result, error) {
	if err := c.a.on.Sessions.SignOut(c.R.Context(), c.Actor(), c.token); err != nil {
		return Result{}, err
	}
	return Result{Status: http.StatusNoContent, Redirect: "/login", Cookie: c.newCookie("", cms.Time{})}, nil
}

// me tells who is signed in.
func me(c *Call) (Result, error) {
	return Result{Data: c.User, Redirect: "/profile"}, nil
}
