package admin

import (
	"net/http"

	"headless/pkg/access/passkeys"
	"headless/pkg/cms"
	"headless/pkg/httpjson"
	"headless/pkg/input"
)

// ceremonyCookie binds a sign-in by passkey to the browser while it is under way.
const ceremonyCookie = "headless_passkey"

// ceremonySeconds is how long a browser keeps that cookie.
const ceremonySeconds = 300

// passkeyRoutes are the routes of passkeys: signing in, one's own, and for admins those of others.
func passkeyRoutes(keys *passkeys.Passkeys) []Route {
	h := passkeyHandlers{keys}
	return []Route{
		{Method: "POST", Pattern: "/login/passkey/options", Handle: h.ask},
		{Method: "POST", Pattern: "/login/passkey", Handle: h.signIn},
		{Method: "GET", Pattern: "/passkeys", Role: cms.RoleViewer, Handle: h.list},
		{Method: "POST", Pattern: "/passkeys/options", Role: cms.RoleViewer, Handle: h.begin, Confirm: true},
		{Method: "POST", Pattern: "/passkeys", Role: cms.RoleViewer, Handle: h.add},
		{Method: "PUT", Pattern: "/passkeys/{id}", Role: cms.RoleViewer, Handle: h.rename},
		{Method: "DELETE", Pattern: "/passkeys/{id}", Role: cms.RoleViewer, Handle: h.remove, Confirm: true},
		{Method: "GET", Pattern: "/users/{id}/passkeys", Role: cms.RoleUserAdmin, Handle: h.others},
		{Method: "DELETE", Pattern: "/users/{id}/passkeys", Role: cms.RoleUserAdmin, Handle: h.reset,
			Confirm: true},
		{Method: "DELETE", Pattern: "/users/{id}/passkeys/{passkey}", Role: cms.RoleUserAdmin,
			Handle: h.reset, Confirm: true},
	}
}

type passkeyHandlers struct{ keys *passkeys.Passkeys }

// passkeysPage is the page of one's own passkeys.
type passkeysPage struct {
	List     *List
	Problems []string
	Name     string // as typed
}

// ask begins a sign-in: the answer has the options for the browser, and a cookie binds it to it.
func (h passkeyHandlers) ask(c *Call) (Result, error) {
	options, browser, err := h.keys.Ask(c.R.Context())
	return Result{Data: options, Cookie: c.ceremony(browser)}, err
}

func (h passkeyHandlers) signIn(c *Call) (Result, error) {
	_, answer, err := c.credential()
	if err == nil && len(answer) == 0 {
		err = cms.Problems{"credential": {"is required"}}.Err()
	}
	if err != nil {
		return Result{}, err
	}
	browser := ""
	if cookie, err := c.R.Cookie(c.a.cookieName(ceremonyCookie)); err == nil {
		browser = cookie.Value
	}
	next := c.form.Get("next")
	session, err := h.keys.SignIn(c.R.Context(), c.client(), browser, answer)
	if e := asError(err); e != nil && !c.JSON {
		return c.refused(e, &Page{Title: "Sign in", Login: c.loginView(&loginView{Next: next,
			Problem: e.Message, Kept: c.form.Get(keptForm), To: c.form.Get(keptTo)})}), nil
	}
	if err != nil {
		return Result{}, err
	}
	result := c.signedInAs(session, nextPath(next))
	result.Header = http.Header{"Set-Cookie": {c.ceremony("").String()}}
	if !c.JSON {
		result.Instead = c.resumed(session.Token)
	}
	return result, nil
}

// ceremony is the cookie of a sign-in under way; an empty one ends it.
func (c *Call) ceremony(value string) *http.Cookie {
	cookie := c.cookieFor(ceremonyCookie, value, Base)
	cookie.MaxAge = ceremonySeconds
	if value == "" {
		cookie.MaxAge = -1
	}
	return cookie
}

// credential takes the answer of a device from the body: an object in JSON, its text in a form.
func (c *Call) credential() (rest map[string]any, answer []byte, err error) {
	body, err := c.Body()
	if err != nil {
		return nil, nil, err
	}
	sent := body["credential"]
	delete(body, "credential")
	delete(body, "next")
	switch v := sent.(type) {
	case input.FormValue:
		answer = []byte(lastOf(v))
	case map[string]any:
		answer, err = cms.Marshal(v)
	}
	return body, answer, err
}

func (h passkeyHandlers) list(c *Call) (Result, error) { return h.shown(c, passkeysPage{}) }

func (h passkeyHandlers) shown(c *Call, v passkeysPage) (Result, error) {
	result, list, err := h.of(c, c.User.ID, "/passkeys")
	if err != nil {
		return Result{}, err
	}
	v.List = list
	result.Page = &Page{Title: "Passkeys", Crumbs: []Link{{"Your profile", Base + "/profile"}},
		Template: "passkeys", Custom: v}
	result.Page.use("passkeys")
	return result, nil
}

func (h passkeyHandlers) others(c *Call) (Result, error) {
	id := c.R.PathValue("id")
	result, list, err := h.of(c, id, "/users/"+id+"/passkeys")
	result.Page = &Page{Title: "Passkeys", Crumbs: []Link{{"User", Base + "/users/" + id}}, List: list}
	return result, err
}

// of lists the passkeys of a user, each with a button that removes it.
func (h passkeyHandlers) of(c *Call, userID, at string) (Result, *List, error) {
	p, err := c.plainPaging()
	if err != nil {
		return Result{}, nil, err
	}
	page, err := h.keys.List(c.R.Context(), userID, p)
	if err != nil {
		return Result{}, nil, err
	}
	list := &List{Columns: []string{"Name", "Added", "Last used"}, Empty: "No passkeys yet."}
	for _, k := range page.Items {
		row := Row{Cells: []Cell{Text(k.Name), When(k.CreatedAt), When(k.LastUsedAt)}}
		row.Actions = []Action{{Label: "Remove", Method: http.MethodDelete, Href: Base + at + "/" + k.ID,
			Danger: true, Confirm: "Remove the passkey “" + k.Name + "”? It opens this account no more."}}
		list.Rows = append(list.Rows, row)
	}
	return Result{Data: page.Items, Meta: meta(page)}, Paged(c, list, page), nil
}

// begin begins a registration: the answer has the options for the browser.
func (h passkeyHandlers) begin(c *Call) (Result, error) {
	options, err := h.keys.Begin(c.R.Context(), c.token)
	return Result{Data: options}, err
}

func (h passkeyHandlers) add(c *Call) (Result, error) {
	body, answer, err := c.credential()
	if err != nil {
		return Result{}, err
	}
	name, err := nameIn(body)
	if err != nil {
		return Result{}, err
	}
	key, err := h.keys.Add(c.R.Context(), c.Actor(), c.token, name, answer)
	if e := asError(err); e != nil && !c.JSON {
		result, err := h.shown(c, passkeysPage{Problems: []string{e.Describe()}, Name: name})
		result.Status = httpjson.StatusOf(e.Code)
		return result, err
	}
	return Result{Status: http.StatusCreated, Data: key, Redirect: "/passkeys?ok=created"}, err
}

func (h passkeyHandlers) rename(c *Call) (Result, error) {
	body, err := c.Body()
	if err != nil {
		return Result{}, err
	}
	name, err := nameIn(body)
	if err != nil {
		return Result{}, err
	}
	key, err := h.keys.Rename(c.R.Context(), c.token, c.R.PathValue("id"), name)
	return Result{Data: key, Redirect: "/passkeys?ok=saved"}, err
}

// nameIn reads a body that has a name.
func nameIn(body map[string]any) (string, error) {
	var in struct {
		Name *string `json:"name"`
	}
	p := cms.Problems{}
	input.Decode(body, &in, p, "last_used_at")
	return input.Given(in.Name, ""), p.Err()
}

func (h passkeyHandlers) remove(c *Call) (Result, error) {
	err := h.keys.Remove(c.R.Context(), c.Actor(), c.token, c.R.PathValue("id"))
	return Result{Status: http.StatusNoContent, Redirect: "/passkeys?ok=deleted"}, err
}

func (h passkeyHandlers) reset(c *Call) (Result, error) {
	id := c.R.PathValue("id")
	err := h.keys.Sessions.RemovePasskeys(c.R.Context(), c.Actor(), id, c.R.PathValue("passkey"))
	return Result{Status: http.StatusNoContent, Redirect: "/users/" + id + "?ok=done"}, err
}
