package mcp

import (
	"bytes"
	"net/http/httptest"
	"testing"

	"headless/pkg/assets/upload"
	"headless/pkg/must"
)

// TestUploadBody: an upload has the file and the texts of the arguments.
func TestUploadBody(t *testing.T) {
	args := map[string]any{"url": "https://example.com/x", "name": "a.txt", "alt": "A",
		"alts": map[string]any{"de": "Ein A", "fr": nil}}
	contentType, body, err := uploadBody(args, []byte("words"))
	must.Do(t, err)
	r := httptest.NewRequest("POST", "/upload", bytes.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	u, err := upload.ReadUpload(r, 100)
	must.Do(t, err)
	defer u.Close()
	if u.Name != "a.txt" || u.Size != 5 || u.Alt != "A" || u.Alts != `{"de":"Ein A","fr":null}` {
		t.Errorf("%+v", u)
	}
}
