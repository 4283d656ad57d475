package store

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// recorder remembers every partition that was written, so that a test can look at the whole table.
type recorder struct {
	table.Table
	mu         sync.Mutex
	partitions map[string]bool
}

func recorded(t table.Table) *recorder { return &recorder{Table: t, partitions: map[string]bool{}} }

func (r *recorder) note(keys ...table.Key) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, k := range keys {
		r.partitions[k.Partition] = true
	}
}

func (r *recorder) Write(ctx context.Context, ops []table.Op) error {
	for _, op := range ops {
		r.note(op.Item.Key)
	}
	return r.Table.Write(ctx, ops)
}

func (r *recorder) BatchWrite(ctx context.Context, puts []table.Item, deletes []table.Key) error {
	for _, item := range puts {
		r.note(item.Key)
	}
	return r.Table.BatchWrite(ctx, puts, deletes)
}

// items reads every item of the partitions with a prefix.
func (r *recorder) items(t *testing.T, prefix string) map[table.Key]table.Item {
	t.Helper()
	r.mu.Lock()
	partitions := slices.Sorted(maps.Keys(r.partitions))
	r.mu.Unlock()
	all := map[table.Key]table.Item{}
	for _, p := range partitions {
		if !strings.HasPrefix(p, prefix) {
			continue
		}
		items, err := r.Query(context.Background(), table.Range{Partition: p})
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range items {
			all[item.Key] = item
		}
	}
	return all
}

// audit compares everything that is stored for a model with what its entries call for, postings only where all are merged.
func audit(t *testing.T, r *recorder, m *Model, all map[string]*cms.Entry, merged bool) {
	t.Helper()
	rows, counters, postings, others := map[table.Key]int64{}, map[string]int64{}, map[string]posting{}, map[table.Key]string{}
	for _, e := range all {
		id, space := uuid.MustParse(e.ID), m.space(e)
		x := m.spec().index(space, e)
		for _, key := range x.keys(id) {
			rows[key] = e.Version
		}
		for _, name := range x.Counters {
			counters["C#"+space+name]++
		}
		for _, text := range m.texts(space, e) {
			for _, term := range text.Terms {
				postings[text.Space+" "+term.Stem+" "+e.ID] = posting{id, term.Weight, term.Words}
			}
		}
		others[slugKey(m.ID, m.place(e.Locale), e.Slug)] = e.ID
		for _, partition := range uniques(m, m.place(e.Locale), e) {
			others[table.Key{Partition: partition, Sort: "u"}] = e.ID
		}
	}
	auditRows(t, r, rows)
	auditCounters(t, r, m, counters)
	if merged {
		auditPostings(t, r, m, postings)
		auditRanks(t, r, m, all)
	}
	auditEntries(t, r, all)
	found := r.items(t, "S#"+m.ID)
	maps.Copy(found, r.items(t, "U#"+m.ID))
	for key, id := range others {
		if string(found[key].Body) != id {
			t.Errorf("%q leads to %q, want %q", key, found[key].Body, id)
		}
	}
	if len(found) != len(others) {
		t.Errorf("%d slugs and unique values, want %d", len(found), len(others))
	}
}

func auditRows(t *testing.T, r *recorder, want map[table.Key]int64) {
	t.Helper()
	found := r.items(t, "I#")
	for key, version := range want {
		if item, ok := found[key]; !ok || item.Version != version {
			t.Errorf("index row %q: version %d, want %d", key, item.Version, version)
		}
	}
	for key := range found {
		if _, ok := want[key]; !ok {
			t.Errorf("index row %q leads nowhere", key)
		}
	}
}

func auditCounters(t *testing.T, r *recorder, m *Model, want map[string]int64) {
	t.Helper()
	found := map[string]int64{}
	for key, item := range r.items(t, "C#"+m.ID) {
		found[key.Partition+key.Sort[:len(key.Sort)-2]] += item.Count
	}
	for name, n := range found {
		if want[name] != n {
			t.Errorf("counter %q is %d, want %d", name, n, want[name])
		}
	}
	for name, n := range want {
		if found[name] != n {
			t.Errorf("counter %q is %d, want %d", name, found[name], n)
		}
	}
}

func auditPostings(t *testing.T, r *recorder, m *Model, want map[string]posting) {
	t.Helper()
	lists := map[listName]bool{}
	for key := range r.items(t, "P#"+m.ID) {
		space := key.Partition[len("P#"):strings.LastIndexByte(key.Partition, '#')]
		stem, _, _ := strings.Cut(key.Sort, "\x00")
		lists[listName{space, stem}] = true
	}
	found := 0
	for l := range lists {
		list, _, err := New(r.Table, time.Now).postings(t.Context(), l.space, l.stem)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			found++
			if name := l.space + " " + l.stem + " " + p.id.String(); want[name] != p {
				t.Errorf("posting %q is %v, want %v", name, p, want[name])
			}
		}
		if !slices.IsSortedFunc(list, postingOrder) {
			t.Errorf("the list of %q is not sorted", l)
		}
	}
	if found != len(want) {
		t.Errorf("%d postings, want %d", found, len(want))
	}
	if pending := r.items(t, "Q#"+m.ID); len(pending) > 1 { // the state of the merges
		t.Errorf("%d texts are pending", len(pending)-1)
	}
}

// auditRanks compares the bins with the keys of the entries.
func auditRanks(t *testing.T, r *recorder, m *Model, all map[string]*cms.Entry) {
	t.Helper()
	want := map[string]bins{}
	for key, item := range r.items(t, "R#"+m.ID) {
		b, err := decodeBins(&item)
		if err != nil {
			t.Fatal(err)
		}
		for i := range b {
			b[i].n = 0
		}
		want[strings.TrimPrefix(key.Partition, "R#")] = b
	}
	for _, e := range all {
		x := m.spec().index(m.space(e), e)
		count(want, &pendingChange{Place: x.ranked(e.ID)})
		if want[x.Space] == nil {
			t.Errorf("no ranks of %q", x.Space)
		}
	}
	for space, b := range want {
		item, err := New(r.Table, time.Now).get(t.Context(), rankKey(space))
		if err != nil {
			t.Fatal(err)
		}
		if found, err := decodeBins(item); err != nil || !slices.Equal(found, b) {
			t.Errorf("ranks of %q are %v, want %v, %v", space, found, b, err)
		}
	}
}

func auditEntries(t *testing.T, r *recorder, all map[string]*cms.Entry) {
	t.Helper()
	seen := 0
	for key, item := range r.items(t, "E#") {
		if key.Sort != "a" {
			continue
		}
		seen++
		stored, err := decodeEntry(&item)
		if err != nil {
			t.Fatal(err)
		}
		if want := all[stored.ID]; !reflect.DeepEqual(canonical(t, stored), canonical(t, want)) {
			t.Errorf("entry is %v, want %v", stored, want)
		}
	}
	if seen != len(all) {
		t.Errorf("%d entries are stored, want %d", seen, len(all))
	}
}

func canonical(t *testing.T, e *cms.Entry) string {
	t.Helper()
	raw, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
