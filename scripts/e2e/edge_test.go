package e2e

import (
	"bytes"
	"image"
	"image/png"
	"io"
	"net/http"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"headless/pkg/must"
)

// TestEdge reads an entry and a picture through CloudFront, at E2E_EDGE_URL: they are cached, a
// change is seen, and variants are made. With E2E_FORMER_MEDIA_URL, files are at that address too.
func TestEdge(t *testing.T) {
	edge := os.Getenv("E2E_EDGE_URL")
	if edge == "" || afterUpgrade() {
		return
	}
	w, admin := newWorkspace(t), signIn(t)
	entry, slug := w.create(t, "Edge"), path.Base(w.path)
	var key struct {
		ID     string
		Public string `json:"public_key"`
	}
	decode(t, call(t, "POST", "/admin/keys",
		map[string]any{"name": slug, "kind": "publishable", "models": []string{slug}}, admin), &key)
	t.Cleanup(func() { call(t, "DELETE", "/admin/keys/"+key.ID, nil, admin) })

	address := edge + "/delivery/v1/" + key.Public + "/" + slug + "/" + entry
	until(t, "the answer is cached", func() bool {
		status, header, _ := seen(t, address)
		return status == 200 && strings.HasPrefix(strings.ToLower(header.Get("X-Cache")), "hit")
	})
	call(t, "PUT", w.path+"/"+entry, map[string]any{"data": map[string]any{"body": "changed"}}, w.headers)
	took := until(t, "the change is seen", func() bool {
		_, _, body := seen(t, address)
		return bytes.Contains(body, []byte(`"changed"`))
	})
	t.Logf("a change was seen after %s", took.Round(100*time.Millisecond))

	var picture bytes.Buffer
	must.Do(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 400, 300))))
	file := w.upload(t, "edge.png", picture.Bytes())
	bases := []string{file.URL}
	if former := os.Getenv("E2E_FORMER_MEDIA_URL"); former != "" {
		bases = append(bases, former+"/"+file.ID)
	}
	for _, base := range bases {
		if status, _, body := seen(t, base); status != 200 || !bytes.Equal(body, picture.Bytes()) {
			t.Errorf("%s: %d, %d bytes", base, status, len(body))
		}
		status, _, body := seen(t, base+"?w=64&fm=png")
		if c, err := png.DecodeConfig(bytes.NewReader(body)); status != 200 || err != nil || c.Width != 64 {
			t.Errorf("%s?w=64: %d, %d wide, %v", base, status, c.Width, err)
		}
	}
	call(t, "DELETE", "/api/v1/upload/files/"+file.ID, nil, w.headers)
	until(t, "a deleted file is gone", func() bool {
		status, _, _ := seen(t, file.URL)
		return status == 404
	})
}

// until polls until something holds, for two minutes at most, and returns the time that it took.
func until(t *testing.T, what string, holds func() bool) time.Duration {
	t.Helper()
	began := time.Now()
	for !holds() {
		if time.Since(began) > 2*time.Minute {
			t.Fatalf("%s: not within two minutes", what)
		}
		time.Sleep(200 * time.Millisecond)
	}
	return time.Since(began)
}

// seen gets an address as a visitor of the site does.
func seen(t *testing.T, url string) (status int, header http.Header, body []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	must.Do(t, err)
	resp, err := http.DefaultClient.Do(req)
	must.Do(t, err)
	defer resp.Body.Close()
	if body, err = io.ReadAll(resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, body
}
