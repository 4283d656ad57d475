package frame

import (
	"net/http"
	"net/url"

	"headless/pkg/access/passkeys"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/web"
)

// ConfirmRoutes are the routes by which users show again who they are, before what a stolen session
// must not do.
func ConfirmRoutes(keys *passkeys.Passkeys) []Route {
	h := confirmHandlers{keys}
	return []Route{
		{Method: "GET", Pattern: "/confirm", Role: cms.RoleViewer, Handle: h.show},
		{Method: "POST", Pattern: "/confirm", Role: cms.RoleViewer, Handle: h.confirm},
		{Method: "POST", Pattern: "/confirm/options", Role: cms.RoleViewer, Handle: h.ask},
	}
}

type confirmHandlers struct{ keys *passkeys.Passkeys }

// confirmView is the page that asks who the user is.
type confirmView struct {
	Problems           []string
	Next               string // the page to go on to
	Kept, To           string // a form that is sent once the user has confirmed, and its address
	Code, Passkey      bool   // the user has these
	Password, Provider bool
}

// unconfirmed refuses a route that needs a fresh sign-in.
func (c *Call) unconfirmed(route Route) error {
	if !route.Confirm || c.JSON && c.Method == http.MethodGet {
		return nil
	}
	return c.Confirmed()
}

// Confirmed refuses what needs a fresh sign-in. Access tokens need none: they cannot confirm.
func (c *Call) Confirmed() error {
	if c.User == nil || c.confirmed.IsZero() || c.A.on.Site.Now().Before(c.confirmed.Time) {
		return nil
	}
	return cms.Errorf(cms.CodeConfirmationRequired,
		"You signed in a while ago. Confirm that it is you at POST /admin/confirm, then do this again.")
}

// confirmFirst is the page that asks who the user is before a request that needs it, and keeps its
// form. nil where nobody is to be asked.
func (c *Call) confirmFirst(err error) *ui.Page {
	if e := AsError(err); e == nil || e.Code != cms.CodeConfirmationRequired || c.JSON {
		return nil
	}
	v := confirmView{Next: c.nextHere()}
	if c.IsForm {
		kept, whole := c.keptForm()
		if !whole && kept.Get(stepKey) == "" { // a password is typed again
			kept.Set(stepKey, stepResume)
		}
		v.Kept, v.To = kept.Encode(), c.R.URL.RequestURI()
	}
	return c.confirmPage(v)
}

func (c *Call) confirmPage(v confirmView) *ui.Page {
	v.Code, v.Passkey = c.HasTOTP, c.hasPasskeys && c.A.on.Passkeys.Party != nil
	v.Provider = c.A.on.Provider != nil
	v.Password = !c.A.on.Provider.PasswordsOff()
	page := &ui.Page{Title: "Confirm that it is you", Template: "confirm", Custom: v}
	page.Use("passkeys")
	return page
}

// show is the page; JSON learns until when the sign-in counts.
func (h confirmHandlers) show(c *Call) (Result, error) {
	return Result{Data: confirmation{c.confirmed},
		Page: c.confirmPage(confirmView{Next: c.R.URL.Query().Get("next")})}, nil
}

// confirmation says until when a session counts as confirmed; null for access tokens.
type confirmation struct {
	ConfirmedUntil cms.Time `json:"confirmed_until"`
}

// ask begins a confirmation by passkey: the answer has the options for the browser.
func (h confirmHandlers) ask(c *Call) (Result, error) {
	options, err := h.keys.AskAgain(c.R.Context(), c.Token)
	return Result{Data: options}, err
}

// confirm takes a password, a code or a passkey, and goes on with the form that was kept.
func (h confirmHandlers) confirm(c *Call) (Result, error) {
	body, answer, err := c.Credential()
	if err != nil {
		return Result{}, err
	}
	var until cms.Time
	if len(answer) > 0 {
		until, err = h.keys.Confirm(c.R.Context(), c.Actor(), c.Token, answer)
	} else {
		until, err = h.keys.Sessions.ConfirmByPassword(c.R.Context(), c.Actor(), c.Token, body)
	}
	next := c.Form.Get("next")
	if e := AsError(err); e != nil && !c.JSON {
		web.SetRetryAfter(c.w.Header(), e)
		return Result{Status: web.StatusOf(e.Code), Page: c.confirmPage(confirmView{
			Problems: []string{e.Describe()}, Next: next, Kept: c.Form.Get(KeptForm), To: c.Form.Get(KeptTo),
		})}, nil
	}
	if err != nil {
		return Result{}, err
	}
	result := Result{Data: confirmation{until}, Redirect: NextPath(next)}
	if kept, err := url.ParseQuery(c.Form.Get(KeptForm)); err == nil && !c.JSON {
		result.Instead = c.sentAgain(kept, c.Form.Get(KeptTo), c.Token)
	}
	return result, nil
}

// Credential takes the answer of a device from the body: an object in JSON, its text in a form.
func (c *Call) Credential() (rest map[string]any, answer []byte, err error) {
	body, err := c.Body()
	if err != nil {
		return nil, nil, err
	}
	sent := body["credential"]
	delete(body, "credential")
	delete(body, "next")
	switch v := sent.(type) {
	case input.FormValue:
		answer = []byte(v.Last())
	case map[string]any:
		answer, err = cms.Marshal(v)
	}
	return body, answer, err
}
