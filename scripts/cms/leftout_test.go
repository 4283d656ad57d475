package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
)

// TestImportNamesLeftOut imports into a service that lacks a form and redirects of the export.
func TestImportNamesLeftOut(t *testing.T) {
	first, second := serve(t), serve(t)
	c := use(t, first)
	must.Do(t, c.JSON("POST", "/admin/forms", map[string]any{"slug": "contact", "name": "Contact"}, nil))
	for _, from := range []string{"/a", "/b"} {
		must.Do(t, c.JSON("POST", "/admin/redirects", map[string]any{"from": from, "to": "/c", "status": 301}, nil))
	}
	dir := filepath.Join(t.TempDir(), "export")
	expect(t, 0, "export", dir)
	for address, want := range map[string]string{first: "", second: ": forms (1), redirects (2). "} {
		use(t, address)
		said := written(t, &os.Stderr, func() { expect(t, 0, "import", dir) })
		if strings.Contains(said, "Left out") != (want != "") || !strings.Contains(said, want) {
			t.Errorf("%q, want %q", said, want)
		}
	}
	use(t, second)
	expect(t, 0, "schema", "apply", filepath.Join(dir, "schema.json"))
	if said := written(t, &os.Stderr, func() { expect(t, 0, "import", dir) }); strings.Contains(said, "Left out") {
		t.Error(said)
	}
}
