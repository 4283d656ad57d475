// Package nextformat builds the service as a later version whose rows have another format, for tests of
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

// Next is the first format after this one, which can be upgraded to it. Later is the first that cannot.
const (
	Next  = db.Format + 1
	Later = db.Format + 2
)

// Flags returns the GOFLAGS with which `go build` builds a version of a format. Call it in the root of
// the repository. Its files are removed when the test ends.
func Flags(t *testing.T, format int) string {
	t.Helper()
	file, err := filepath.Abs("pkg/db/format.go")
	must.Do(t, err)
	source, err := os.ReadFile(file)
	must.Do(t, err)
	dir := t.TempDir()
	changed := strings.Replace(string(source), fmt.Sprintf("const Format = %d\n", db.Format),
		fmt.Sprintf("const Format = %d\n", format), 1)
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

// NewerRefuses is in the responses of a later version on a table of this version, and Upgrading in those of the next
// version until it has upgraded the table.
var (
	NewerRefuses = fmt.Sprintf("has format %d, from an older", db.Format)
	Upgrading    = fmt.Sprintf("upgraded from format %d to format %d", db.Format, Next)
)

// OlderRefuses returns what is in the responses of this version on a table of a later format.
func OlderRefuses(format int) string { return fmt.Sprintf("has format %d, from a newer", format) }
