package access_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"headless/pkg/access"
	"headless/pkg/access/passwords"
	"headless/pkg/cms"
	"headless/pkg/must"
	"headless/pkg/rooms"
	"headless/pkg/table/bolt"
)

// TestLeaveWhileAccountsChange: what a user leaves is handed over once, though another account
// changes whenever that happens.
func TestLeaveWhileAccountsChange(t *testing.T) {
	table, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	t.Cleanup(func() { table.Close() })
	users := &access.Users{Store: rooms.New(table, time.Now).Access, Passwords: passwords.New(64)}
	ctx, admin := t.Context(), cms.Actor{Name: "Ada"}
	create := func(email string) cms.User {
		t.Helper()
		user, err := users.Create(ctx, admin, map[string]any{"email": email, "password": "correct horse battery"})
		must.Do(t, err)
		return user
	}
	for name, leave := range map[string]func(id string) error{
		"deactivated": func(id string) error {
			_, err := users.Update(ctx, admin, id, map[string]any{"is_active": false}, nil)
			return err
		},
		"deleted": func(id string) error { return users.Remove(ctx, admin, id, nil) },
	} {
		user, calls := create(name+"@example.com"), 0
		users.Leave = func(context.Context, cms.Actor, string, *cms.Actor) error {
			calls++
			create(fmt.Sprint(name, calls, "@example.com"))
			return nil
		}
		if err := leave(user.ID); err != nil || calls != 1 {
			t.Errorf("%s: handed over %d times, error %v", name, calls, err)
		}
	}
}
