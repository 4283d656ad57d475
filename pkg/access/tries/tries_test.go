package tries_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"headless/pkg/access/tries"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table/bolt"
)

// TestTakeBack: a right password without the code of the second factor used to stay in the count of
// its account.
func TestTakeBack(t *testing.T) {
	now := func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }
	table, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync(),
		bolt.WithClock(now))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = table.Close() })
	l := tries.Limits{DB: db.New(table, now)}
	for i := range 150 {
		try, err := l.SignIn(t.Context(), tries.Who{Email: "a@example.com",
			Address: fmt.Sprintf("192.0.2.%d", i)}, func(*db.Tx) {})
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
			Address: fmt.Sprintf("198.51.100.%d", i)}, func(*db.Tx) {})
	}
	var refused *cms.Error
	if !errors.As(last, &refused) || refused.Code != cms.CodeRateLimited {
		t.Errorf("150 wrong tries from everywhere: %v", last)
	}
}
