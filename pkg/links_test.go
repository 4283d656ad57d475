package pkg_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"headless/pkg/must"
)

// fileLink matches the target of a Markdown link or picture that is no URL, without its fragment.
var fileLink = regexp.MustCompile(`\]\(([^)#\s:]+)(#[^)\s]*)?\)`)

// TestLinksOfPages checks that each link of a Markdown page to a file leads to one.
func TestLinksOfPages(t *testing.T) {
	links := 0
	err := filepath.WalkDir("..", func(page string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (page != ".." && strings.HasPrefix(d.Name(), ".") && d.Name() != ".github" ||
			d.Name() == "testdata" || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if filepath.Ext(page) != ".md" {
			return nil
		}
		text, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		for _, m := range fileLink.FindAllStringSubmatch(string(text), -1) {
			if strings.HasPrefix(m[1], "/") {
				continue // an address of the service
			}
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s links to %s, which does not exist", page, m[1])
			}
		}
		return nil
	})
	must.Do(t, err)
	if links < 50 {
		t.Fatalf("only %d links were looked at", links)
	}
}
