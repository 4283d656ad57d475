package accounts

import (
	"context"
	"net/http"
	"net/url"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
)

// mailedLink is a link in a mail: a page with a form, whose URL has the token of the link. Who opens it need not be
// signed in.
type mailedLink struct {
	pattern string
	// open returns an error if the token does not work. It changes nothing, since programs open the links in mails, too.
	open  func(ctx context.Context, token string) error
	title say.Text
	form  ui.Form // without Action and Method
	use   func(c *frame.Call, body map[string]any) (frame.Result, error)
	// dead tells what to do about a link that does not work, and elsewhere has the pages for it.
	dead      say.Text
	elsewhere []ui.Link
}

const deadLink say.Text = "This link is wrong, expired or used already. Ask for a new one."

var toSignIn = ui.Link{Text: "Sign in", Href: ui.Base + "/login"}

func (l mailedLink) routes() []frame.Route {
	return []frame.Route{{Method: "GET", Pattern: l.pattern, Handle: forBrowsers(l.show)},
		{Method: "POST", Pattern: l.pattern, Handle: frame.WithBody(l.send), Form: l.page}}
}

// forBrowsers makes the page of a visitor who is not signed in. It is no JSON.
func forBrowsers(show frame.Handler) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		if c.JSON {
			return frame.Result{}, c.NotAllowed(http.MethodPost)
		}
		result, err := show(c)
		result.Header = http.Header{"Referrer-Policy": {"no-referrer"}}
		return result, err
	}
}

func tokenInLink(c *frame.Call) string { return c.R.URL.Query().Get("token") }

func (l mailedLink) page(c *frame.Call) (*ui.Page, error) {
	form := l.form
	form.Action, form.Method = ui.Base+l.pattern+"?token="+url.QueryEscape(tokenInLink(c)), http.MethodPost
	return &ui.Page{Title: l.title, Links: l.elsewhere, Form: &form}, nil
}

func (l mailedLink) show(c *frame.Call) (frame.Result, error) {
	if err := l.open(c.R.Context(), tokenInLink(c)); err != nil {
		return l.refused(c, err)
	}
	return frame.ShowPage(l.page)(c)
}

// send uses the token of a JSON body or, for a form, that of the link.
func (l mailedLink) send(c *frame.Call, body map[string]any) (frame.Result, error) {
	if c.IsForm {
		body["token"] = tokenInLink(c)
	}
	result, err := l.use(c, body)
	if e := frame.AsError(err); c.IsForm && e != nil && len(e.Details["token"]) > 0 {
		return l.refused(c, err)
	}
	return result, err
}

// refused answers a browser whose link does not work, which no form could mend.
func (l mailedLink) refused(c *frame.Call, err error) (frame.Result, error) {
	e := frame.AsError(err)
	if e == nil {
		return frame.Result{}, err
	}
	if len(e.Details["token"]) > 0 {
		e = cms.Errorf(e.Code, "%s", l.dead)
	}
	links := l.elsewhere
	if e.Code == cms.CodeForbidden { // other links of this kind are off too
		links = []ui.Link{toSignIn}
	}
	return c.Refused(e, &ui.Page{Title: "This link does not work", Error: e, Links: links}), nil
}
