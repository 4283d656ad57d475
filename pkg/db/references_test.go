package db

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

func usageStore(t *testing.T) *DB {
	t.Helper()
	tab, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	s := New(tab, time.Now)
	t.Cleanup(func() { s.Close() })
	return s
}

const aTarget = "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"

// gaining is a transaction of a holder that newly refers to the target, with something to commit.
func gaining(s *DB, places func(string) []string) *Tx {
	tx := s.Begin()
	tx.Refer(Holder{Kind: HolderEntry, ModelID: "m", ID: "e"}, nil, map[string]bool{aTarget: true}, places)
	tx.Put(table.Item{Key: table.Key{Partition: "X", Sort: "x"}})
	return tx
}

func TestSaveMeetsDeletion(t *testing.T) {
	s, ctx := usageStore(t), context.Background()
	at := func(string) []string { return []string{"data.cover"} }
	must.Do(t, s.Commit(ctx, gaining(s, at)))
	holders, err := s.Holders(ctx, aTarget, nil, 10)
	if err != nil || len(holders) != 1 || holders[0].name() != "em/e" {
		t.Fatal(holders, err)
	}
	if more, err := s.Holders(ctx, aTarget, &holders[0], 10); err != nil || len(more) != 0 {
		t.Fatal(more, err)
	}
	d, err := s.BeginDeletion(ctx, aTarget)
	must.Do(t, err)
	if err := s.Commit(ctx, gaining(s, at)); !errors.Is(err, ErrOvertaken) {
		t.Errorf("beside a deletion: %v", err)
	}
	if _, err := s.BeginDeletion(ctx, aTarget); !errors.Is(err, ErrOvertaken) {
		t.Errorf("two deletions: %v", err)
	}
	s.CancelDeletion(ctx, d)
	if err := s.Commit(ctx, gaining(s, at)); err != nil {
		t.Errorf("after a cancelled deletion: %v", err)
	}
	if d, err = s.BeginDeletion(ctx, aTarget); err != nil {
		t.Fatal(err)
	}
	tx := s.Begin()
	tx.FinishDeletion(d)
	must.Do(t, s.Commit(ctx, tx))
	var refused *cms.Error
	if err := s.Commit(ctx, gaining(s, at)); !errors.As(err, &refused) ||
		len(refused.Details["data.cover"]) != 1 {
		t.Errorf("after a deletion: %v", err)
	}
	if err := s.Commit(ctx, gaining(s, nil)); err != nil {
		t.Errorf("one that may dangle: %v", err)
	}
}

// TestInterruptedSave takes the steps apart: a save that wrote its rows before the mark cannot
// commit once the deletion has looked.
func TestInterruptedSave(t *testing.T) {
	s, ctx := usageStore(t), context.Background()
	tx := gaining(s, nil)
	for _, check := range tx.checks {
		must.Do(t, check(ctx))
	}
	if _, err := s.BeginDeletion(ctx, aTarget); err != nil {
		t.Fatal(err)
	}
	holders, err := s.Holders(ctx, aTarget, nil, 10)
	if err != nil || len(holders) != 1 {
		t.Fatal(holders, err)
	}
	must.Do(t, s.Interrupt(ctx, holders))
	tx.checks = nil // asked above
	if err := s.Commit(ctx, tx); !errors.Is(err, ErrOvertaken) {
		t.Errorf("committed without its ticket: %v", err)
	}
}

func TestForgetKeepsYoungRows(t *testing.T) {
	s, ctx := usageStore(t), context.Background()
	must.Do(t, s.Commit(ctx, gaining(s, nil)))
	count := func() int {
		holders, err := s.Holders(ctx, aTarget, nil, 10)
		if err == nil {
			err = s.Forget(ctx, aTarget, holders)
		}
		must.Do(t, err)
		return len(holders)
	}
	if count(); count() != 1 {
		t.Error("a young row is removed")
	}
	s.Clock = func() time.Time { return time.Now().Add(forgetAfter + time.Minute) }
	if count(); count() != 0 {
		t.Error("an old row stays")
	}
}
