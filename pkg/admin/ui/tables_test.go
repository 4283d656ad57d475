package ui_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"headless/pkg/must"
)

// TestTablesHaveNames looks at the templates: readers of screens list tables by name. Those in a comparison stand in
// its text.
func TestTablesHaveNames(t *testing.T) {
	files, _ := filepath.Glob("templates/*.html")
	start, found := regexp.MustCompile(`(\{\{if \.Rows\}\})?<table[^>]*`), 0
	for _, file := range files {
		body, err := os.ReadFile(file)
		must.Do(t, err)
		for _, tag := range start.FindAllString(string(body), -1) {
			found++
			if tag != "{{if .Rows}}<table" && !regexp.MustCompile(` aria-label="`).MatchString(tag) {
				t.Errorf("%s: %s has no name", file, tag)
			}
		}
	}
	if found < 3 {
		t.Errorf("only %d tables were looked at", found)
	}
}
