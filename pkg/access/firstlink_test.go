package access_test

import (
	"path/filepath"
	"testing"
	"time"

	"headless/pkg/access"
	"headless/pkg/access/passwords"
	"headless/pkg/must"
	"headless/pkg/rooms"
	"headless/pkg/site"
	"headless/pkg/table/bolt"
)

// TestInviteFirst: the link of the first admin works once and for a day, a new one ends the former
// one, and there is none after the first user.
func TestInviteFirst(t *testing.T) {
	ahead := time.Duration(0)
	now := func() time.Time { return time.Now().Add(ahead) }
	table, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync(), bolt.WithClock(now))
	must.Do(t, err)
	t.Cleanup(func() { table.Close() })
	st := rooms.New(table, now)
	must.Do(t, (&site.Locales{Store: st.Site}).EnsureDefault(t.Context()))
	quick := passwords.New(64)
	invitations := &access.Invitations{Store: st.Access,
		Users:    &access.Users{Store: st.Access, Passwords: quick},
		Sessions: &access.Sessions{Store: st.Access, Passwords: quick}}
	invite := func() string {
		t.Helper()
		token, err := invitations.InviteFirst(t.Context(), "Me@example.com")
		must.Do(t, err)
		return token
	}
	accept := func(token string) (access.Session, error) {
		return invitations.Accept(t.Context(), access.Client{},
			map[string]any{"token": token, "password": "correct horse battery"})
	}
	replaced, late := invite(), invite()
	if _, err := accept(replaced); err == nil {
		t.Error("the link that a newer one replaced works")
	}
	ahead += access.FirstLinkTime
	if _, err := accept(late); err == nil {
		t.Error("the link works after a day")
	}
	token := invite()
	if session, err := accept(token); err != nil || session.User.Role != "admin" {
		t.Fatalf("signed in %+v, %v", session.User, err)
	}
	if _, err := accept(token); err == nil {
		t.Error("the link works twice")
	}
	if token := invite(); token != "" {
		t.Error("there is a link after the first user")
	}
}
