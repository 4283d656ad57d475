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

// fileLink matches the target of a Markdown link or picture that is no URL: its file and its fragment.
var fileLink = regexp.MustCompile(`\]\(([^)#\s:]*)(?:#([^)\s]*))?\)`)

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
			if strings.HasPrefix(m[1], "/") {
				continue // an address of the service
			}
			links++
			target := page
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(page), m[1])
				if _, err := os.Stat(target); err != nil {
					t.Errorf("%s links to %s, which does not exist", page, m[1])
					continue
				}
			}
			if m[2] != "" {
				if to, err := os.ReadFile(target); err != nil || !hasHeading(to, m[2]) {
					t.Errorf("%s links to %s#%s, which is no heading %v", page, m[1], m[2], err)
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
