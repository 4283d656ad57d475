package admin_test

import (
	"strings"
	"testing"
	"time"

	"headless/pkg/access/tokens"
	"headless/pkg/admin/frame"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
)

// token makes an access token of a user with a scope.
func (c client) newToken(t *testing.T, scope string) client {
	t.Helper()
	return client{c.site,
		c.must(t, 201, "POST", "/tokens", map[string]any{"name": scope, "scope": scope}).text(t, "token")}
}

// TestTokenScopes asks every route with a token of each scope. The token is that of an admin, so that
// only its scope refuses.
func TestTokenScopes(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	read, content, all := c.newToken(t, "read"), c.newToken(t, "content"), c.newToken(t, "all")
	const none = "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"
	isAccount := func(r frame.Route) bool {
		switch strings.Split(r.Pattern, "/")[1] {
		case "users", "roles", "invitations", "keys", "webhooks", "targets", "tokens", "sessions", "totp", "passkeys",
			"people", "device", "grants":
			return true
		}
		return r.Pattern == "/profile" && r.Method != "GET"
	}
	routes := 0
	for _, r := range s.Handler.(*frame.Admin).Routes() {
		if r.Role == "" || r.Pattern == "/logout" || r.Pattern == "/confirm" {
			continue
		}
		if r.Confirm && !isAccount(r) {
			t.Errorf("%s %s needs a confirmation and is open to the scope content", r.Method, r.Pattern)
		}
		routes++
		path := patternParam.ReplaceAllString(strings.TrimSuffix(r.Pattern, "{$}"), none)
		var body any
		if r.Method != "GET" {
			body = map[string]any{"nonsense": true}
		}
		for _, token := range []struct {
			client
			refused bool
		}{{read, isAccount(r) || r.Method != "GET"}, {content, isAccount(r)}} {
			a := token.do(t, r.Method, path, body)
			if refused := a.Code == 403 && strings.Contains(a.Error.Message, "scope"); refused != token.refused {
				t.Errorf("%s %s refused: %t, want %t: %d %s", r.Method, path, refused, token.refused, a.Code, a.Body)
			}
		}
	}
	if routes < 100 {
		t.Errorf("only %d routes were asked", routes)
	}
	me := c.must(t, 200, "GET", "/me", nil).text(t, "id")
	for _, r := range []struct {
		method, path string
		body         any
	}{
		{"POST", "/tokens", map[string]any{"name": "x"}}, {"POST", "/totp", map[string]any{"password": password}},
		{"DELETE", "/totp", map[string]any{"code": "000000"}}, {"POST", "/totp/recovery", map[string]any{"code": "000000"}},
		{"DELETE", "/users/" + me + "/totp", nil},
		{"DELETE", "/users/" + me + "/passkeys", nil}, {"DELETE", "/passkeys/" + none, nil},
		{"PUT", "/profile", map[string]any{"password": "another battery", "current_password": password}},
		{"PUT", "/users/" + me, map[string]any{"password": "another battery", "current_password": password}},
		{"PUT", "/users/" + me, map[string]any{"email": "thief@example.com"}},
	} {
		all.must(t, 403, r.method, r.path, r.body)
	}
	all.must(t, 200, "PUT", "/profile", map[string]any{"name": "Ada"})
}

// TestContentScope: what is secret among content is out of the reach of the scope content.
func TestContentScope(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/webhooks", `{"name":"Hook","url":"https://hooks.example.com/x","events":["*"]}`)
	c.must(t, 200, "PUT", "/settings", `[{"group":"mail","key":"password","value":"secret"},
		{"group":"site","key":"motto","value":"Hi","is_public":true}]`)
	token := c.newToken(t, "content")
	for path, private := range map[string]string{"/schema": "Hook", "/settings": "secret"} {
		if a := token.must(t, 200, "GET", path, nil); strings.Contains(a.Body.String(), private) {
			t.Errorf("GET %s shows %s", path, private)
		}
	}
	a := token.must(t, 200, "PUT", "/settings", `[{"group":"site","key":"motto","value":"Hello"}]`)
	if strings.Contains(a.Body.String(), "secret") {
		t.Errorf("the answer to PUT /settings shows a private setting")
	}
	token.must(t, 403, "PUT", "/settings", `[{"group":"mail","key":"password","value":"mine"}]`)
	token.must(t, 403, "PUT", "/settings", `[{"group":"mail","key":"host","value":"mine"}]`)
	token.must(t, 403, "DELETE", "/settings/mail/password", nil)
	token.must(t, 204, "DELETE", "/settings/site/motto", nil)
	for _, part := range []string{`{"roles":[{"slug":"r","name":"R","rules":[]}]}`,
		`{"webhooks":[{"name":"N","url":"https://hooks.example.com/n","events":["*"]}]}`,
		`{"deletes":{"webhooks":["Hook"]}}`,
		`{"settings":[{"group":"mail","key":"password","value":"mine"}]}`,
		`{"settings":[{"group":"mail","key":"password","value":"secret"}]}`, // the plan would say whether it is right
		`{"settings":[{"group":"mail","key":"password","value":null}]}`,
		`{"settings":[{"group":"mail","key":"password","translations":{"en":"mine"}}]}`,
		`{"settings":[{"group":"mail","key":"password","is_public":true}]}`,
		`{"settings":[{"group":"mail","key":"host","value":"mine"}]}`,
		`{"deletes":{"settings":["mail.password"]}}`} {
		token.must(t, 403, "POST", "/schema/plan", `{"schema":`+part+`}`)
		token.must(t, 403, "POST", "/schema/apply", `{"schema":`+part+`,"plan_id":"x"}`)
	}
	const part = `{"folders":[{"name":"Press"}],"roles":[],"webhooks":[],"settings":[
		{"group":"mail","key":"password","is_public":false},{"group":"site","key":"motto","value":"Hi","is_public":true}]}`
	plan := token.must(t, 200, "POST", "/schema/plan", `{"schema":`+part+`}`).text(t, "plan_id")
	token.must(t, 200, "POST", "/schema/apply", `{"schema":`+part+`,"plan_id":"`+plan+`"}`)
}

// TestActivityOfScopes: the scopes read and content do not cover the activity of accounts, keys, webhooks and roles.
func TestActivityOfScopes(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/roles", `{"slug":"hidden-role","name":"R","rules":[]}`)
	c.must(t, 201, "POST", "/keys", `{"name":"hidden-key"}`)
	c.must(t, 201, "POST", "/webhooks", `{"name":"hidden-hook","url":"https://hooks.example.com/x","events":["*"]}`)
	c.must(t, 201, "POST", "/users", `{"email":"hidden-user@example.com","role":"viewer","password":"`+password+`"}`)
	c.must(t, 201, "POST", "/redirects", `{"from":"/shown","to":"/x"}`)
	for scope, all := range map[string]bool{"read": false, "content": false, "all": true} {
		token := c.newToken(t, scope)
		for _, path := range []string{"/activity", "/activity.csv", "/"} {
			body := token.must(t, 200, "GET", path, nil).Body.String()
			if !strings.Contains(body, "/shown") {
				t.Errorf("GET %s with the scope %s shows no redirect: %s", path, scope, body)
			}
			for _, name := range []string{"hidden-role", "hidden-key", "hidden-hook", "hidden-user"} {
				shown := strings.Contains(body, name)
				if shown && !all || !shown && all && path != "/" { // which shows the newest lines only
					t.Errorf("GET %s with the scope %s shows %s: %t", path, scope, name, shown)
				}
			}
		}
	}
}

// TestTokenEnds: what ends the access tokens of a user, and how long they are valid.
func TestTokenEnds(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	user := s.newUser(t, "editor")
	id := user.must(t, 200, "GET", "/me", nil).text(t, "id")
	for name, end := range map[string]func(){
		"an admin's new password": func() {
			c.must(t, 200, "PUT", "/users/"+id, map[string]any{"password": "another battery"})
			c.must(t, 200, "PUT", "/users/"+id, map[string]any{"password": password})
		},
		"deactivation": func() {
			c.must(t, 200, "PUT", "/users/"+id, map[string]any{"is_active": false})
			c.must(t, 200, "PUT", "/users/"+id, map[string]any{"is_active": true})
		},
		"one's own new password": func() {
			user.must(t, 200, "PUT", "/profile", map[string]any{"password": password, "current_password": password})
		},
		"an admin, all of them": func() { c.must(t, 204, "DELETE", "/users/"+id+"/tokens", nil) },
		"an admin, one of them": func() {
			token := c.must(t, 200, "GET", "/users/"+id+"/tokens", nil).text(t, 0, "id")
			c.must(t, 204, "DELETE", "/users/"+id+"/tokens/"+token, nil)
		},
		"90 days": func() { s.ahead.Add(int64(90 * 24 * time.Hour)); c = s.as(t, adminEmail) },
	} {
		user = s.as(t, user.must(t, 200, "GET", "/me", nil).text(t, "email"))
		token := user.newToken(t, "content")
		token.must(t, 200, "GET", "/me", nil)
		listed := c.must(t, 200, "GET", "/users/"+id+"/tokens", nil)
		if n := listed.Meta["total"]; n != 1.0 || listed.text(t, 0, "last_used_at") == "" {
			t.Errorf("before %s: %v tokens: %s", name, n, listed.Body)
		}
		end()
		token.must(t, 401, "GET", "/me", nil)
		user = s.as(t, c.must(t, 200, "GET", "/users/"+id, nil).text(t, "email"))
		if n := user.must(t, 200, "GET", "/tokens", nil).Meta["total"]; n != 0.0 {
			t.Errorf("after %s: %v tokens are listed", name, n)
		}
	}
	late := s.now().AddDate(1, 0, 1).Format(time.RFC3339)
	user.must(t, 422, "POST", "/tokens", map[string]any{"name": "x", "expires_at": late})
	user.must(t, 422, "POST", "/tokens", map[string]any{"name": "x", "scope": "everything"})
}

// TestFormerTokens: tokens of former versions have no scope and no end, and get both.
func TestFormerTokens(t *testing.T) {
	s := newSite(t)
	mails := s.recordMails()
	user, err := s.store.Access.UserByEmail(t.Context(), adminEmail)
	must.Do(t, err)
	tx := s.store.Begin()
	former := tokens.AccessToken{ID: "former", Name: "CI", UserID: user.ID, Hash: db.TokenHash("pat_former")}
	tokens.Create(tx, former)
	must.Do(t, s.store.Commit(t.Context(), tx))
	old := client{s, "pat_former"}
	old.must(t, 200, "GET", "/users", nil)
	for range 2 {
		must.Do(t, s.on.Tokens.Upgrade(t.Context()))
	}
	if got := mails(); len(got) != 1 || got[0] != adminEmail+": Your access token ends" {
		t.Errorf("mails %q", got)
	}
	v, err := s.on.Tokens.Get(t.Context(), user.ID, "former")
	if err != nil || v.Scope != tokens.ScopeAll || cms.At(s.now()).Sub(v.ExpiresAt.Time) > -89*24*time.Hour {
		t.Errorf("upgraded to %+v, %v", v, err)
	}
	old.must(t, 200, "GET", "/users", nil)
	s.ahead.Add(int64(90 * 24 * time.Hour))
	old.must(t, 401, "GET", "/me", nil)
}
