package logs_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/db/logs"
	"headless/pkg/must"
)

// TestKinds compares the kinds of events with those that the sources name.
func TestKinds(t *testing.T) {
	areas := map[string]bool{}
	for _, kind := range logs.Kinds {
		area, _, _ := strings.Cut(kind, ".")
		areas[area] = true
	}
	found := slices.Clone(cms.EventKinds)
	named := regexp.MustCompile(`"([a-z]+)\.[a-z_]+(\.[a-z]+)?"`)
	must.Do(t, filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			path == "../../db/logs/kinds.go" || strings.HasPrefix(path, "../../e2e/") {
			return err
		}
		body, err := os.ReadFile(path)
		for _, m := range named.FindAllSubmatch(body, -1) {
			if kind := string(bytes.Trim(m[0], `"`)); areas[string(m[1])] && !slices.Contains(found, kind) {
				found = append(found, kind)
			}
		}
		return err
	}))
	for _, kind := range logs.Kinds {
		if !slices.Contains(found, kind) {
			t.Errorf("nothing records %s", kind)
		}
	}
	others := []string{"activity.recorded", "paths.updated", // go to webhooks alone
		"menu.group", "menu.icon", "menu.order", "media.x", "entry.frame.js", "preview.js", "redirects.csv",
		"schema.locked"}
	for _, kind := range found {
		if !slices.Contains(logs.Kinds, kind) && !slices.Contains(others, kind) {
			t.Errorf("Kinds lack %s", kind)
		}
	}
}
