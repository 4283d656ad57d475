package embedded

import (
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"headless/pkg/app"
	"headless/pkg/must"
	"headless/pkg/oidc"
	"headless/pkg/oidc/oidctest"
)

// signInSite is a service over TCP whose users sign in by a provider.
type signInSite struct {
	t        *testing.T
	server   *Server
	url      string
	provider *oidctest.Provider
}

func newSignInSite(t *testing.T, change func(*oidc.Config)) *signInSite {
	t.Helper()
	provider := oidctest.New(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must.Do(t, err)
	cfg, err := app.FromEnv(func(string) string { return "" })
	must.Do(t, err)
	cfg.DataDir, cfg.Seed, cfg.AdminEmail, cfg.AdminPassword = t.TempDir(), "none",
		"root@example.com", "a long enough password"
	cfg.SiteURL = "http://" + listener.Addr().String()
	cfg.OIDC = oidc.Config{
		Issuer: provider.Issuer, ClientID: oidctest.ClientID, ClientSecret: oidctest.ClientSecret,
		RolesClaim: "realm.groups",
		Roles: []oidc.Mapping{{Group: "bosses", Role: "admin"}, {Group: "writers", Role: "editor"},
			{Group: "ghosts", Role: "no-such-role"}},
	}
	change(&cfg.OIDC)
	server, err := New(cfg, slog.New(slog.DiscardHandler))
	must.Do(t, err)
	hs := &http.Server{Handler: server}
	go hs.Serve(listener)
	t.Cleanup(func() {
		hs.Close()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return &signInSite{t, server, cfg.SiteURL, provider}
}

// visitor is a browser with cookies of its own.
func visitor(t *testing.T) *http.Client {
	jar, err := cookiejar.New(nil)
	must.Do(t, err)
	return &http.Client{Jar: jar}
}

// get follows redirects as a browser does, and returns the last status, address and page.
func (s *signInSite) get(browser *http.Client, path string) (status int, at, page string) {
	s.t.Helper()
	r, err := http.NewRequest("GET", s.url+path, nil)
	must.Do(s.t, err)
	r.Header.Set("Accept", "text/html")
	answer, err := browser.Do(r)
	must.Do(s.t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	must.Do(s.t, err)
	return answer.StatusCode, answer.Request.URL.RequestURI(), string(body)
}

func person(subject, email string, verified any, groups ...string) map[string]any {
	return map[string]any{"sub": subject, "email": email, "email_verified": verified,
		"realm": map[string]any{"groups": groups}, "name": "Ann"}
}

func TestProviderSignIn(t *testing.T) {
	s := newSignInSite(t, func(*oidc.Config) {})
	for _, step := range []struct {
		name   string
		claims map[string]any
		status int
		want   string
	}{
		{"no role", person("1", "ann@example.com", true, "others"), 403, "not given you a role"},
		{"role that is not there", person("1", "ann@example.com", true, "ghosts"), 403, "not given you a role"},
		{"address not verified", person("1", "ann@example.com", false, "writers"), 403, "verified"},
		{"no address", person("1", "", true, "writers"), 403, "verified"},
		{"new", person("1", "ann@example.com", "true", "writers"), 200, "Ann"},
		{"again, without an address", person("1", "", false, "writers"), 200, "Ann"},
		{"other subject, same address", person("2", "Ann@Example.com", true, "writers"), 403, "another way"},
		{"account with a password, not verified", person("3", "root@example.com", false, "bosses"),
			403, "verified"},
		{"the last admin, demoted", person("3", "root@example.com", true, "writers"), 409,
			"last active admin"},
		{"account with a password", person("3", "root@example.com", true, "writers", "bosses"), 200, ""},
		{"promoted", person("1", "new@example.com", true, "bosses"), 200, "Ann"},
		{"demoted", person("3", "root@example.com", true, "writers"), 200, ""},
		{"for another client", map[string]any{"sub": "1", "aud": "other",
			"realm": map[string]any{"groups": []string{"bosses"}}}, 401, "refused"},
		{"issued to another client", map[string]any{"sub": "1", "aud": []string{oidctest.ClientID, "other"},
			"azp": "other", "realm": map[string]any{"groups": []string{"bosses"}}}, 401, "refused"},
		{"of another issuer", map[string]any{"sub": "1", "iss": "https://other.example",
			"realm": map[string]any{"groups": []string{"bosses"}}}, 401, "refused"},
		{"expired",
			map[string]any{"sub": "1", "exp": 1,
				"realm": map[string]any{"groups": []string{"bosses"}}}, 401, "refused"},
		{"another nonce",
			map[string]any{"sub": "1", "nonce": "x",
				"realm": map[string]any{"groups": []string{"bosses"}}}, 401, "refused"},
	} {
		s.provider.SignIn(step.claims)
		status, at, page := s.get(visitor(t), "/admin/oidc/login?next=/admin/profile")
		if status != step.status || !strings.Contains(page, step.want) || status == 200 &&
			at != "/admin/profile" {
			t.Errorf("%s: %d at %s", step.name, status, at)
		}
	}
	users, err := s.server.store.Access.Users(t.Context())
	must.Do(t, err)
	for _, u := range users.List {
		if want := map[string]string{"new@example.com": "admin",
			"root@example.com": "editor"}[u.Email]; want != string(u.Role) {
			t.Errorf("%s has the role %s", u.Email, u.Role)
		}
	}
}

// call makes a request of a program and decodes data; body "" is none.
func (s *signInSite) call(status int, method, path, token, body string) map[string]any {
	s.t.Helper()
	r, err := http.NewRequest(method, s.url+"/admin"+path, strings.NewReader(body))
	must.Do(s.t, err)
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(r)
	must.Do(s.t, err)
	defer answer.Body.Close()
	var v struct{ Data map[string]any }
	if err := json.NewDecoder(answer.Body).Decode(&v); err != nil && status != 204 || answer.StatusCode != status {
		s.t.Fatalf("%s %s: %d, want %d, %v", method, path, answer.StatusCode, status, err)
	}
	return v.Data
}

// TestProviderLinks: linking an account to a provider ends what the account had, and losing the role
// ends what is open.
func TestProviderLinks(t *testing.T) {
	s := newSignInSite(t, func(*oidc.Config) {})
	signIn := func(email string) string {
		return `{"email":"` + email + `","password":"a long enough password"}`
	}
	root := s.call(200, "POST", "/login", "", signIn("root@example.com"))["token"].(string)
	s.call(201, "POST", "/users", root, `{"email":"ann@example.com","role":"viewer","password":"a long enough password"}`)
	session := s.call(200, "POST", "/login", "", signIn("ann@example.com"))["token"].(string)
	token := s.call(201, "POST", "/tokens", session, `{"name":"CI"}`)["token"].(string)
	s.provider.SignIn(person("1", "ann@example.com", true, "bosses"))
	browser := visitor(t)
	if status, at, _ := s.get(browser, "/admin/oidc/login?next=/admin/profile"); status != 200 || at != "/admin/profile" {
		t.Fatalf("linking: %d at %s", status, at)
	}
	s.call(401, "GET", "/me", session, "")
	s.call(401, "GET", "/me", token, "")
	s.call(401, "POST", "/login", "", signIn("ann@example.com"))
	s.provider.SignIn(person("1", "ann@example.com", true, "others"))
	if status, _, _ := s.get(visitor(t), "/admin/oidc/login"); status != 403 {
		t.Fatalf("without a role: %d", status)
	}
	if _, at, _ := s.get(browser, "/admin/profile"); at == "/admin/profile" {
		t.Error("the session goes on without a role")
	}
}

// TestProviderConfirms: a confirmation needs a password that was entered at the provider just now,
// and a sign-in with an older one confirms nothing.
func TestProviderConfirms(t *testing.T) {
	s := newSignInSite(t, func(*oidc.Config) {})
	for name, c := range map[string]struct {
		query  string
		age    time.Duration // of the password at the provider; 0: the provider does not say
		status int
		page   string
	}{
		"just now":              {"&again", time.Second, 200, "New user"},
		"long ago":              {"&again", time.Hour, 401, "again"},
		"unknown":               {"&again", 0, 401, "again"},
		"signed in long ago":    {"", 2 * time.Hour, 403, "Confirm that it is you"},
		"signed in, time of it": {"", time.Second, 200, "New user"},
		"signed in, unknown":    {"", 0, 200, "New user"},
	} {
		who := person("1", "ann@example.com", true, "bosses")
		if c.age > 0 {
			who["auth_time"] = time.Now().Add(-c.age).Unix()
		}
		s.provider.SignIn(who)
		status, _, page := s.get(visitor(t), "/admin/oidc/login?next=/admin/users/create"+c.query)
		if status != c.status || !strings.Contains(page, c.page) {
			t.Errorf("%s: %d %s", name, status, page)
		}
	}
}

// TestProviderFlowIsBound: an answer of the provider counts once, and only in the browser that
// began.
func TestProviderFlowIsBound(t *testing.T) {
	s := newSignInSite(t, func(*oidc.Config) {})
	s.provider.SignIn(person("1", "ann@example.com", true, "writers"))
	began := visitor(t)
	var back string
	began.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
		if r.URL.Path == "/admin/oidc/callback" {
			back = r.URL.RequestURI()
			return http.ErrUseLastResponse
		}
		return nil
	}
	if status, _, _ := s.get(began, "/admin/oidc/login"); status != 302 || back == "" {
		t.Fatalf("start: %d %q", status, back)
	}
	u, _ := url.Parse(back)
	q := u.Query()
	q.Set("state", "other")
	for name, try := range map[string]struct {
		browser *http.Client
		path    string
	}{"another browser": {visitor(t), back}, "another state": {began, u.Path + "?" + q.Encode()},
		"no state": {visitor(t), u.Path + "?code=x"}} {
		if status, _, page := s.get(try.browser, try.path); status != 400 ||
			!strings.Contains(page, "Start again") {
			t.Errorf("%s: %d", name, status)
		}
	}
	if status, _, _ := s.get(began, back); status != 400 { // the wrong state ended the flow
		t.Errorf("after a wrong state: %d", status)
	}
	if status, _, _ := s.get(began, "/admin/oidc/login"); status != 302 {
		t.Fatal(status)
	}
	if status, _, _ := s.get(began, back); status != 200 {
		t.Errorf("in the browser that began: %d", status)
	}
	if status, _, _ := s.get(began, "/admin/oidc/login"); status != 302 {
		t.Fatal(status)
	}
	// A browser that returns from another provider than it was sent to (RFC 9207) has been led there.
	if status, _, _ := s.get(began, back+"&iss=https://other.example"); status != 401 {
		t.Errorf("from another issuer: %d", status)
	}
	if status, _, _ := s.get(visitor(t), "/admin/oidc/callback?error=access_denied"); status != 400 {
		t.Errorf("an error that nobody asked for: %d", status)
	}
}

func TestProviderOnly(t *testing.T) {
	s := newSignInSite(t, func(c *oidc.Config) { c.PasswordsOff = true })
	_, _, page := s.get(visitor(t), "/admin/login?next=/admin/keys")
	if !strings.Contains(page, `href="/admin/oidc/login?next=%2fadmin%2fkeys"`) ||
		strings.Contains(page, `type="password"`) {
		t.Errorf("the sign-in page: %s", page)
	}
	r, err := http.NewRequest("POST", s.url+"/admin/login",
		strings.NewReader(`{"email":"root@example.com","password":"a long enough password"}`))
	must.Do(t, err)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	must.Do(t, err)
	answer.Body.Close()
	if answer.StatusCode != 403 {
		t.Errorf("by password: %d", answer.StatusCode)
	}
}

func TestProviderDown(t *testing.T) {
	s := newSignInSite(t, func(c *oidc.Config) { c.Issuer = "http://127.0.0.1:1" })
	if status, _, page := s.get(visitor(t), "/admin/oidc/login"); status != 503 ||
		!strings.Contains(page, "does not respond") {
		t.Errorf("%d", status)
	}
}
