package apikeys

import (
	"context"
	"encoding/json"
	"net/netip"
	"testing"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

func TestAddressLimits(t *testing.T) {
	for _, row := range []struct{ key, all, searches int64 }{
		{1, 1, 1}, {5, 5, 5}, {50, 50, 10}, {100, 100, 10}, {600, 100, 10}, {1000, 100, 10},
		{2000, 200, 20}, {60_000, 6000, 600}, {1_000_000, 100_000, 10_000},
	} {
		all, searches := addressLimits(&Key{Key: cms.Key{RateLimit: row.key}})
		if all != row.all || searches != row.searches {
			t.Errorf("%d: %d and %d", row.key, all, searches)
		}
	}
}

// TestCountAddress counts addresses in several processes, and the writes for them.
func TestCountAddress(t *testing.T) {
	now := time.Unix(1_700_000_000, 0).Truncate(time.Minute)
	clock := func() time.Time { return now }
	counting := table.NewCounting(openTable(t, bolt.WithClock(clock)))
	processes := []*Store{New(counting, clock), New(counting, clock)}
	key := &Key{Key: cms.Key{ID: "k", RateLimit: 2000}}
	count := func(p *Store, address string, search bool) bool {
		t.Helper()
		ok, err := p.CountAddress(context.Background(), key, netip.MustParseAddr(address), search)
		must.Do(t, err)
		return ok
	}
	passed := func(address string, search bool) (n int) {
		for range 150 {
			for _, p := range processes {
				if count(p, address, search) {
					n++
				}
			}
		}
		return n
	}
	for range lentToAddress {
		count(processes[0], "192.0.2.9", false)
	}
	if u := counting.Snapshot(); u.WriteUnits > 0 {
		t.Errorf("a visitor of %d pages costs %v write units", lentToAddress, u.WriteUnits)
	}
	if n := passed("192.0.2.1", false); n < 200-lentToAddress || n > 200+lentToAddress {
		t.Errorf("%d requests of one address passed", n)
	}
	counting.Reset()
	if n := passed("192.0.2.1", false); n > 0 || counting.Snapshot().WriteUnits > 0 {
		t.Errorf("%d more passed, %v write units for refusals", n, counting.Snapshot().WriteUnits)
	}
	if n := passed("2001:db8::1", true); n < 20-lentToAddress || n > 20+lentToAddress {
		t.Errorf("%d searches of one address passed", n)
	}
	if count(processes[0], "2001:db8::ffff:2", true) || !count(processes[0], "2001:db8:0:1::1", true) {
		t.Error("the network of an IPv6 address is not its /64")
	}
	if !count(processes[0], "2001:db8::1", false) {
		t.Error("searches use up all requests of an address")
	}
	now = now.Add(time.Minute)
	if !count(processes[0], "192.0.2.1", false) || !count(processes[1], "2001:db8::1", true) {
		t.Error("the next minute starts no new count")
	}
}

// TestFormerDefaultLimit reads keys that were stored before publishable keys had a default of their
// own.
func TestFormerDefaultLimit(t *testing.T) {
	s := New(openTable(t), time.Now)
	keys := &Keys{Store: s}
	for _, row := range []struct {
		kind         string
		stored, want int64
	}{
		{cms.KeyPublishable, 1000, 60_000}, {cms.KeyPublishable, 5000, 5000}, {cms.KeySecret, 1000, 1000},
	} {
		k := cms.NewKey()
		k.ID, k.Name, k.Kind, k.RateLimit, k.PublicKey = uuid.NewString(), "old", row.kind, row.stored,
			"pub_"+db.RandomToken()
		old := Key{Key: k}
		tx := s.Begin()
		byPublic := keyDocs(s.DB).Item(k.ID, 1, old)
		byPublic.Key = publicKeyKey(k.PublicKey)
		tx.Put(byPublic)
		keyDocs(s.DB).Create(tx, k.ID, old, db.ErrOvertaken)
		must.Do(t, s.Commit(t.Context(), tx))
		opening, err := s.Open(t.Context(), k.PublicKey)
		if err != nil || opening.Key.RateLimit != row.want {
			t.Errorf("%s with %d: %+v, %v", row.kind, row.stored, opening.Key, err)
		}
		if k.Kind != cms.KeyPublishable {
			continue
		}
		_, err = keys.Update(t.Context(), cms.Actor{}, k.ID, map[string]any{"rate_limit": json.Number("1000")}, nil)
		must.Do(t, err)
		if set, err := keys.Get(t.Context(), k.ID); err != nil || set.RateLimit != 1000 {
			t.Errorf("a limit of 1000 that was set is %d, %v", set.RateLimit, err)
		}
	}
}
