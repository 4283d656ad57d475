package admin

import "testing"

// TestPreviewScriptSize keeps the script that sites load small (extensions §5).
func TestPreviewScriptSize(t *testing.T) {
	script, err := assetFiles.ReadFile("assets/preview.js")
	if err != nil {
		t.Fatal(err)
	}
	if len(script) > 3<<10 {
		t.Errorf("preview.js has %d bytes, more than 3 KB", len(script))
	}
}
