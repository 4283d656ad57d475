package tries_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"headless/pkg/access/tries"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/table/bolt"
)

// TestTakeBack: a right password without the code of the second factor used to stay in the count of
// its account.
func TestTakeBack(t *testing.T) {
	l := newLimits(t)
	for i := range 150 {
		try, err := l.SignIn(t.Context(), tries.Who{Email: "a@example.com",
			Address: fmt.Sprintf("192.0.2.%d", i), Network: fmt.Sprint(i)})
		if err == nil {
			err = l.TakeBack(t.Context(), try)
		}
		if err != nil {
			t.Fatalf("try %d: %v", i, err)
		}
	}
	var last error
	for i := range 150 {
		_, last = l.SignIn(t.Context(), tries.Who{Email: "a@example.com",
			Address: fmt.Sprintf("198.51.100.%d", i), Network: fmt.Sprint(150 + i)})
	}
	if cms.CodeOf(last) != cms.CodeRateLimited {
		t.Errorf("150 wrong tries from everywhere: %v", last)
	}
}

// TestOneNetworkAtManyAccounts: who tries one password at each account is stopped, and nobody else.
func TestOneNetworkAtManyAccounts(t *testing.T) {
	l := newLimits(t)
	sign := func(who tries.Who) (tries.Try, error) {
		return l.SignIn(t.Context(), who)
	}
	for i := range 70 { // right ones do not count
		try, err := sign(tries.Who{Email: fmt.Sprintf("right%d@example.com", i), Network: "n"})
		if err == nil {
			err = l.Done(t.Context(), try)
		}
		if err != nil {
			t.Fatalf("right try %d: %v", i, err)
		}
	}
	refused := 0
	for i := range 60 {
		if _, err := sign(tries.Who{Email: fmt.Sprintf("a%d@example.com", i), Network: "n"}); err != nil {
			refused++
		}
	}
	if refused != 10 {
		t.Errorf("%d of 60 wrong tries were refused", refused)
	}
	if _, err := sign(tries.Who{Email: "b@example.com", Network: "other"}); err != nil {
		t.Errorf("from another network: %v", err)
	}
	tx := l.Begin()
	tries.Remember(tx, "user", "cookie", "m")
	tries.Remember(tx, "other", "cookie of the other", "n")
	must.Do(t, l.Commit(t.Context(), tx))
	if _, err := sign(tries.Who{Email: "b@example.com", Network: "n", UserID: "user", Browser: "cookie"}); err != nil {
		t.Errorf("from a known browser: %v", err)
	}
	for range 2 {
		try, err := sign(tries.Who{Email: "c@example.com", Network: "n", UserID: "other"})
		if err == nil {
			err = l.Done(t.Context(), try)
		}
		if err != nil {
			t.Errorf("at an account that has signed in from it: %v", err)
		}
	}
	if _, err := sign(tries.Who{Email: "b@example.com", Network: "n", UserID: "user"}); err == nil {
		t.Error("at an account that has signed in from elsewhere, it goes on")
	}
}

func newLimits(t *testing.T) tries.Limits {
	t.Helper()
	now := func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }
	table, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync(),
		bolt.WithClock(now))
	must.Do(t, err)
	t.Cleanup(func() { _ = table.Close() })
	return tries.Limits{DB: db.New(table, now)}
}
