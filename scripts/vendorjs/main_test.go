package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
)

// TestModules compares the committed modules with their checksums, asks for the licence of each
// package, and keeps the modules small.
func TestModules(t *testing.T) {
	l, err := readList(filepath.Base(manifest))
	must.Do(t, err)
	versions, err := readVersions(filepath.Join("..", "..", lock))
	must.Do(t, err)
	texts, err := os.ReadFile(filepath.Join("..", "..", licences))
	must.Do(t, err)
	atMost := map[string]int{"codemirror.js": 110_000, "sortable.js": 13_000,
		"turndown.js": 7_000, "inter-5-3-0.woff2": 60_000} // bytes, compressed
	for _, m := range l.Modules {
		code, err := os.ReadFile(filepath.Join("..", "..", assets, m.File))
		must.Do(t, err)
		if got := sumOf(code); got != m.SHA256 {
			t.Errorf("%s has the checksum %s, modules.json says %s: run go run ./scripts/vendorjs",
				m.File, got, m.SHA256)
		}
		if n := zipped(t, code); n > atMost[m.File] {
			t.Errorf("%s has %d bytes compressed, more than %d", m.File, n, atMost[m.File])
		}
		for _, name := range m.Packages {
			if !strings.Contains(string(texts), "\n"+name+" "+versions[name]+", in "+m.File+"\n") {
				t.Errorf("licences.txt has no text for %s %s", name, versions[name])
			}
		}
	}
}

func zipped(t *testing.T, b []byte) int {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	must.Do(t, w.Close())
	return out.Len()
}
