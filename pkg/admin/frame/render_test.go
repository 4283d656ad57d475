package frame

import (
	"io/fs"
	"path"
	"strings"
	"testing"

	"headless/pkg/admin/ui"
)

// TestTemplatesParse: pages are parsed when they are asked for, so all of them are asked for here.
func TestTemplatesParse(t *testing.T) {
	names, err := fs.Glob(ui.TemplateFiles, "templates/*.html")
	if err != nil || len(names) < 10 {
		t.Fatal(names, err)
	}
	p := ui.NewPages()
	for _, name := range names {
		for range 2 {
			if parsed, err := p.Page(strings.TrimSuffix(path.Base(name), ".html")); err != nil ||
				parsed == nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if _, err := p.Page("none"); err == nil {
		t.Error("a page without a template is no error")
	}
}
