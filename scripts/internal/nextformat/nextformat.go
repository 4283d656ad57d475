// Package nextformat builds the service as a version whose rows have the next format, for tests of
// upgrades and downgrades.
package nextformat

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/db"
)

// Flags gives the value of GOFLAGS with which `go build` makes the next version. It must be called
// in the root of the repository; what it needs stays until the test ends.
func Flags(t *testing.T) string {
	t.Helper()
	file, err := filepath.Abs("pkg/db/format.go")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	changed := strings.Replace(string(source), fmt.Sprintf("const Format = %d\n", db.Format),
		fmt.Sprintf("const Format = %d\n", db.Format+1), 1)
	if changed == string(source) {
		t.Fatal("the format is not where it is expected")
	}
	other, overlay := filepath.Join(dir, "format.go"), filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{file: other}})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{other: []byte(changed), overlay: text} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return os.Getenv("GOFLAGS") + " -overlay=" + overlay
}

// NewerRefuses and OlderRefuses are in the answers of the next version on a table of this one, and
// the other way round.
var (
	NewerRefuses = fmt.Sprintf("has format %d, from an older", db.Format)
	OlderRefuses = fmt.Sprintf("has format %d, from a newer", db.Format+1)
)
