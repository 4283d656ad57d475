package pkg_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"headless/pkg/must"
)

// TestEverySaveAsksForApproval proves that no way to the public goes round approval.Change.Require:
// content.SaveEntry calls it first, and all other functions that write an entry are listed here with
// the reason why they need no approval (extensions §14).
func TestEverySaveAsksForApproval(t *testing.T) {
	calls := map[string][]string{ // function that leads to a stored entry → files that call it
		// saveEntry, RestoreEntry, Reposition
		"putEntry": {"pkg/content/entries.go", "pkg/content/trash.go", "pkg/content/tree.go"},
		// SaveEntry, ImportEntry
		"saveEntry": {"pkg/content/entries.go"},
		// Package takeback goes back to content that readers saw before.
		"ImportEntry":         {"pkg/editing/takeback/takeback.go", "pkg/transfer/import.go"},
		"RestoreEntry":        {"pkg/editing/history.go"}, // entries that come back from the trash
		"SaveEntry":           {"pkg/editing/entries.go", "pkg/editing/shared.go"},
		"changeTo(e).Require": {"pkg/content/entries.go"},
	}
	for name, want := range calls {
		call := regexp.MustCompile(`(^|[^A-Za-z])` + regexp.QuoteMeta(name) + `\(t?x?,`)
		var found []string
		err := walkGo(func(path string) error {
			file := strings.TrimPrefix(filepath.ToSlash(path), "../")
			src, err := os.ReadFile(path)
			for line := range strings.Lines(string(src)) {
				if call.MatchString(line) && !strings.HasPrefix(line, "func ") && !slices.Contains(found, file) {
					found = append(found, file)
				}
			}
			return err
		})
		if slices.Sort(found); err != nil || !slices.Equal(found, want) {
			t.Errorf("%s is called in %q, want %q: does the new way need an approval? %v", name, found, want, err)
		}
	}
	src, err := os.ReadFile("content/entries.go")
	must.Do(t, err)
	_, body, _ := strings.Cut(string(src), "\nfunc SaveEntry(")
	if body, _, _ = strings.Cut(body, "\n}"); !strings.Contains(body, "was.changeTo(e).Require(t, m, actor)") {
		t.Error("SaveEntry does not ask for approval")
	}
}
