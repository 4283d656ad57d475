package accounts

import (
	"context"
	"net/http"
	"slices"

	"headless/pkg/access"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
)

// ProfileRoutes returns the routes by which users of every role see and change their own account.
func ProfileRoutes(sessions *access.Sessions) []frame.Route {
	h := profileHandlers{sessions}
	return append(h.toConfirm().routes(),
		frame.Route{Method: "GET", Pattern: "/profile", Role: cms.RoleViewer, Handle: h.show},
		frame.Route{Method: "PUT", Pattern: "/profile", Role: cms.RoleViewer, Handle: frame.WithBody(h.update),
			Form: h.form})
}

type profileHandlers struct{ sessions *access.Sessions }

func (h profileHandlers) show(c *frame.Call) (frame.Result, error) {
	page, err := h.form(c)
	return frame.Result{Data: access.ShownUser(*c.User), Page: page}, err
}

func (h profileHandlers) form(c *frame.Call) (*ui.Page, error) {
	version, err := resource.VersionOf(c.User)
	at := ui.Base + "/profile"
	var links []ui.Link
	off := h.sessions.PasswordsOff
	if !off || c.HasPasskeys {
		links = append(links, ui.Link{Text: "Passkeys", Href: ui.Base + "/passkeys"})
	}
	if !off || c.HasTOTP {
		links = append(links, ui.Link{Text: "Second factor", Href: ui.Base + "/totp"})
	}
	links = append(links,
		ui.Link{Text: "Sessions", Href: ui.Base + "/sessions"}, ui.Link{Text: "Access tokens", Href: ui.Base + "/tokens"},
		ui.Link{Text: "Allowed programs", Href: ui.Base + "/grants"},
		ui.Link{Text: "Preview links", Href: ui.Base + "/previews"})
	current := ui.Field{Name: "current_password", Label: "Current password", Kind: "password",
		Help: "Needed for a new password and, unless you have a passkey, for a new address."}
	passwords := []ui.Field{{Name: "password", Label: "New password", Kind: "password",
		Help: "At least 12 characters. Leave empty to keep the password. A new one ends your other sessions."}, current}
	if off {
		current.Help = "Needed for a new address, unless you have a passkey."
		passwords = []ui.Field{current}
	}
	return &ui.Page{Title: "Your profile", Links: links, Form: &ui.Form{Action: at, Method: "PUT", Submit: "Save",
		Version: version, Fields: append([]ui.Field{
			{Name: "email", Label: "E-mail", Kind: "email", Value: c.User.Email, Required: true,
				Help: "A new address gets a link that confirms it."},
			{Name: "name", Label: "Name", Kind: "text", Value: c.User.Name},
			{Name: "language", Label: "Language of these pages", Kind: "select", Value: c.User.Language,
				Options: languages()},
			mailField(*c.User),
		}, passwords...)}}, err
}

// mailField has a checkbox for each kind of mails that may concern a user.
func mailField(u cms.User) ui.Field {
	labels := map[cms.MailKind]say.Text{
		cms.MailReviews:  "Reviews that are asked of me, and answers to mine",
		cms.MailComments: "Comments that mention me or are assigned to me",
		cms.MailPlans:    "Schedules and releases of mine that failed, or whose entries were changed",
		cms.MailWebhooks: "Webhooks of mine that were paused",
	}
	f := ui.Field{Name: "mails", Label: "Mail me", Kind: "checks"}
	for _, kind := range cms.MailKinds {
		if kind == cms.MailWebhooks && u.Role != cms.RoleUserAdmin {
			continue
		}
		f.Options = append(f.Options, ui.Option{Value: string(kind), Label: labels[kind]})
		if u.WantsMail(kind) {
			f.Values = append(f.Values, string(kind))
		}
	}
	return f
}

// takeMails turns the checkboxes of mailField into what JSON clients send.
func takeMails(c *frame.Call, body map[string]any) {
	wanted, given := c.Form["mails"]
	if !c.IsForm || !given {
		return
	}
	off := []any{}
	for _, option := range mailField(*c.User).Options {
		if !slices.Contains(wanted, option.Value) {
			off = append(off, option.Value)
		}
	}
	body["mail"], body["mail_off"] = true, off
	delete(body, "mails")
}

// languages are the choices of the language of the pages, each by its own name.
func languages() []ui.Option {
	options := []ui.Option{{Value: "", Label: "As the browser says"}}
	for _, l := range say.Languages {
		options = append(options, ui.Option{Value: l.Code, Label: say.Data(l.Name)})
	}
	return options
}

// knownLanguage reports whether a value names no language of the pages, or one of them.
func knownLanguage(v any) bool {
	if form, ok := v.(input.FormValue); ok {
		v = form.Last()
	}
	code, ok := v.(string)
	return !ok || code == "" || say.Of(code) != nil
}

func (h profileHandlers) update(c *frame.Call, body map[string]any) (frame.Result, error) {
	if c.IsForm && c.Form.Get("password") == "" { // an empty field keeps the password
		delete(body, "password")
	}
	takeMails(c, body)
	if !knownLanguage(body["language"]) {
		return frame.Result{}, cms.Problems{"language": {"is not a language of the pages"}}.Err()
	}
	user, err := h.sessions.UpdateProfile(c.R.Context(), c.Actor(), c.Token, *c.User, body,
		resource.Unchanged(c, "user.updated", c.User.ID, func(u cms.User) any { return u }))
	result := frame.Result{Data: user, Redirect: "/profile?ok=saved"}
	if user.PendingEmail != "" {
		result.Status, result.Redirect = http.StatusAccepted, "/profile?ok=mailed"
	}
	return result, err
}

// toConfirm is the link that confirms a new address.
func (h profileHandlers) toConfirm() mailedLink {
	return mailedLink{
		pattern: "/profile/email", title: "Confirm your new e-mail address", dead: deadLink,
		form: ui.Form{Submit: "Confirm"},
		open: func(ctx context.Context, token string) error {
			_, _, err := h.sessions.OpenReset(ctx, token, true)
			return err
		},
		use: func(c *frame.Call, body map[string]any) (frame.Result, error) {
			return frame.Result{Status: http.StatusNoContent, Redirect: "/profile?ok=saved"},
				h.sessions.ConfirmAddress(c.R.Context(), c.Client(), body)
		},
		elsewhere: []ui.Link{{Text: "Your profile", Href: ui.Base + "/profile"}},
	}
}
