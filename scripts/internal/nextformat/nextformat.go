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
	"headless/pkg/must"
)

// Flags returns the GOFLAGS with which `go build` builds the next version. Call it in the root of
// the repository. Its files are removed when the test ends.
func Flags(t *testing.T) string {
	t.Helper()
	file, err := filepath.Abs("pkg/db/format.go")
	must.Do(t, err)
	source, err := os.ReadFile(file)
	must.Do(t, err)
	dir := t.TempDir()
	changed := strings.Replace(string(source), fmt.Sprintf("const Format = %d\n", db.Format),
		fmt.Sprintf("const Format = %d\n", db.Format+1), 1)
	if changed == string(source) {
		t.Fatal("the format constant was not found in the source")
	}
	other, overlay := filepath.Join(dir, "format.go"), filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{file: other}})
	must.Do(t, err)
	for name, content := range map[string][]byte{other: []byte(changed), overlay: text} {
		must.Do(t, os.WriteFile(name, content, 0o600))
	}
	return os.Getenv("GOFLAGS") + " -overlay=" + overlay
}

// NewerRefuses is in the responses of the next version on a table of this version; OlderRefuses is
// in those of this version on a table of the next one.
var (
	NewerRefuses = fmt.Sprintf("has format %d, from an older", db.Format)
	OlderRefuses = fmt.Sprintf("has format %d, from a newer", db.Format+1)
)
