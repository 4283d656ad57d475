package accounts

import (
	"net/http"

	"headless/pkg/access/passkeys"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/web"
)

// ceremonyCookie binds a sign-in by passkey to the browser that began it.
const ceremonyCookie = "headless_passkey"

// ceremonySeconds is how long a browser keeps that cookie.
const ceremonySeconds = 300

// PasskeyRoutes returns the routes of passkeys: signing in, one's own passkeys and, for admins, the
// passkeys of other users.
func PasskeyRoutes(keys *passkeys.Passkeys) []frame.Route {
	h := passkeyHandlers{keys}
	return []frame.Route{
		{Method: "POST", Pattern: "/login/passkey/options", Handle: h.beginSignIn},
		{Method: "POST", Pattern: "/login/passkey", Handle: h.signIn},
		{Method: "GET", Pattern: "/passkeys", Role: cms.RoleViewer, Handle: h.list},
		{Method: "POST", Pattern: "/passkeys/options", Role: cms.RoleViewer, Handle: h.begin, Confirm: true},
		{Method: "POST", Pattern: "/passkeys", Role: cms.RoleViewer, Handle: h.add},
		{Method: "PUT", Pattern: "/passkeys/{id}", Role: cms.RoleViewer, Handle: frame.WithBody(h.rename)},
		{Method: "DELETE", Pattern: "/passkeys/{id}", Role: cms.RoleViewer, Handle: h.remove, Confirm: true},
		{Method: "GET", Pattern: "/users/{id}/passkeys", Role: cms.RoleUserAdmin, Handle: h.removeOthers},
		{Method: "DELETE", Pattern: "/users/{id}/passkeys", Role: cms.RoleUserAdmin, Handle: h.reset, Confirm: true},
		{Method: "DELETE", Pattern: "/users/{id}/passkeys/{passkey}", Role: cms.RoleUserAdmin,
			Handle: h.reset, Confirm: true},
	}
}

type passkeyHandlers struct{ keys *passkeys.Passkeys }

// passkeysPage is the page of one's own passkeys.
type passkeysPage struct {
	List     *ui.List
	Problems []string
	Name     string // as typed
	Renames  bool   // one of them is renamed
	Off      bool   // none can be added, and none signs in
}

// beginSignIn begins a sign-in. The response has the options for the browser, and a cookie that binds the
// sign-in to this browser.
func (h passkeyHandlers) beginSignIn(c *frame.Call) (frame.Result, error) {
	options, browser, err := h.keys.Ask(c.R.Context(), c.Client())
	return frame.Result{Data: options, Cookie: ceremonyCookieOf(c, browser)}, err
}

func (h passkeyHandlers) signIn(c *frame.Call) (frame.Result, error) {
	_, answer, err := c.Credential()
	if err == nil && len(answer) == 0 {
		err = cms.Problems{"credential": {"is required"}}.Err()
	}
	if err != nil {
		return frame.Result{}, err
	}
	browser := ""
	if cookie, err := c.R.Cookie(c.A.CookieName(ceremonyCookie)); err == nil {
		browser = cookie.Value
	}
	next := c.Form.Get("next")
	session, err := h.keys.SignIn(c.R.Context(), c.Client(), browser, answer)
	if e := frame.AsError(err); e != nil && !c.JSON {
		return c.Refused(e, &ui.Page{Title: "Sign in", Login: c.A.LoginView(&ui.Login{Next: next,
			Problem: say.Known(e.Message), Kept: c.Form.Get(frame.KeptForm), To: c.Form.Get(frame.KeptTo)})}), nil
	}
	if err != nil {
		return frame.Result{}, err
	}
	result := c.SignedInAs(session, frame.NextPath(next))
	result.Header = http.Header{"Set-Cookie": {ceremonyCookieOf(c, "").String()}}
	if !c.JSON {
		result.Instead = c.Resumed(session.Token)
	}
	return result, nil
}

// ceremonyCookieOf returns the cookie of a sign-in that has begun. An empty value removes it.
func ceremonyCookieOf(c *frame.Call, value string) *http.Cookie {
	return c.CookieFor(ceremonyCookie, value, ui.Base, ceremonySeconds)
}

func (h passkeyHandlers) list(c *frame.Call) (frame.Result, error) {
	return h.showPage(c, passkeysPage{Name: c.R.URL.Query().Get("name")}) // as typed before a confirmation
}

func (h passkeyHandlers) showPage(c *frame.Call, v passkeysPage) (frame.Result, error) {
	page := &ui.Page{Title: "Passkeys", Crumbs: frame.OfProfile()}
	result, err := h.listOf(c, page, c.User.ID, "/passkeys")
	v.List, v.Renames, v.Off = page.List, c.R.URL.Query().Has("rename"), h.keys.Sessions.PasswordsOff
	page.List, page.Template, page.Custom = nil, "passkeys", v
	page.Use("passkeys")
	return result, err
}

func (h passkeyHandlers) removeOthers(c *frame.Call) (frame.Result, error) {
	id := c.R.PathValue("id")
	page := &ui.Page{Title: "Passkeys", Crumbs: []ui.Link{{Text: "User", Href: ui.Base + "/users/" + id}}}
	return h.listOf(c, page, id, "/users/"+id+"/passkeys")
}

// listOf lists the passkeys of a user in a page, each with a button that removes it.
func (h passkeyHandlers) listOf(c *frame.Call, page *ui.Page, userID, at string) (frame.Result, error) {
	page.List = &ui.List{Columns: []say.Text{"Name", "Added", "Last used"}, Empty: "No passkeys yet."}
	read := func(p db.Paging) (db.Page[passkeys.Passkey], error) { return h.keys.List(c.R.Context(), userID, p) }
	return frame.Table(c, page, read, func(k passkeys.Passkey) ui.Row {
		row := ui.Row{Cells: []ui.Cell{ui.Text(k.Name), ui.When(k.CreatedAt), ui.When(k.LastUsedAt)}}
		own := ui.Base + "/passkeys"
		if userID == c.User.ID {
			row.Actions = []ui.Action{{Label: "Rename", Href: own + "?rename=" + k.ID}}
			if c.R.URL.Query().Get("rename") == k.ID {
				row.Form = &ui.Form{Action: own + "/" + k.ID, Method: http.MethodPut, Submit: "Save", Cancel: own,
					Fields: []ui.Field{{Name: "name", Label: "Name", Kind: "text", Value: k.Name, Required: true, Focus: true}}}
			}
		}
		row.Actions = append(row.Actions, ui.Action{Label: "Remove", Method: http.MethodDelete,
			Href: ui.Base + at + "/" + k.ID, Danger: true,
			Confirm: say.F("Remove the passkey “{1}”? It opens this account no more.", k.Name)})
		return row
	})
}

// begin begins the registration of a passkey. The response has the options for the browser.
func (h passkeyHandlers) begin(c *frame.Call) (frame.Result, error) {
	options, err := h.keys.Begin(c.R.Context(), c.Token)
	return frame.Result{Data: options}, err
}

func (h passkeyHandlers) add(c *frame.Call) (frame.Result, error) {
	body, answer, err := c.Credential()
	if err != nil {
		return frame.Result{}, err
	}
	name, err := nameIn(body)
	if err != nil {
		return frame.Result{}, err
	}
	key, err := h.keys.Add(c.R.Context(), c.Actor(), c.Token, name, answer)
	if e := frame.AsError(err); e != nil && !c.JSON {
		result, err := h.showPage(c, passkeysPage{Problems: []string{e.Describe()}, Name: name})
		result.Status = web.StatusOf(e.Code)
		return result, err
	}
	return frame.Result{Status: http.StatusCreated, Data: key, Redirect: "/passkeys?ok=created"}, err
}

func (h passkeyHandlers) rename(c *frame.Call, body map[string]any) (frame.Result, error) {
	name, err := nameIn(body)
	if err != nil {
		return frame.Result{}, err
	}
	key, err := h.keys.Rename(c.R.Context(), c.Token, c.R.PathValue("id"), name)
	return frame.Result{Data: key, Redirect: "/passkeys?ok=saved"}, err
}

// nameIn returns the name in a body.
func nameIn(body map[string]any) (string, error) {
	in, p := input.Decode[struct {
		Name *string `json:"name"`
	}](body, "last_used_at")
	return input.Given(in.Name, ""), p.Err()
}

func (h passkeyHandlers) remove(c *frame.Call) (frame.Result, error) {
	err := h.keys.Remove(c.R.Context(), c.Actor(), c.Token, c.R.PathValue("id"))
	return frame.Result{Status: http.StatusNoContent, Redirect: "/passkeys?ok=deleted"}, err
}

func (h passkeyHandlers) reset(c *frame.Call) (frame.Result, error) {
	id := c.R.PathValue("id")
	err := h.keys.Sessions.RemovePasskeys(c.R.Context(), c.Actor(), id, c.R.PathValue("passkey"))
	return frame.Result{Status: http.StatusNoContent, Redirect: "/users/" + id + "?ok=done"}, err
}
