package device

import (
	"errors"
	"net/url"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"headless/pkg/access"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/table/bolt"
)

// start returns logins on a table that keeps expired rows, as DynamoDB does for a while, a client
// that users signed in from a provider a while ago, and a function that moves the clock.
func start(t *testing.T, provenBefore time.Duration) (l Logins, token string, wait func(time.Duration)) {
	t.Helper()
	at := time.Now()
	file, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync(),
		bolt.WithClock(func() time.Time { return time.Time{} }))
	must.Do(t, err)
	t.Cleanup(func() {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	})
	l = Logins{&access.Sessions{Store: access.Open(site.Open(db.New(file, func() time.Time { return at })))}}
	session, err := l.Sessions.SignInExternal(t.Context(), access.Client{},
		access.External{Issuer: "https://id.example.com",
			Subject: "1", Email: "ada@example.com", Verified: true, Role: cms.RoleUserAdmin,
			SignedIn: cms.At(at.Add(-provenBefore))})
	must.Do(t, err)
	return l, session.Token, func(d time.Duration) { at = at.Add(d) }
}

// TestExpiredLogins: a login ends after 10 minutes, even if its rows are still there.
func TestExpiredLogins(t *testing.T) {
	l, token, wait := start(t, 0)
	asked, err := l.Begin(t.Context(), access.Client{}, "https://cms.example.com/admin/device", nil)
	must.Do(t, err)
	wait(lifetime - time.Second)
	if _, err := l.Find(t.Context(), token, asked.UserCode); err != nil {
		t.Error(err)
	}
	wait(time.Second)
	if _, err := l.Find(t.Context(), token, asked.UserCode); cms.CodeOf(err) != cms.CodeValidationFailed {
		t.Errorf("found after 10 minutes: %v", err)
	}
	if _, err := l.Redeem(t.Context(), access.Client{},
		map[string]any{"device_code": asked.DeviceCode}); !errors.Is(err, errExpired) {
		t.Errorf("asked after 10 minutes: %v", err)
	}
}

// TestApprovedAsProven: the session of a program is as fresh as the sign-in of the user who approved
// it.
func TestApprovedAsProven(t *testing.T) {
	const before = 40 * time.Minute
	l, token, _ := start(t, before)
	asked, err := l.Begin(t.Context(), access.Client{}, "https://cms.example.com/admin/device", nil)
	if err == nil {
		err = l.Decide(t.Context(), cms.Actor{}, token, asked.UserCode, true)
	}
	must.Do(t, err)
	session, err := l.Redeem(t.Context(), access.Client{}, map[string]any{"device_code": asked.DeviceCode})
	must.Do(t, err)
	who, err := l.Sessions.Identify(t.Context(), session.Token)
	if left := who.Confirmed.Sub(l.store().Now().Time); err != nil || left != access.ConfirmTime-before {
		t.Errorf("confirmed for another %s, %v", left, err)
	}
}

// TestUserCodes: codes have no vowels and no letters that look alike, and are read however typed.
func TestUserCodes(t *testing.T) {
	shape := regexp.MustCompile(`^[BCDFGHJKMPQRTVWX]{4}-[BCDFGHJKMPQRTVWX]{4}$`)
	for range 1000 {
		if code := newUserCode(); !shape.MatchString(code) || url.QueryEscape(code) != code {
			t.Fatal(code)
		}
	}
	for typed, want := range map[string]string{"BCDF-GHJK": "BCDF-GHJK", "bcdfghjk": "BCDF-GHJK",
		" bcdf ghjk ": "BCDF-GHJK", "bcdf–ghjk": "BCDF-GHJK", "BCDF-GHJ": "", "BCDF-GHJKM": "", "ACDF-GHJK": "", "": "",
		"ſcdf-ghjk": ""} {
		if got, ok := userCode(typed); got != want || ok != (want != "") {
			t.Errorf("%q is %q, %t", typed, got, ok)
		}
	}
}
