package disk_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headless/pkg/blob"
	"headless/pkg/blob/blobtest"
	"headless/pkg/blob/disk"
	"headless/pkg/must"
)

var secret = []byte("0123456789abcdef0123456789abcdef")

// open starts a store with its upload handler.
func open(t *testing.T, root string) *disk.Store {
	t.Helper()
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	store, err := disk.Open(root, disk.Options{UploadURL: server.URL + "/uploads", Secret: secret})
	must.Do(t, err)
	mux.Handle("/uploads/", store.UploadHandler())
	return store
}

func TestConformance(t *testing.T) {
	blobtest.Run(t, func(t *testing.T) blob.Store { return open(t, t.TempDir()) })
}

func TestReopen(t *testing.T) {
	root := t.TempDir()
	meta := blob.Meta{ContentType: "text/plain"}
	must.Do(t, open(t, root).Put(t.Context(), "media/a", strings.NewReader("kept"), meta))
	half := filepath.Join(root, "tmp", "half")
	must.Do(t, os.WriteFile(half, []byte("ha"), 0o600))
	// A crash between headers and object leaves the headers alone.
	must.Do(t, os.WriteFile(filepath.Join(root, "meta", "media", "b"), []byte(`{}`), 0o600))
	store := open(t, root)
	if info, err := store.Stat(t.Context(), "media/a"); err != nil || info.Meta != meta {
		t.Errorf("Stat = %+v, %v", info, err)
	}
	if _, err := store.Stat(t.Context(), "media/b"); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("headers without an object: %v", err)
	}
	if _, err := os.Stat(half); !os.IsNotExist(err) {
		t.Errorf("half a file is still there: %v", err)
	}
}

func TestUploadPreflight(t *testing.T) {
	store := open(t, t.TempDir())
	w := httptest.NewRecorder()
	store.UploadHandler().ServeHTTP(w,
		httptest.NewRequest(http.MethodOptions, "/uploads/media/a?token=x", nil))
	if w.Code != http.StatusNoContent || w.Header().Get("Access-Control-Allow-Origin") != "*" ||
		w.Header().Get("Access-Control-Allow-Headers") != "*" {
		t.Errorf("preflight: %d %v", w.Code, w.Header())
	}
}

// TestUploadOfAnotherLength names the error to the client.
func TestUploadOfAnotherLength(t *testing.T) {
	store := open(t, t.TempDir())
	for _, content := range []string{"four", "sixsix"} {
		signed, err := store.PresignUpload(t.Context(), "incoming/a",
			blob.Upload{Size: 5, Meta: blob.Meta{ContentType: "text/plain"},
				Expires: time.Now().Add(time.Minute)})
		must.Do(t, err)
		r := httptest.NewRequest(signed.Method, signed.URL, strings.NewReader(content))
		for name, value := range signed.Headers {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		store.UploadHandler().ServeHTTP(w, r)
		want := fmt.Sprintf("The body has %d bytes, but the upload was started for 5.\n", len(content))
		if w.Code != http.StatusForbidden || w.Body.String() != want {
			t.Errorf("%d %q", w.Code, w.Body)
		}
		if _, err := store.Stat(t.Context(), "incoming/a"); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("Stat = %v", err)
		}
	}
}
