package embedded

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/rooms"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

// TestRequestLogKeepsPace logs as many lines as come in half a second of load: those past 4,096
// used to be missing. An orderly stop writes them all.
func TestRequestLogKeepsPace(t *testing.T) {
	tables, err := openTables(t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	st := rooms.New(tables, time.Now)
	l := newRequestLog(st, slog.New(slog.DiscardHandler))
	const lines = 12_000
	at := cms.At(time.Now())
	for n := range lines {
		l.addLine(db.RequestLine{Time: at, Method: "GET", Path: "/api/v1/ping", Status: 200,
			RequestID: fmt.Sprint(n)})
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	l.runWriter(ctx)
	if n := countRows(t, tables, at); n != lines {
		t.Errorf("%d lines are in the log, want %d", n, lines)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
}

func countRows(t *testing.T, tables table.Table, at cms.Time) (n int) {
	t.Helper()
	for shard := range db.Shards {
		rows, err := tables.Query(t.Context(),
			table.Range{Partition: fmt.Sprintf("%s%s#%d", db.RequestLogPrefix,
				at.UTC().Format("2006-01"), shard)})
		if err != nil {
			t.Fatal(err)
		}
		n += len(rows)
	}
	return n
}

// TestRequestLogOfEarlierVersion opens a folder whose request log is a table: its lines are listed
// still, each once although an earlier start was interrupted, and the table is gone.
func TestRequestLogOfEarlierVersion(t *testing.T) {
	dir, at := t.TempDir(), cms.At(time.Now())
	path := filepath.Join(dir, "requests.db")
	earlier, err := bolt.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	st := rooms.New(earlier, time.Now)
	lines := make([]db.RequestLine, 12_000)
	for n := range lines {
		lines[n] = db.RequestLine{Time: at, Path: fmt.Sprint("/", n)}
	}
	if err := errors.Join(st.LogRequests(t.Context(), lines...), st.Close()); err != nil {
		t.Fatal(err)
	}
	copied, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := os.WriteFile(path, copied, 0o600); err != nil {
			t.Fatal(err)
		}
		tables, err := openTables(dir, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		if n := countRows(t, tables, at); n != len(lines) {
			t.Errorf("%d lines are in the log, want %d", n, len(lines))
		}
		if err := tables.Close(); err != nil {
			t.Fatal(err)
		}
		if left, err := filepath.Glob(path + "*"); err != nil || len(left) > 0 {
			t.Errorf("%v are left, %v", left, err)
		}
	}
}
