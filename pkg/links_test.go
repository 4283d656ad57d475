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

// fileLink matches a Markdown link or picture whose target is no URL: its text if that is the name of a file, the file
// and the fragment.
var fileLink = regexp.MustCompile(`(?:\[([\w./-]+\.md))?\]\(([^)#\s:]*)(?:#([^)\s]*))?\)`)

// heading matches a heading of a page; unspoken, the characters that its fragment has not.
var (
	heading  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	unspoken = regexp.MustCompile(`[^\pL\pN _-]`)
)

// hasHeading reports whether a page has the heading of a fragment.
func hasHeading(text []byte, fragment string) bool {
	for _, m := range heading.FindAllSubmatch(text, -1) {
		words := unspoken.ReplaceAllString(strings.ToLower(string(m[1])), "")
		if strings.ReplaceAll(words, " ", "-") == fragment {
			return true
		}
	}
	return false
}

// TestLinksOfPages checks that each link of a Markdown page to a file leads to one, and to a heading of it.
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
			if strings.HasPrefix(m[2], "/") {
				continue // an address of the service
			}
			links++
			target := page
			if m[2] != "" {
				target = filepath.Join(filepath.Dir(page), m[2])
				if !strings.HasSuffix(target, m[1]) {
					t.Errorf("%s links to %s and calls it %s", page, m[2], m[1])
				}
				if _, err := os.Stat(target); err != nil {
					t.Errorf("%s links to %s, which does not exist", page, m[2])
					continue
				}
			}
			if m[3] != "" {
				if to, err := os.ReadFile(target); err != nil || !hasHeading(to, m[3]) {
					t.Errorf("%s links to %s#%s, which is no heading %v", page, m[2], m[3], err)
				}
			}
		}
		return nil
	})
	must.Do(t, err)
	if links < 50 {
		t.Fatalf("only %d links were looked at", links)
	}
}
