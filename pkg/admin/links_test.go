package admin_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"headless/pkg/admin/say"
)

// TestDeadLinks: a mailed link that does not work used to show its form, and the answer to that said so.
func TestDeadLinks(t *testing.T) {
	s := newSite(t)
	mails := s.keepLinks()
	c, visitor, nobody := s.as(t, adminEmail), browser{s, nil}, client{s, ""}
	const accept, reset, confirm = "/invitations/accept?token=", "/password/reset?token=", "/profile/email?token="
	to := map[string]string{accept: `href="/admin/login"`, reset: `href="/admin/password/forgot"`,
		confirm: `href="/admin/profile"`}
	works := func(link, token string) {
		t.Helper()
		for range 2 { // a look does not use a token up
			if a := visitor.get(t, link+token); a.Code != 200 || !contains(a, `<form method="post"`) ||
				a.Header().Get("Referrer-Policy") != "no-referrer" {
				t.Errorf("%s: %d %s", link, a.Code, a.Body)
			}
		}
	}
	dead := func(why, link, token string) {
		t.Helper()
		typed := url.Values{"password": {"purple horse battery"}}
		if link == confirm {
			typed = nil
		}
		for method, a := range map[string]answer{"GET": visitor.get(t, link+token),
			"POST": visitor.post(t, link+token, typed)} {
			if a.Code != 422 || !contains(a, "This link is wrong, expired or used already.") || !contains(a, to[link]) ||
				contains(a, "<form") || token != "" && contains(a, token) {
				t.Errorf("%s: %s %s: %d %s", why, method, link, a.Code, a.Body)
			}
		}
	}
	invite := func() (id, token string) {
		id = c.must(t, 201, "POST", "/invitations", `{"email":"guest@example.com","role":"editor"}`).text(t, "id")
		return id, mails.last(t)
	}
	forget := func() string {
		nobody.must(t, 202, "POST", "/password/forgot", map[string]any{"email": adminEmail})
		return mails.last(t)
	}
	move := func() string {
		c.must(t, 202, "PUT", "/profile", map[string]any{"email": "new@example.com", "current_password": password})
		return mails.last(t)
	}

	for link := range to {
		dead("missing", link, "")
		dead("unknown", link, "unknown")
	}
	id, token := invite()
	works(accept, token)
	dead("of another kind", reset, token)
	c.must(t, 200, "POST", "/invitations/"+id+"/resend", nil)
	dead("replaced", accept, token)
	token = mails.last(t)
	works(accept, token)
	c.must(t, 204, "DELETE", "/invitations/"+id, nil)
	dead("withdrawn", accept, token)
	_, token = invite()
	if a := visitor.post(t, accept+token, url.Values{"password": {password}}); a.Code != http.StatusSeeOther {
		t.Fatalf("accept: %d %s", a.Code, a.Body)
	}
	dead("used", accept, token)

	older := move()
	dead("of another kind", reset, older)
	token = move()
	dead("replaced", confirm, older)
	works(confirm, token)
	forgotten := forget()
	dead("of another kind", confirm, forgotten)
	works(reset, forgotten)
	nobody.must(t, 204, "POST", "/password/reset", map[string]any{"token": forgotten, "password": password})
	dead("used", reset, forgotten)
	dead("older than the password", confirm, token)

	c = s.as(t, adminEmail)
	c.must(t, 201, "POST", "/invitations", `{"email":"second@example.com","role":"editor"}`)
	invited := mails.last(t)
	forgotten, token = forget(), move()
	s.ahead.Add(int64(24 * time.Hour))
	dead("expired", reset, forgotten)
	dead("expired", confirm, token)
	works(accept, invited)
	s.as(t, adminEmail).must(t, 201, "POST", "/users", user("second@example.com", "editor"))
	if a := visitor.get(t, accept+invited); a.Code != 409 || !contains(a, to[accept]) || contains(a, "<form") {
		t.Errorf("an invitation of somebody who has an account: %d %s", a.Code, a.Body)
	}
	s.ahead.Add(int64(6 * 24 * time.Hour))
	dead("expired", accept, invited)
}

// TestDeadLinksInLanguages: visitors read in their own language what to do about a dead link.
func TestDeadLinksInLanguages(t *testing.T) {
	s := newSite(t)
	for _, language := range say.Languages {
		for link, told := range map[string]say.Text{
			"/invitations/accept": "This link is wrong, expired or used already. Sign in if you have an account. " +
				"Otherwise ask the person who invited you for a new invitation.",
			"/password/reset": "This link is wrong, expired or used already. Ask for a new one.",
			"/profile/email":  "This link is wrong, expired or used already. Ask for a new one.",
		} {
			r := httptest.NewRequest("GET", "/admin"+link+"?token=used", nil)
			r.Header.Set("Accept", "text/html")
			r.Header.Set("Accept-Language", language.Code)
			a := s.send(t, r)
			if a.Code != 422 || !contains(a, ">"+language.Say("This link does not work")+"</h1>") ||
				!contains(a, language.Say(told)) {
				t.Errorf("%s in %s: %d %s", link, language.Code, a.Code, a.Body)
			}
		}
	}
}
