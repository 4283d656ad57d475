package db_test

import (
	"encoding/base64"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/table/bolt"
)

func TestCursors(t *testing.T) {
	open := func() *bolt.Table {
		tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
		must.Do(t, err)
		t.Cleanup(func() { tb.Close() })
		return tb
	}
	shared, ctx := open(), t.Context()
	one, two, other := db.New(shared, time.Now), db.New(shared, time.Now), db.New(open(), time.Now)
	encode := func(d *db.DB, check, position string) string {
		t.Helper()
		cursor, err := d.EncodeCursor(ctx, []byte(check), position)
		must.Do(t, err)
		return cursor
	}
	for _, position := range []string{"secret", "", "\x00\x01\x00", strings.Repeat("\x01\x00", 64),
		strings.Repeat("x", 2000)} {
		cursor := encode(one, "query", position)
		if cursor != encode(two, "query", position) {
			t.Errorf("%q: two processes encode one position in two ways", position)
		}
		if got, err := two.DecodeCursor(ctx, []byte("query"), cursor); got != position || err != nil {
			t.Errorf("%q comes back as %q, %v", position, got, err)
		}
		changed := "A" + cursor[1:]
		if cursor[0] == 'A' {
			changed = "B" + cursor[1:]
		}
		old := base64.RawURLEncoding.EncodeToString([]byte("12345678" + position))
		for name, refused := range map[string]string{"of another service": encode(other, "query", position),
			"of another query": encode(one, "other", position), "changed": changed, "cut": cursor[:len(cursor)-4],
			"as before cursors were sealed": old, "not base64": "%" + cursor} {
			if _, err := two.DecodeCursor(ctx, []byte("query"), refused); cms.CodeOf(err) != cms.CodeBadRequest {
				t.Errorf("%q: a cursor %s is read: %v", position, name, err)
			}
		}
		raw, _ := base64.RawURLEncoding.DecodeString(cursor)
		if len(position) > 3 && strings.Contains(string(raw), position[:4]) {
			t.Errorf("%s shows %q", cursor, position)
		}
	}
	if a, b := encode(one, "query", "a"), encode(one, "query", strings.Repeat("b", 100)); len(a) != len(b) {
		t.Errorf("cursors of %d and %d characters show how long a value is", len(a), len(b))
	}
}
