package embedded

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/rooms"
	"headless/pkg/table"
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
		l.add(db.RequestLine{Time: at, Method: "GET", Path: "/api/v1/ping", Status: 200,
			RequestID: fmt.Sprint(n)})
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	l.run(ctx)
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
