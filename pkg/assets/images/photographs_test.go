package images

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"headless/pkg/assets/picture"
	"headless/pkg/must"
)

// TestAutoOfPhotographs compares auto with the format of the file, and with the file itself, for real
// photographs: see the README beside them.
func TestAutoOfPhotographs(t *testing.T) {
	w := newWorld(t)
	paths, err := filepath.Glob("testdata/photographs/*[gp]") // jpg, png, webp
	if err != nil || len(paths) != 7 {
		t.Fatalf("%d photographs: %v, %v", len(paths), paths, err)
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		must.Do(t, err)
		id, kind := filepath.Base(path), http.DetectContentType(content)
		w.put(t, id, kind, content, nil)
		for _, query := range []string{"w=64", "w=200&h=200&fit=cover", "w=400", "w=256&q=40", "w=320&q=95", "w=2560"} {
			w.autoIsSmallest(t, id, query, content)
		}
		small, err := picture.Inspect(w.get(id, "w=128&fm=auto", true).Body)
		if err != nil || small.Width != 128 || kind != picture.PNG && small.Type != picture.WebP {
			t.Errorf("%s: %+v, %v", id, small, err)
		}
	}
}

// autoIsSmallest checks the sizes of auto for clients that accept WebP and for others, and returns both
// answers.
func (w *world) autoIsSmallest(t *testing.T, id, query string, file []byte) (modern, old *http.Response) {
	t.Helper()
	own := w.get(id, query, false)
	modern, old = w.get(id, query+"&fm=auto", true), w.get(id, query+"&fm=auto", false)
	for _, auto := range []*http.Response{modern, old} {
		if auto.StatusCode != http.StatusOK || auto.ContentLength > own.ContentLength ||
			auto.ContentLength > int64(len(file)) {
			t.Errorf("%s?%s: auto is %d bytes, its format %d, the file %d", id, query,
				auto.ContentLength, own.ContentLength, len(file))
		}
		if vary := auto.Header.Get("Vary"); vary != "Accept" {
			t.Errorf("%s?%s: Vary %q", id, query, vary)
		}
	}
	return modern, old
}

// TestLargeFilesAreDecodedTwice: auto lowers the quality of a variant that is larger than the whole file,
// and decodes the file again. It once did so up to five times, also with 40 megapixels.
func TestLargeFilesAreDecodedTwice(t *testing.T) {
	for _, row := range []struct{ width, height, decoded int }{{1000, 600, 3}, {2500, 1700, 2}} {
		w := newWorld(t)
		content := jpegOf(t, photograph(1, row.width, row.height), 1)
		w.put(t, "a", "image/jpeg", content, nil)
		resp := w.get("a", "w=2560&q=75&fm=auto", false)
		body, err := io.ReadAll(resp.Body)
		if err != nil || !bytes.Equal(body, content) {
			t.Errorf("%d × %d: not the file itself: %d bytes of %d, %v", row.width, row.height, len(body), len(content), err)
		}
		if names := w.variants(t); len(names) != row.decoded {
			t.Errorf("%d × %d: made %v, want %d", row.width, row.height, names, row.decoded)
		}
	}
}

// TestSlowVariantsAreMadeOneByOne asks three times for a large variant of a file that takes long: the first two
// requests make it in one format each, the third finds both. The smaller one is kept by caches.
func TestSlowVariantsAreMadeOneByOne(t *testing.T) {
	w := newWorld(t)
	content := pngOf(t, grainy(2700, 1900, 100))
	if len(content) <= manyBytes {
		t.Fatalf("only %d bytes", len(content))
	}
	w.put(t, "a", "image/png", content, nil)
	const query = "w=2560&h=1600&fit=cover&fm=auto"
	for i, made := range []int{1, 2, 2} {
		resp := w.get("a", query, true)
		if names := w.variants(t); resp.StatusCode != http.StatusOK || len(names) != made {
			t.Errorf("request %d: %d, made %v", i, resp.StatusCode, names)
		}
		if short := resp.Header.Get("Cache-Control") == briefly; short != (i == 0) {
			t.Errorf("request %d: Cache-Control %q", i, resp.Header.Get("Cache-Control"))
		}
	}
	if _, old := w.autoIsSmallest(t, "a", "w=2560&h=1600&fit=cover", content); old.Header.Get("Cache-Control") == briefly {
		t.Error("the PNG alone is not kept")
	}
}
