package admin

import (
	"net/http"

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
	Problem, Notice string
	Kept, To        string // a form that comes back after signing in, and its address
}

func loginPage(c *Call) (Result, error) {
	if c.User != nil {
		return Result{Redirect: nextPath(c.R.URL.Query().Get("next")), Data: c.User}, nil
	}
	if c.JSON {
		return Result{}, cms.Errorf(cms.CodeUnauthorized, "Sign in by POST with email and password.")
	}
	return Result{Page: &Page{Title: "Sign in", Login: &loginView{Next: c.R.URL.Query().Get("next")}}}, nil
}

// login answers a program with a token and a browser with a cookie.
func login(c *Call) (Result, error) {
	body, err := c.Body()
	if err != nil {
		return Result{}, err
	}
	next := c.form.Get("next")
	delete(body, "next")
	session, err := c.a.on.Sessions.SignIn(c.R.Context(), body)
	if e := asError(err); e != nil && !c.JSON {
		page := &Page{Title: "Sign in", Login: &loginView{
			Email: c.form.Get("email"), Next: next, Problem: e.Message, Kept: c.form.Get(keptForm), To: c.form.Get(keptTo),
		}}
		return c.refused(e, page), nil
	}
	if err != nil {
		return Result{}, err
	}
	result := Result{Data: session, Redirect: nextPath(next)}
	if !c.JSON {
		result.Cookie = c.newCookie(session.Token, session.ExpiresAt)
		result.Instead = c.resumed(session.Token)
	}
	return result, nil
}

func logout(c *Call) (Result, error) {
	if err := c.a.on.Sessions.SignOut(c.R.Context(), c.token); err != nil {
		return Result{}, err
	}
	return Result{Status: http.StatusNoContent, Redirect: "/login", Cookie: c.newCookie("", cms.Time{})}, nil
}

// me tells who is signed in.
func me(c *Call) (Result, error) {
	return Result{Data: c.User, Redirect: "/profile"}, nil
}
