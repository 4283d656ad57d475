package frame

import (
	"net/url"

	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/web"
)

// confirmView is the page that asks users to confirm who they are.
type confirmView struct {
	Problems           []string
	Next               string // URL of the page to show afterwards
	Kept, To           string // a form to send after the confirmation, and its URL
	Code, Passkey      bool   // ways to confirm that the user has set up
	Password, Provider bool
}

// Confirmed returns CONFIRMATION_REQUIRED if the session was not confirmed recently. Access tokens
// need no confirmation, because they cannot confirm.
func (c *Call) Confirmed() error {
	if c.User == nil || c.confirmed.IsZero() || c.A.on.Site.Now().Before(c.confirmed.Time) {
		return nil
	}
	return cms.Errorf(cms.CodeConfirmationRequired,
		"You signed in a while ago. Confirm that it is you at POST /admin/confirm, then do this again.")
}

// confirmFirst returns the page that asks for a confirmation, and keeps the form of the request. It
// returns nil if err requires no confirmation or the client wants JSON.
func (c *Call) confirmFirst(err error) *ui.Page {
	if cms.CodeOf(err) != cms.CodeConfirmationRequired || c.JSON {
		return nil
	}
	v := confirmView{Next: nextHere(c.R)}
	if c.IsForm {
		kept, whole := keptForm(c.Form)
		if !whole && kept.Get(stepKey) == "" { // show the form again: passwords must be retyped
			kept.Set(stepKey, StepResume)
		}
		v.Kept, v.To = kept.Encode(), c.R.URL.RequestURI()
	}
	return c.confirmPage(v)
}

func (c *Call) confirmPage(v confirmView) *ui.Page {
	v.Code, v.Passkey = c.HasTOTP, c.HasPasskeys && c.A.on.Passkeys.Party != nil
	v.Provider = c.A.on.Provider != nil
	v.Password = !c.A.on.Provider.PasswordsOff()
	page := &ui.Page{Title: "Confirm that it is you", Template: "confirm", Custom: v}
	page.Use("passkeys")
	return page
}

// showConfirm answers browsers with the page, and JSON with the time until which the session is confirmed.
func showConfirm(c *Call) (Result, error) {
	return Result{Data: confirmation{c.confirmed},
		Page: c.confirmPage(confirmView{Next: c.R.URL.Query().Get("next")})}, nil
}

// confirmation is the time until which a session is confirmed, null for access tokens.
type confirmation struct {
	ConfirmedUntil cms.Time `json:"confirmed_until"`
}

// beginPasskey starts a confirmation by passkey: the answer holds the options for the browser.
func beginPasskey(c *Call) (Result, error) {
	options, err := c.A.on.Passkeys.AskAgain(c.R.Context(), c.Token)
	return Result{Data: options}, err
}

// confirm checks a password, code or passkey, and then sends the kept form.
func confirm(c *Call) (Result, error) {
	body, answer, err := c.Credential()
	if err != nil {
		return Result{}, err
	}
	var until cms.Time
	if len(answer) > 0 {
		until, err = c.A.on.Passkeys.Confirm(c.R.Context(), c.Actor(), c.Token, answer)
	} else {
		until, err = c.A.on.Sessions.ConfirmByPassword(c.R.Context(), c.Actor(), c.Token, body)
	}
	next := c.Form.Get("next")
	if e := AsError(err); e != nil && !c.JSON {
		web.SetRetryAfter(c.W.Header(), e)
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

// Credential reads the answer of a passkey from the body: an object in JSON, its text in a form.
// rest is the rest of the body.
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
