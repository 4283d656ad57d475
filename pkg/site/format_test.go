package site_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/rooms"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

// TestFormat changes the mark of a table's format: older ones, none and a newer one are refused,
// for reads as for changes, with a sentence that says what to do.
func TestFormat(t *testing.T) {
	for name, c := range map[string]struct {
		mark []byte
		want string
	}{
		"none": {nil, "older version"}, "older": {[]byte{0}, "older version"},
		"former": {[]byte{db.Format - 1}, "being upgraded"},
		"newer":  {[]byte{db.Format + 1}, "newer version"},
		"this":   {[]byte{db.Format}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			tbl, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
			must.Do(t, err)
			defer tbl.Close()
			must.Do(t, (&site.Locales{Store: rooms.New(tbl, time.Now).Site}).EnsureDefault(t.Context()))
			mark(t, tbl, c.mark)
			reopened := rooms.New(tbl, time.Now).Site
			if err := reopened.RequireFormat(t.Context()); (err == nil) != (c.want == "") {
				t.Errorf("RequireFormat gives %v, want %q", err, c.want)
			}
			err = (&site.Locales{Store: reopened}).EnsureDefault(t.Context())
			if c.want == "" && err != nil || c.want != "" &&
				(err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("opening gives %v, want %q", err, c.want)
			}
		})
	}
}

// mark replaces the mark on all copies of the configuration's version.
func mark(t *testing.T, tbl table.Table, mark []byte) {
	t.Helper()
	for shard := range 8 {
		items, err := tbl.Get(t.Context(), table.Strong, site.ConfigKey(shard))
		if err != nil || items[0] == nil {
			t.Fatalf("copy %d: %v, %v", shard, items, err)
		}
		item := *items[0]
		item.Body = append(item.Body[:len(item.Body)-1:len(item.Body)-1], mark...)
		must.Do(t, tbl.BatchWrite(t.Context(), []table.Item{item}, nil))
	}
}
