package admin

import (
	"io/fs"
	"path"
	"strings"
	"testing"
)

// TestTemplatesParse: pages are parsed when they are asked for, so all of them are asked for here.
func TestTemplatesParse(t *testing.T) {
	names, err := fs.Glob(templateFiles, "templates/*.html")
	if err != nil || len(names) < 10 {
		t.Fatal(names, err)
	}
	p := newPages()
	for _, name := range names {
		for range 2 {
			if parsed, err := p.page(strings.TrimSuffix(path.Base(name), ".html")); err != nil ||
				parsed == nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if _, err := p.page("none"); err == nil {
		t.Error("a page without a template is no error")
	}
}
