package folder

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"headless/pkg/must"
)

// TestFileStore reads each file once, and again after it changed or was lost here.
func TestFileStore(t *testing.T) {
	content, reads := "first", 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"`+content+`"`)
		if r.Header.Get("If-None-Match") == `"`+content+`"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		reads++
		_, _ = w.Write([]byte(content))
	}))
	defer server.Close()
	dir := t.TempDir()
	fetch := func() (hash string) {
		t.Helper()
		store, err := OpenFiles(dir)
		must.Do(t, err)
		defer store.Close()
		if hash, err = store.Fetch(server.URL + "/a"); err != nil {
			t.Fatal(err)
		}
		return hash
	}
	first := fetch()
	if again := fetch(); again != first || reads != 1 {
		t.Errorf("again: %s, want %s, after %d reads", again, first, reads)
	}
	must.Do(t, os.Remove(filepath.Join(dir, first)))
	if fetch(); reads != 2 {
		t.Errorf("a file that was lost: %d reads", reads)
	}
	index, err := os.OpenFile(filepath.Join(dir, "index.jsonl"), os.O_WRONLY|os.O_APPEND, 0)
	must.Do(t, err)
	if _, err := index.WriteString(`{"url":"torn`); err != nil {
		t.Fatal(err)
	}
	index.Close()
	content = "second"
	second := fetch()
	if again := fetch(); second == first || again != second || reads != 3 {
		t.Errorf("changed: %s, then %s after %d reads", second, again, reads)
	}
	if stored, err := os.ReadFile(filepath.Join(dir, second)); err != nil || string(stored) != "second" {
		t.Errorf("stored %q, %v", stored, err)
	}
}
