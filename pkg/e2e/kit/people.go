package kit

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"headless/pkg/access/otp/otptest"
)

// Password is what users of scenarios sign in with.
const Password = "a long enough password"

// User makes a user of a role. It returns its address, its id and a signed-in client.
func (s *Suite) User(t *testing.T, role string) (email, id string, c *Client) {
	t.Helper()
	email = Unique(role) + "@example.com"
	id = s.Admin(t).Post(t, "/users", Obj{"email": email, "name": role, "role": role,
		"password": Password}).Str(t, "data.id")
	return email, id, s.AdminByToken(s.Login(t, email, Password))
}

// OwnAdmin makes an admin that only this scenario uses, so that the log can be filtered by its address.
func (s *Suite) OwnAdmin(t *testing.T) (email string, c *Client) {
	t.Helper()
	email, _, c = s.User(t, "admin")
	return email, c
}

// Role makes a role with some rules, and a user who has it.
func (s *Suite) Role(t *testing.T, rules ...any) (slug string, c *Client) {
	t.Helper()
	slug = Unique("role")
	if rules == nil {
		rules = List{}
	}
	s.Admin(t).Post(t, "/roles", Obj{"slug": slug, "name": "Role", "rules": rules})
	_, _, c = s.User(t, slug)
	return slug, c
}

// UseTOTP gives a user a second factor and returns its secret and recovery codes. This uses up the
// current code.
func (s *Suite) UseTOTP(t *testing.T, c *Client) (secret string, codes List) {
	t.Helper()
	secret = c.OK(t, 200, "POST /totp", Obj{"password": Password}).Str(t, "data.secret")
	a := c.OK(t, 200, "POST /totp/confirm", Obj{"code": otptest.Code(t, secret, time.Now())})
	return secret, a.Get("data.recovery_codes").(List)
}

// MailsTo returns the mails to an address.
func (s *Suite) MailsTo(t *testing.T, email string) (mails []string) {
	t.Helper()
	for _, m := range s.Target.Mail(t) {
		text := strings.ReplaceAll(strings.ReplaceAll(string(m), "=\r\n", ""), "=\n", "")
		if strings.Contains(text, "To: "+email) || strings.Contains(text, "To: <"+email+">") {
			mails = append(mails, text)
		}
	}
	return mails
}

var mailedToken = regexp.MustCompile(`token=3D([A-Za-z0-9_-]{20,})|token=([A-Za-z0-9_-]{20,})`)

// WaitForMail waits for mails with a link to an address. It returns the tokens in the links, oldest
// first, and the text of all mails.
func (s *Suite) WaitForMail(t *testing.T, email string, want int) (tokens []string, all string) {
	t.Helper()
	s.Eventually(t, fmt.Sprintf("%d mails with a link to %s", want, email), func() bool {
		tokens, all = nil, strings.Join(s.MailsTo(t, email), "")
		for _, found := range mailedToken.FindAllStringSubmatch(all, -1) {
			tokens = append(tokens, found[1]+found[2])
		}
		return len(tokens) >= want
	})
	return tokens, all
}
