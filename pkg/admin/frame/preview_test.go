package frame

import (
	"bytes"
	"compress/gzip"
	"testing"

	"headless/pkg/admin/ui"
	"headless/pkg/must"
)

// TestPreviewScriptSize keeps the script small, as sites load it: without comments (extensions §15).
func TestPreviewScriptSize(t *testing.T) {
	script, err := ui.Asset("preview.js", nil)
	must.Do(t, err)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(script); err != nil {
		t.Fatal(err)
	}
	must.Do(t, w.Close())
	if packed.Len() > 4<<10 {
		t.Errorf("preview.js has %d bytes compressed, more than 4 KB", packed.Len())
	}
}
