package e2e

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"strings"
	"testing"

	"headless/pkg/must"
)

// TestSmoke makes one round through the service and removes its items: the first look at a
// stage after a deployment, safe on one that people use.
func TestSmoke(t *testing.T) {
	if afterUpgrade() {
		return
	}
	for path, want := range map[string]int{
		"/api/v1/ping": 401, "/api/v1/openapi.json": 200, "/admin/login": 200, "/api/v1/none": 401,
		"/delivery/v1/none/none": 404, "/media/none": 404, "/mcp": 405,
	} {
		page := map[string]string{"Accept": "text/html"} // the sign-in page is for browsers
		if status, _ := fetch(t, os.Getenv("E2E_BASE_URL")+path, page); status != want {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
	}
	w := newWorkspace(t)
	entry := w.create(t, "Smoke")
	if got := call(t, "GET", w.path+"/"+entry, nil, w.headers); !strings.Contains(string(got), `"Größe"`) {
		t.Errorf("the entry is %s", got)
	}
	if got := call(t, "GET", w.path+"?sort=-created_at", nil, w.headers); !strings.Contains(string(got),
		entry) {
		t.Errorf("the list is %s", got)
	}
	file := w.upload(t, "smoke.txt", []byte(smokeFile))
	if status, body := fetch(t, file.URL, nil); status != 200 || string(body) != smokeFile {
		t.Errorf("%s: %d %.200s", file.URL, status, body)
	}
	call(t, "DELETE", "/api/v1/upload/files/"+file.ID, nil, w.headers)
}

// workspace is a model with a key of its own. It goes with the test, its entries too.
type workspace struct {
	path    string // of the model
	headers map[string]string
	entries []string
}

func newWorkspace(t *testing.T) *workspace {
	t.Helper()
	admin, slug := signIn(t), "smoke-"+strings.ToLower(rand.Text())
	call(t, "POST", "/admin/models", map[string]any{
		"slug": slug, "name": "Smoke test", "kind": "collection",
		"fields": []any{map[string]any{"name": "body", "label": "Body", "type": "text"}},
	}, admin)
	var key struct {
		ID     string
		Public string `json:"public_key"`
		Secret string
	}
	decode(t,
		call(t, "POST", "/admin/keys",
			map[string]any{"name": slug, "scopes": []string{"read", "write", "delete"},
				"rate_limit": 10000}, admin), &key)
	w := &workspace{path: "/api/v1/" + slug, headers: map[string]string{"X-API-Key": key.Public,
		"X-API-Secret": key.Secret}}
	t.Cleanup(func() {
		for _, id := range w.entries {
			call(t, "DELETE", w.path+"/"+id, nil, w.headers)
		}
		call(t, "DELETE", "/admin/models/"+slug, nil, admin)
		call(t, "DELETE", "/admin/keys/"+key.ID, nil, admin)
	})
	return w
}

func (w *workspace) create(t *testing.T, title string) (id string) {
	t.Helper()
	var entry struct{ ID string }
	body := map[string]any{"title": title, "status": "published", "data": map[string]any{"body": "Größe"}}
	decode(t, call(t, "POST", w.path, body, w.headers), &entry)
	w.entries = append(w.entries, entry.ID)
	return entry.ID
}

const smokeFile = "A file of the smoke test.\n"

type uploaded struct{ ID, URL string }

func (w *workspace) upload(t *testing.T, name string, content []byte) (file uploaded) {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", name)
	must.Do(t, err)
	part.Write(content)
	form.Close()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		os.Getenv("E2E_BASE_URL")+"/api/v1/upload", &body)
	must.Do(t, err)
	req.Header.Set("Content-Type", form.FormDataContentType())
	for name, value := range w.headers {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	must.Do(t, err)
	defer resp.Body.Close()
	var answer struct{ Data uploaded }
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil ||
		resp.StatusCode != http.StatusCreated {
		t.Fatalf("upload: %s, %v", resp.Status, err)
	}
	return answer.Data
}

// fetch gets an address without following redirects.
func fetch(t *testing.T, url string, headers map[string]string) (status int, body []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	must.Do(t, err)
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	must.Do(t, err)
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	must.Do(t, err)
	return resp.StatusCode, body
}
