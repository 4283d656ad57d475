package frame

import (
	"errors"
	"html/template"
	"io"
	"io/fs"
	"path"
	"strings"
	"testing"

	"headless/pkg/admin/say"
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
		name = strings.TrimSuffix(path.Base(name), ".html")
		for _, frame := range []string{ui.SignedIn, ui.Alone} {
			for range 2 {
				parsed, err := p.Page(name, frame, say.English)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if strings.HasSuffix(name, "parts") || parsed.Lookup("content") == nil {
					continue // what a page is made of is no page
				}
				var wrong *template.Error
				if err := parsed.Execute(io.Discard, nil); errors.As(err, &wrong) {
					t.Errorf("%s: %v", name, err) // such as a part that is named and not there
				}
			}
		}
	}
	if _, err := p.Page("none", ui.SignedIn, say.English); err == nil {
		t.Error("a page without a template is no error")
	}
}
