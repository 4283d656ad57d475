package frame

import (
	"testing"

	"headless/pkg/admin/ui"
)

// TestPreviewScriptSize keeps the script that sites load small (extensions §5).
func TestPreviewScriptSize(t *testing.T) {
	script, err := ui.AssetFiles.ReadFile("assets/preview.js")
	if err != nil {
		t.Fatal(err)
	}
	if len(script) > 3<<10 {
		t.Errorf("preview.js has %d bytes, more than 3 KB", len(script))
	}
}
