package content

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/coverage"
	"headless/pkg/db"
	"headless/pkg/index/totals"
	"headless/pkg/must"
	"headless/pkg/site"
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
		must.Do(t, err)
		for _, item := range items {
			all[item.Key] = item
		}
	}
	return all
}

// audit compares everything that is stored for a model with what its entries call for, texts
// only where all are flushed.
func audit(t *testing.T, r *recorder, m *site.Model, all map[string]*cms.Entry, merged bool) {
	t.Helper()
	rows, counters, others := map[table.Key]int64{}, map[db.Counter]int64{}, map[table.Key]string{}
	for _, e := range all {
		id, space := uuid.MustParse(e.ID), m.Space(e)
		x := m.Spec().Index(space, e)
		if m.Listed().Localized {
			coverage.Alone(e.Locale).Set(&x)
		}
		for _, key := range x.Keys(id) {
			rows[key] = e.Version
		}
		for _, name := range x.Counters {
			counters[db.Counter{Space: space, Name: name}]++
		}
		others[slugKey(m.ID, m.KeyLocale(e.Locale), e.Slug)] = e.ID
		for _, partition := range uniques(m, m.KeyLocale(e.Locale), e) {
			others[table.Key{Partition: partition, Sort: "u"}] = e.ID
		}
	}
	auditRows(t, r, rows)
	auditCounters(t, r, m, counters, merged)
	if merged {
		auditTexts(t, r, m, all)
	}
	auditEntries(t, r, all)
	auditLeft(t, r, m)
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

// auditCounters reads the counters, and where asked finds them so again when all change rows are
// merged.
func auditCounters(t *testing.T, r *recorder, m *site.Model, want map[db.Counter]int64, merge bool) {
	t.Helper()
	d := db.New(r.Table, later)
	read := func() {
		t.Helper()
		for c, n := range want {
			found, err := totals.Of(t.Context(), d, []string{c.Space}, c.Name)
			if err != nil || int64(found[0]) != n {
				t.Errorf("counter %q is %v, want %d, %v", c, found, n, err)
			}
		}
	}
	read()
	if !merge {
		return
	}
	if _, err := totals.Merge(t.Context(), d, m.IndexName()); err != nil {
		t.Fatal(err)
	}
	read()
	if rows := r.items(t, db.ChangesPartition(m.IndexName())); len(rows) > 1 { // the state
		t.Errorf("%d change rows are left", len(rows)-1)
	}
	for key, item := range r.items(t, "C#"+m.ID) {
		space := strings.TrimPrefix(key.Partition, "C#")
		c := db.Counter{Space: space[:strings.LastIndexByte(space, '#')], Name: key.Sort}
		if item.Count != want[c] {
			t.Errorf("counter %q is %d, want %d", c, item.Count, want[c])
		}
	}
}

// auditTexts compares what searches find, after all texts were flushed, with a look at the entries.
func auditTexts(t *testing.T, r *recorder, m *site.Model, all map[string]*cms.Entry) {
	t.Helper()
	s := New(r.Table, later)
	if _, err := s.FlushTexts(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"apple", "zebra", "title", "alpha", "gamma", "word"} {
		want := 0
		locales := map[string]bool{}
		for _, e := range all {
			locales[e.Locale] = true
			if oracleMatches(m.Listed(), e, word) {
				want++
			}
		}
		found, err := s.Search(t.Context(), []*site.Model{m}, TextQuery{Text: word, Default: "en",
			Locales: slices.Sorted(maps.Keys(locales)), Statuses: cms.Statuses})
		if err != nil || found.Total != want {
			t.Errorf("%q finds %v, want %d entries, %v", word, found, want, err)
		}
	}
	if pending := r.items(t, "Q#"); len(pending) > 0 {
		t.Errorf("%d texts are pending", len(pending))
	}
}

// auditLeft finds what belongs to generations that are gone.
func auditLeft(t *testing.T, r *recorder, m *site.Model) {
	t.Helper()
	for key := range r.items(t, "E#"+m.ID) {
		if strings.HasPrefix(key.Sort, "m") && key.Sort != "m"+strconv.Itoa(m.Gen) {
			t.Errorf("manifest %q is left", key)
		}
	}
	for _, prefix := range []string{"C#", "CH#"} {
		for key := range r.items(t, prefix+m.ID) {
			if name := strings.SplitN(key.Partition[len(prefix):], "#", 2)[0]; name != m.IndexName() {
				t.Errorf("%q is left", key)
			}
		}
	}
	for _, prefix := range []string{"STALE#" + m.ID, "INDEXGONE"} {
		if left := r.items(t, prefix); len(left) > 0 {
			t.Errorf("%d items of %s are left", len(left), prefix)
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
		stored, err := decodeEntry(&site.Model{}, &item)
		must.Do(t, err)
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
	must.Do(t, err)
	return string(raw)
}
