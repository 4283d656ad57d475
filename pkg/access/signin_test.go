package access_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headless/pkg/access"
	"headless/pkg/access/passwords"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/db/logs"
	"headless/pkg/must"
	"headless/pkg/rooms"
	"headless/pkg/table/bolt"
)

const password = "correct horse battery"

// signedIn returns sessions on a new table, and a user with two of them.
func signedIn(t *testing.T) (s *access.Sessions, user cms.User, first, second access.Session) {
	t.Helper()
	table, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	t.Cleanup(func() { table.Close() })
	s = &access.Sessions{Store: rooms.New(table, time.Now).Access, Passwords: passwords.New(64)}
	users := &access.Users{Store: s.Store, Passwords: s.Passwords}
	user, err = users.Create(t.Context(), cms.Actor{}, map[string]any{"email": "ann@example.com", "password": password})
	if err == nil {
		first, err = signIn(t.Context(), s, password)
	}
	if err == nil {
		second, err = signIn(t.Context(), s, password)
	}
	must.Do(t, err)
	return s, user, first, second
}

func signIn(ctx context.Context, s *access.Sessions, password string) (access.Session, error) {
	return s.SignIn(ctx, access.Client{}, map[string]any{"email": "ann@example.com", "password": password})
}

// events returns the events of all activity records, the newest first.
func events(t *testing.T, s *access.Sessions) string {
	t.Helper()
	page, err := logs.Activity(t.Context(), s.Store.DB, logs.Query{Paging: db.Paging{Page: 1, PerPage: 100}})
	must.Do(t, err)
	var list []string
	for _, line := range page.Items {
		list = append(list, line.Event)
	}
	return strings.Join(list, " ")
}

// TestRightAfterWrong: a right password after four wrong ones used to leave a record of a lock.
func TestRightAfterWrong(t *testing.T) {
	s, _, _, _ := signedIn(t)
	for i := range 10 {
		given := "wrong password"
		if i == 4 {
			given = password
		}
		_, err := signIn(t.Context(), s, given)
		if (err == nil) != (i == 4) {
			t.Fatalf("try %d: %v", i, err)
		}
		if locked := strings.Contains(events(t, s), "user.locked"); locked != (i == 9) {
			t.Fatalf("after try %d, the record of a lock: %t", i, locked)
		}
	}
}

// TestTriesOfFormerAccount: wrong tries at an account, and at an address without one, lock no account that gets the
// address later.
func TestTriesOfFormerAccount(t *testing.T) {
	s, user, _, _ := signedIn(t)
	users := &access.Users{Store: s.Store, Passwords: s.Passwords}
	lock := func() {
		t.Helper()
		for range 5 {
			if _, err := signIn(t.Context(), s, "wrong password"); cms.CodeOf(err) != cms.CodeUnauthorized {
				t.Fatal(err)
			}
		}
		if _, err := signIn(t.Context(), s, password); cms.CodeOf(err) != cms.CodeRateLimited {
			t.Fatal(err)
		}
	}
	lock()
	must.Do(t, users.Remove(t.Context(), cms.Actor{}, user.ID, nil))
	lock()
	_, err := users.Create(t.Context(), cms.Actor{}, map[string]any{"email": "ann@example.com", "password": password})
	must.Do(t, err)
	_, err = signIn(t.Context(), s, password)
	must.Do(t, err)
}
