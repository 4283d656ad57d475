package main

import (
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

// TestOutbox: an event that nobody can read is found and dropped; others stay.
func TestOutbox(t *testing.T) {
	dir := t.TempDir()
	tbl, err := bolt.Open(filepath.Join(dir, "table.db"))
	must.Do(t, err)
	var rows []table.Item
	for sort, body := range map[string]string{"good": `{"kind":"entry.created"}`, "poison": "{"} {
		rows = append(rows, table.Item{Key: table.Key{Partition: "OUT#3", Sort: sort}, Body: []byte(body)})
	}
	must.Do(t, tbl.BatchWrite(t.Context(), rows, nil))
	must.Do(t, tbl.Close())
	list := func() string { // with one space between columns
		return strings.Join(strings.Fields(output(t, 0, "outbox", "list", "--data", dir)), " ")
	}
	const good, poison = "OUT#3/676f6f64", "OUT#3/706f69736f6e"
	if text := list(); !strings.Contains(text, good+" entry.created") ||
		!strings.Contains(text, poison+" cannot be read") {
		t.Fatalf("listed\n%s", text)
	}
	output(t, exitUsage, "outbox", "list")
	output(t, exitFailed, "outbox", "drop", "OUT#3/00", "--data", dir)
	output(t, 0, "outbox", "drop", poison, "--data", dir)
	if text := list(); !strings.Contains(text, good) || strings.Contains(text, poison) {
		t.Errorf("left\n%s", text)
	}
}
