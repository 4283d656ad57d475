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
	"headless/pkg/must"
	"headless/pkg/rooms"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

// TestRequestLogKeepsPace logs as many lines as come in half a second of load: those past 4,096
// used to be missing. An orderly stop writes them all.
func TestRequestLogKeepsPace(t *testing.T) {
	tables, err := openTables(t.TempDir(), slog.New(slog.DiscardHandler))
	must.Do(t, err)
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
	must.Do(t, st.Close())
}

func countRows(t *testing.T, tables table.Table, at cms.Time) (n int) {
	t.Helper()
	for shard := range db.Shards {
		rows, err := tables.Query(t.Context(),
			table.Range{Partition: fmt.Sprintf("%s%s#%d", db.RequestLogPrefix,
				at.UTC().Format("2006-01"), shard)})
		must.Do(t, err)
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
	must.Do(t, err)
	st := rooms.New(earlier, time.Now)
	lines := make([]db.RequestLine, 12_000)
	for n := range lines {
		lines[n] = db.RequestLine{Time: at, Path: fmt.Sprint("/", n)}
	}
	must.Do(t, errors.Join(st.LogRequests(t.Context(), lines...), st.Close()))
	copied, err := os.ReadFile(path)
	must.Do(t, err)
	for range 2 {
		must.Do(t, os.WriteFile(path, copied, 0o600))
		tables, err := openTables(dir, slog.New(slog.DiscardHandler))
		must.Do(t, err)
		if n := countRows(t, tables, at); n != len(lines) {
			t.Errorf("%d lines are in the log, want %d", n, len(lines))
		}
		must.Do(t, tables.Close())
		if left, err := filepath.Glob(path + "*"); err != nil || len(left) > 0 {
			t.Errorf("%v are left, %v", left, err)
		}
	}
}
