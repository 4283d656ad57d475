package admin_test

import (
	"html"
	"maps"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"headless/pkg/access/otp/otptest"
	"headless/pkg/admin/frame"
	"headless/pkg/must"
)

// TestConfirm: what a stolen session must not do needs a sign-in or a confirmation of the last
// hour.
func TestConfirm(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	key := c.must(t, 201, "POST", "/keys", map[string]any{"name": "Site"}).text(t, "id")
	token := client{s, c.must(t, 201, "POST", "/tokens", map[string]any{"name": "CLI", "scope": "all"}).text(t, "token")}
	s.ahead.Store(int64(59 * time.Minute))
	c.must(t, 200, "POST", "/keys/"+key+"/rotate", map[string]any{})
	s.ahead.Store(int64(61 * time.Minute))
	for _, r := range []struct{ method, path string }{
		{"POST", "/keys"}, {"POST", "/keys/" + key + "/rotate"}, {"PUT", "/keys/" + key},
		{"POST", "/users"}, {"DELETE", "/users/none"}, {"POST", "/roles"}, {"POST", "/invitations"},
		{"POST", "/webhooks"}, {"POST", "/webhooks/none/rotate-secret"}, {"POST", "/tokens"},
		{"POST", "/passkeys/options"},
	} {
		if a := c.do(t, r.method, r.path, map[string]any{"name": "x"}); a.Code != 403 ||
			a.Error.Code != "CONFIRMATION_REQUIRED" {
			t.Errorf("%s %s after an hour: %d %s", r.method, r.path, a.Code, a.Body)
		}
	}
	c.must(t, 200, "GET", "/keys/"+key, nil)
	c.must(t, 200, "GET", "/users/create", nil)
	c.must(t, 201, "POST", "/locales", map[string]any{"code": "de", "name": "German"})
	token.must(t, 201, "POST", "/keys", map[string]any{"name": "By a program"})
	token.must(t, 403, "POST", "/confirm", map[string]any{"password": password})
	c.must(t, 422, "POST", "/confirm", map[string]any{})
	c.must(t, 422, "POST", "/confirm", map[string]any{"password": "wrong horse battery"})
	c.must(t, 403, "POST", "/keys", map[string]any{"name": "Still not"})
	until := c.must(t, 200, "POST", "/confirm", map[string]any{"password": password}).text(t,
		"confirmed_until")
	if at, err := time.Parse(time.RFC3339, until); err != nil ||
		at.Sub(s.now()).Round(time.Minute) != time.Hour {
		t.Errorf("confirmed until %s, now %s", until, s.now())
	}
	c.must(t, 201, "POST", "/keys", map[string]any{"name": "Another"})
	if log := c.must(t, 200, "GET", "/activity", nil).Body.String(); !strings.Contains(log,
		"session.confirmed") {
		t.Error("no record of it")
	}
	secret, _ := s.useTOTP(t, c)
	s.ahead.Add(int64(2 * time.Hour))
	c.must(t, 422, "POST", "/confirm", map[string]any{"code": "000000"})
	c.must(t, 200, "POST", "/confirm", map[string]any{"code": otptest.Code(t, secret, s.now())})
	c.must(t, 422, "POST", "/confirm", map[string]any{"code": otptest.Code(t, secret, s.now())}) // once
	c.must(t, 201, "POST", "/keys", map[string]any{"name": "By code"})
	for range 4 {
		c.must(t, 422, "POST", "/confirm", map[string]any{"password": "wrong horse battery"})
	}
	c.must(t, 429, "POST", "/confirm", map[string]any{"password": password})
}

var hidden = regexp.MustCompile(`name="(_csrf|_kept|_to|next)" value="([^"]*)"`)

// confirmation are the hidden inputs of the page that asks for one.
func confirmation(t *testing.T, a answer) url.Values {
	t.Helper()
	form := url.Values{}
	for _, m := range hidden.FindAllStringSubmatch(a.Body.String(), -1) {
		form.Set(m[1], html.UnescapeString(m[2]))
	}
	if a.Code != 403 || form.Get("_csrf") == "" {
		t.Fatalf("no page that asks: %d %s", a.Code, a.Body)
	}
	return form
}

// TestConsentAfterAWhile: the page of the consent asks for the confirmation before it asks for the consent. A
// confirmation after that would have to lead to another site, which the policy of its page forbids.
func TestConsentAfterAWhile(t *testing.T) {
	s := newSite(t)
	b := s.browse(t)
	program, err := s.on.Grants.Register(t.Context(), "", []byte(`{"redirect_uris": ["https://app.example/cb"]}`))
	must.Do(t, err)
	page := "/grants/authorize?" + url.Values{"client_id": {program.ID}, "response_type": {"code"},
		"code_challenge_method": {"S256"}, "code_challenge": {strings.Repeat("x", 43)}, "state": {"a b"}}.Encode()
	s.ahead.Store(int64(61 * time.Minute))
	form := confirmation(t, b.get(t, page))
	form.Set("password", password)
	a := b.post(t, "/confirm", form)
	if a.Code != 303 || a.Header().Get("Location") != "/admin"+page {
		t.Fatalf("after the confirmation: %d %s", a.Code, a.Header().Get("Location"))
	}
	a = b.get(t, page)
	if policy := a.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "form-action 'self' https:") {
		t.Errorf("the policy is %s", policy)
	}
	fields := url.Values{"_csrf": {confirmationToken(t, a)}, "level": {"read"}, "decision": {"allow"}}
	query, err := url.ParseQuery(page[strings.Index(page, "?")+1:])
	must.Do(t, err)
	maps.Copy(fields, query)
	if a = b.post(t, "/grants/authorize", fields); a.Code != 302 ||
		!strings.HasPrefix(a.Header().Get("Location"), "https://app.example/cb?code=") {
		t.Errorf("allowed: %d %s", a.Code, a.Body)
	}
}

// TestConfirmPages: a page asks for confirmation, then goes on with the change.
func TestConfirmPages(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	key := c.must(t, 201, "POST", "/keys", map[string]any{"name": "Site"}).text(t, "id")
	b := s.browse(t)
	csrf := confirmationToken(t, b.get(t, "/profile"))
	s.ahead.Store(int64(61 * time.Minute))
	form := confirmation(t, b.post(t, "/keys/"+key, url.Values{"_csrf": {csrf}, "_method": {"DELETE"}}))
	form.Set("password", "wrong horse battery")
	a := b.post(t, "/confirm", form)
	if a.Code != 422 || !strings.Contains(a.Body.String(), "is wrong") {
		t.Fatalf("a wrong password: %d %s", a.Code, a.Body)
	}
	c.must(t, 200, "GET", "/keys/"+key, nil)
	form.Set("password", password)
	if a = b.post(t, "/confirm", form); a.Code != 303 ||
		a.Header().Get("Location") != "/admin/keys?ok=deleted" {
		t.Fatalf("the right password: %d %s %s", a.Code, a.Header().Get("Location"), a.Body)
	}
	c.must(t, 404, "GET", "/keys/"+key, nil)
	// The form of a user has a password, which is not carried along: the form comes back.
	s.ahead.Add(int64(2 * time.Hour))
	form = confirmation(t, b.post(t, "/users", url.Values{"_csrf": {csrf}, "email": {"new@example.com"},
		"role": {"viewer"}, "password": {"a secret of theirs"}}))
	if strings.Contains(form.Get("_kept"), "secret") {
		t.Error("the page carries a password")
	}
	form.Set("password", password)
	if a = b.post(t, "/confirm", form); a.Code != 200 ||
		!strings.Contains(a.Body.String(), "new@example.com") {
		t.Fatalf("the form does not come back: %d %s", a.Code, a.Body)
	}
	// Forms that need it ask before anybody types.
	s.ahead.Add(int64(2 * time.Hour))
	form = confirmation(t, b.get(t, "/users/create"))
	form.Set("password", password)
	if a = b.post(t, "/confirm", form); a.Code != 303 || a.Header().Get("Location") != "/admin/users/create" {
		t.Fatalf("back to the form: %d %s", a.Code, a.Header().Get("Location"))
	}
	form.Del("_csrf")
	if a = b.post(t, "/confirm", form); a.Code != 403 {
		t.Errorf("without the token of the session: %d", a.Code)
	}
}

func confirmationToken(t *testing.T, a answer) string {
	t.Helper()
	m := regexp.MustCompile(`name="_csrf" value="([^"]*)"`).FindStringSubmatch(a.Body.String())
	if m == nil {
		t.Fatalf("no token in %s", a.Body)
	}
	return html.UnescapeString(m[1])
}

// TestConfirmedRoutes: every change of keys, users, roles, invitations, access tokens and of the
// secrets of webhooks needs a fresh sign-in.
func TestConfirmedRoutes(t *testing.T) {
	free := map[string]bool{
		"POST /invitations/accept": true, "DELETE /users/{id}/sessions/{session}": true,
		"POST /webhooks/{webhook}/test": true, "PATCH /webhooks/{webhook}/toggle-active": true,
		"POST /webhooks/{webhook}/deliveries/{id}/redeliver": true,
		"POST /webhooks/{webhook}/replay":                    true, "DELETE /webhooks/{webhook}/replay": true,
	}
	for _, r := range newSite(t).Handler.(*frame.Admin).Routes() {
		segment := strings.Split(r.Pattern, "/")[1]
		switch segment {
		case "keys", "users", "roles", "invitations", "tokens", "webhooks":
			name := r.Method + " " + r.Pattern
			if want := r.Method != "GET" && !free[name]; want && !r.Confirm {
				t.Errorf("%s needs no fresh sign-in", name)
			}
		}
	}
}

// TestConfirmSchema: a schema that changes roles or webhooks needs what their own routes need; the
// content of a site does not.
func TestConfirmSchema(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	token := client{s, c.must(t, 201, "POST", "/tokens", map[string]any{"name": "CI", "scope": "all"}).text(t, "token")}
	s.ahead.Store(int64(61 * time.Minute))
	apply := func(c client, status int, part string) {
		t.Helper()
		plan := c.must(t, 200, "POST", "/schema/plan", `{"schema":`+part+`}`).text(t, "plan_id")
		a := c.must(t, status, "POST", "/schema/apply", `{"schema":`+part+`,"plan_id":"`+plan+`"}`)
		if status == 403 && a.Error.Code != "CONFIRMATION_REQUIRED" {
			t.Errorf("%s: %s", part, a.Body)
		}
	}
	const roles = `{"roles":[{"slug":"all","name":"All","rules":[{}]}]}`
	const hooks = `{"webhooks":[{"name":"Thief","url":"https://name.invalid/","events":["*"]}]}`
	apply(c, 200,
		`{"locales":[{"code":"en","name":"English","is_default":true},{"code":"de","name":"German"}]}`)
	apply(c, 403, roles)
	apply(c, 403, hooks)
	apply(token, 200, hooks)
	c.must(t, 200, "POST", "/confirm", map[string]any{"password": password})
	apply(c, 200, roles)
}
