package admin_test

import (
	"fmt"
	"html"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"headless/pkg/access/notices"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
)

func TestProfile(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/users", user("ada@example.com", "viewer"))
	ada, other := s.as(t, "ada@example.com"), s.as(t, "ada@example.com")
	if a := ada.must(t, 200, "PUT", "/profile",
		`{"name":"Ada L.","email":"ada@example.com","role":"admin","is_active":false}`); a.text(t,
		"name") != "Ada L." ||
		a.text(t, "email") != "ada@example.com" || a.text(t, "role") != "viewer" ||
		a.at(t, "is_active") != true {
		t.Errorf("changed %s", a.Body)
	}
	other.must(t, 200, "GET", "/profile", nil)
	for body, want := range map[string][]string{
		`{"password":"short"}`: {"current_password",
			"password"},
		`{"password":"another horse battery"}`:                                {"current_password"},
		`{"password":"another horse battery","current_password":"wrong one"}`: {"current_password"},
		`{"password":"another horse battery","current_password":7,"name":1}`: {"current_password",
			"name"},
		`{"password":"short","current_password":"correct horse battery","x":"y"}`: {"password", "x"},
	} {
		if got := keysOf(ada.must(t, 422, "PUT", "/profile", body).Error.Details); !slices.Equal(got, want) {
			t.Errorf("%s: problems %v, want %v", body, got, want)
		}
	}
	ada.must(t, 200, "PUT", "/profile",
		`{"password":"another horse battery","current_password":"`+password+`"}`)
	ada.must(t, 200, "GET", "/profile", nil) // this session goes on
	other.must(t, 401, "GET", "/profile", nil)
	client{s, ""}.must(t, 200, "POST", "/login", map[string]string{"email": "ada@example.com",
		"password": "another horse battery"})
	if a := c.must(t, 200, "GET", "/activity?filter%5Bevent%5D=user.updated", nil); a.Meta["total"] != 2.0 ||
		a.text(t, 0, "actor") != "ada@example.com" {
		t.Errorf("activity %s", a.Body)
	}
	// Whoever finds an open session cannot try passwords without end.
	for range 5 {
		ada.must(t, 422, "PUT", "/profile",
			`{"password":"another horse battery","current_password":"wrong one"}`)
	}
	ada.must(t, 429, "PUT", "/profile",
		`{"password":"third horse battery","current_password":"another horse battery"}`)
}

func TestProfilePage(t *testing.T) {
	s := newSite(t)
	b := s.browse(t)
	page := b.get(t, "/profile")
	if !contains(page, `value="`+adminEmail+`" required`) ||
		!contains(page, `href="/admin/profile"`) || !contains(page, `autocomplete="current-password"`) {
		t.Errorf("page %s", page.Body)
	}
	token := page.csrf(t)
	form := func(current, next string) url.Values {
		return url.Values{"_csrf": {token}, "_method": {"PUT"}, "name": {"Root"},
			"password": {next}, "current_password": {current}}
	}
	if a := b.post(t, "/profile", form("typed by the browser", "")); a.Code != 303 ||
		!contains(b.get(t, "/profile"), `value="Root"`) {
		t.Errorf("name: %d %s", a.Code, a.Body)
	}
	if a := b.post(t, "/profile", form("no", "another horse battery")); a.Code != 422 ||
		!contains(a, "is wrong") || contains(a, "another horse") {
		t.Errorf("wrong password: %d %s", a.Code, a.Body)
	}
	if a := b.post(t, "/profile", form(password, "another horse battery")); a.Code != 303 ||
		b.get(t, "/profile").Code != 200 {
		t.Errorf("password: %d", a.Code)
	}
}

// TestBackAfterSignIn: who must sign in on pressing a button comes back to its page.
func TestBackAfterSignIn(t *testing.T) {
	s := newSite(t)
	for referer, want := range map[string]string{
		"http://example.com/admin/locales/en/edit":  "/admin/login?next=%2Fadmin%2Flocales%2Fen%2Fedit",
		"http://evil.example/admin/locales/en/edit": "/admin/login", "": "/admin/login",
	} {
		r := httptest.NewRequest("POST", "http://example.com/admin/locales/en",
			strings.NewReader("_method=DELETE"))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if r.Header.Set("Accept", "text/html"); referer != "" {
			r.Header.Set("Referer", referer)
		}
		if a := s.send(t, r); a.Code != 303 || a.Header().Get("Location") != want {
			t.Errorf("from %q: %d %s", referer, a.Code, a.Header().Get("Location"))
		}
	}
}

// TestTypedTextOutlivesSession: a form that is sent after the session ended comes back after
// signing in, and is not saved before it is sent again.
func TestTypedTextOutlivesSession(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models",
		`{"name":"Pages","slug":"pages","fields":[{"name":"body","type":"richtext"}]}`)
	at := "/models/pages/entries/" + c.must(t, 201, "POST", "/models/pages/entries",
		`{"title":"Before"}`).text(t, "id")
	page := b.get(t, at+"/edit")
	edit := url.Values{"_csrf": {page.csrf(t)}, "_method": {"PUT"}, "_version": {page.version(t)},
		"title": {"Typed <title>"}, "data.body": {"a long\r\ntext"}}
	if a := b.post(t, "/logout", url.Values{"_csrf": edit["_csrf"]}); a.Code != 303 {
		t.Fatal(a.Code)
	}
	a := b.post(t, at, edit)
	kept := func(a answer, name string) []string {
		_, rest, _ := strings.Cut(a.Body.String(), `name="`+name+`" value="`)
		value, _, _ := strings.Cut(rest, `"`)
		return []string{html.UnescapeString(value)}
	}
	if a.Code != 401 || !contains(a, "Your session has ended") || kept(a, "_to")[0] != "/admin"+at {
		t.Fatalf("without a session: %d %s", a.Code, a.Body)
	}
	signIn := url.Values{"email": {adminEmail}, "password": {"wrong horse battery"},
		"_kept": kept(a, "_kept"), "_to": kept(a, "_to")}
	a = b.post(t, "/login", signIn)
	if a.Code != 401 || kept(a, "_kept")[0] != signIn.Get("_kept") {
		t.Fatalf("wrong password: %d %s", a.Code, a.Body)
	}
	signIn.Set("password", password)
	a = b.post(t, "/login", signIn)
	if a.Code != 200 || len(a.Result().Cookies()) == 0 ||
		!contains(a, `Typed &lt;title&gt;</textarea>`) || !contains(a, "a long\ntext") ||
		!contains(a, "not saved yet") {
		t.Fatalf("signed in: %d %s", a.Code, a.Body)
	}
	if e := c.must(t, 200, "GET", at, nil); e.text(t, "title") != "Before" {
		t.Error("the form was saved unseen")
	}
	b.cookie = a.Result().Cookies()[0]
	edit.Set("_csrf", a.csrf(t))
	if saved := b.post(t, at, edit); saved.Code != 303 || a.version(t) != edit.Get("_version") {
		t.Errorf("saved: %d %s", saved.Code, saved.Body)
	}
	// A form of the session before, sent in this one: the user has signed in again in another tab.
	edit.Set("_csrf", page.csrf(t))
	edit.Set("title", "Typed in another tab")
	if a := b.post(t, at, edit); a.Code != 403 || !contains(a, `Typed in another tab</textarea>`) ||
		!contains(a, "not saved yet") {
		t.Errorf("a form of the session before: %d %s", a.Code, a.Body)
	}
	if e := c.must(t, 200, "GET", at, nil); e.text(t, "title") != "Typed <title>" {
		t.Error("the form of the session before was saved unseen")
	}
	// Nothing is kept of requests by other sites, of requests without a form, and of passwords.
	r := httptest.NewRequest("POST", "http://example.com/admin"+at, strings.NewReader(edit.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	if a := s.send(t, r); a.Code != 303 {
		t.Errorf("from another site: %d", a.Code)
	}
	stranger := browser{s, nil}
	if a := stranger.post(t, at, url.Values{"_method": {"DELETE"}}); a.Code != 303 {
		t.Errorf("a button: %d", a.Code)
	}
	if a := stranger.post(t, "/users",
		url.Values{"email": {"a@example.com"}, "password": {"typed horse battery"}}); a.Code != 401 ||
		contains(a, "typed horse") {
		t.Errorf("a password: %d %s", a.Code, a.Body)
	}
	for _, to := range []string{"https://evil.example/admin/x", "//evil.example/admin/x",
		"/admin/login", "/admin/nope", "/other"} {
		signIn.Set("_to", to)
		if a := stranger.post(t, "/login", signIn); a.Code >= 500 ||
			strings.Contains(a.Header().Get("Location"), "evil") {
			t.Errorf("to %s: %d %v", to, a.Code, a.Header())
		}
	}
}

// linkTokens makes the area keep the tokens of mailed links.
type linkTokens struct{ sent []string }

func (m *linkTokens) Notify(_ *db.Tx, _ cms.Actor, to string, n cms.Notice) {
	if _, token, ok := strings.Cut(fmt.Sprint(n.Paragraphs), "token="); ok {
		to += " " + strings.TrimRight(strings.Fields(token)[0], "]}")
	}
	m.sent = append(m.sent, to)
}

func (s *site) keepLinks() *linkTokens {
	mails := &linkTokens{}
	s.on.Sessions.Notices = &notices.Notices{SiteURL: "http://example.com", Mailer: mails}
	s.on.Users.Notices = s.on.Sessions.Notices
	return mails
}

// last returns the token of the latest mail.
func (m *linkTokens) last(t *testing.T) string {
	t.Helper()
	if len(m.sent) == 0 || !strings.Contains(m.sent[len(m.sent)-1], " ") {
		t.Fatalf("mails %q", m.sent)
	}
	_, token, _ := strings.Cut(m.sent[len(m.sent)-1], " ")
	return token
}

// TestNewAddress: one's own new address needs the password or a passkey, and counts once a link in a
// mail to it is used.
func TestNewAddress(t *testing.T) {
	s := newSite(t)
	mails := s.keepLinks()
	c := s.as(t, adminEmail)
	id := c.must(t, 200, "GET", "/me", nil).text(t, "id")
	for _, path := range []string{"/profile", "/users/" + id} {
		for name, body := range map[string]map[string]any{
			"no password":    {"email": "new@example.com"},
			"wrong password": {"email": "new@example.com", "current_password": "wrong horse battery"},
			"no address":     {"email": "new", "current_password": password},
		} {
			if a := c.must(t, 422, "PUT", path, body); len(a.Error.Details) != 1 {
				t.Errorf("%s: %s", name, a.Body)
			}
		}
	}
	other := s.newUser(t, "editor").must(t, 200, "GET", "/me", nil).text(t, "email")
	c = s.as(t, adminEmail)
	c.must(t, 409, "PUT", "/profile", map[string]any{"email": other, "current_password": password})
	c.must(t, 200, "PUT", "/profile", map[string]any{"email": strings.ToUpper(adminEmail)})
	if len(mails.sent) != 0 {
		t.Errorf("mails %q", mails.sent)
	}
	move := func(path, to string) string {
		t.Helper()
		from := c.must(t, 200, "GET", "/me", nil).text(t, "email")
		a := c.must(t, 202, "PUT", path, map[string]any{"email": to, "current_password": password})
		if a.text(t, "pending_email") != to || a.text(t, "email") != from {
			t.Errorf("answer %s", a.Body)
		}
		sent, token, _ := strings.Cut(mails.sent[len(mails.sent)-1], " ")
		if sent != to || token == "" {
			t.Fatalf("mails %q", mails.sent)
		}
		return token
	}
	nobody := client{s, ""}
	confirm := func(status int, token string) {
		t.Helper()
		nobody.must(t, status, "POST", "/profile/email", map[string]any{"token": token})
	}
	older, token := move("/profile", "typo@example.com"), move("/users/"+id, "new@example.com")
	confirm(422, "wrong")
	confirm(422, older)
	nobody.must(t, 422, "POST", "/password/reset", map[string]any{"token": token, "password": "another battery"})
	confirm(204, token)
	confirm(422, token)
	if got := c.must(t, 200, "GET", "/me", nil).text(t, "email"); got != "new@example.com" {
		t.Errorf("the address is %s", got)
	}
	if got := mails.sent[len(mails.sent)-2:]; got[0] == got[1] {
		t.Errorf("told %q, want both addresses", got)
	}
	late := move("/profile", "late@example.com")
	s.ahead.Add(int64(24 * time.Hour))
	confirm(422, late)
	c = s.as(t, "new@example.com")
	// A passkey in place of the password.
	s.addPasskey(t, c, "Laptop")
	if a := c.must(t, 202, "PUT", "/profile",
		map[string]any{"email": "by-key@example.com"}); a.text(t, "pending_email") == "" {
		t.Errorf("just after the sign-in: %s", a.Body)
	}
	s.ahead.Add(int64(6 * time.Minute))
	if a := c.must(t, 403, "PUT", "/profile",
		map[string]any{"email": "late@example.com"}); a.Error.Code != "CONFIRMATION_REQUIRED" {
		t.Errorf("later: %s", a.Body)
	}
	// An admin changes the address of another user at once.
	c.must(t, 200, "POST", "/confirm", map[string]any{"password": password})
	list, err := s.on.Users.List(t.Context(), db.Paging{Page: 1, PerPage: 10})
	must.Do(t, err)
	for _, u := range list.Items {
		if u.Email == other {
			c.must(t, 200, "PUT", "/users/"+u.ID, map[string]any{"email": "moved@example.com"})
		}
	}
	if got := mails.sent[len(mails.sent)-2:]; got[0] != other || got[1] != "moved@example.com" {
		t.Errorf("told %q", got)
	}
}

// TestPagesOfProfile: each page that the profile leads to leads back to it.
func TestPagesOfProfile(t *testing.T) {
	b := newSite(t).browse(t)
	_, tabs, _ := strings.Cut(b.get(t, "/profile").Body.String(), "<main")
	own := regexp.MustCompile(`href="/admin(/(?:passkeys|totp|sessions|tokens|grants|previews))"`)
	links := own.FindAllStringSubmatch(tabs, -1)
	if len(links) != 6 {
		t.Errorf("the profile leads to %v", links)
	}
	for _, link := range links {
		_, main, _ := strings.Cut(b.get(t, link[1]).Body.String(), "<main")
		if !strings.Contains(main, `<a href="/admin/profile">Your profile</a>`) {
			t.Errorf("%s does not lead to the profile", link[1])
		}
	}
}
