package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
)

// TestCSV exports entries, and imports the same file and a wrong one.
func TestCSV(t *testing.T) {
	c := use(t, serve(t))
	model := map[string]any{"slug": "prices", "name": "Prices",
		"fields": []any{map[string]any{"name": "price", "type": "number"}}}
	must.Do(t, c.JSON(http.MethodPost, "/admin/models", model, nil))
	file := filepath.Join(t.TempDir(), "prices.csv")
	write := func(text string) {
		t.Helper()
		must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	}
	write("title,slug,data.price\nOak,oak,12.5\nElm,elm,\n")
	if got := output(t, 0, "csv", "import", "prices", file,
		"--publish"); !strings.Contains(got, "2 created, 0 updated, 0 unchanged") {
		t.Errorf("%s", got)
	}
	expect(t, 0, "csv", "export", "prices", "-o", file, "--filter", "status=published")
	text, err := os.ReadFile(file)
	if err != nil || strings.Count(string(text), "\r\n") != 3 {
		t.Fatalf("%q %v", text, err)
	}
	if got := output(t, 0, "csv", "import", "prices", file); !strings.Contains(got, "0 created, 0 updated, 2 unchanged") {
		t.Errorf("%s", got)
	}
	write("slug,data.price\noak,much\n")
	if got := output(t, 1, "csv", "import", "prices", file,
		"--dry-run"); !strings.Contains(got, "0 created, 0 updated, 0 unchanged") {
		t.Errorf("%s", got)
	}
	write("")
	if _, err := importCSV(c, "prices", file, false, false); err == nil || !strings.Contains(err.Error(), "is empty") {
		t.Errorf("an empty file: %v", err)
	}
	expect(t, 1, "csv", "export", "none")
	expect(t, 2, "csv", "export")
}

// TestReadCSV puts parts together, each with a header row of its own.
func TestReadCSV(t *testing.T) {
	c := use(t, serve(t))
	model := map[string]any{"slug": "prices", "name": "Prices", "fields": []any{}}
	must.Do(t, c.JSON(http.MethodPost, "/admin/models", model, nil))
	file := filepath.Join(t.TempDir(), "prices.csv")
	var b strings.Builder
	b.WriteString("title,slug\n")
	for i := range 120 {
		b.WriteString("T,row-" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + string(rune('a'+i/26)) + "\n")
	}
	must.Do(t, os.WriteFile(file, []byte(b.String()), 0o600))
	expect(t, 0, "csv", "import", "prices", file)
	text, err := readCSV(c, "/admin/models/prices/entries.csv?columns=slug")
	if err != nil || strings.Count(string(text), "\r\n") != 121 {
		t.Errorf("%d lines, %v", strings.Count(string(text), "\r\n"), err)
	}
}
