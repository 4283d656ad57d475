package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"headless/pkg/must"
)

// kept is the state that the run before an upgrade leaves for the run after it.
type kept struct {
	Key, Secret string
	Path        string // of an entry
	Entry       json.RawMessage
}

// keptFile is its file, below the root of the repository.
var keptFile = filepath.Join("..", "..", ".build", "e2e-kept.json")

// TestContentOutlivesAnUpgrade makes an entry, and finds it intact when it runs again on a new
// version of the stack.
func TestContentOutlivesAnUpgrade(t *testing.T) {
	if !afterUpgrade() {
		leave(t)
		return
	}
	text, err := os.ReadFile(keptFile)
	must.Do(t, err)
	var k kept
	must.Do(t, json.Unmarshal(text, &k))
	got := call(t, "GET", k.Path, nil, map[string]string{"X-API-Key": k.Key, "X-API-Secret": k.Secret})
	if !bytes.Equal(got, k.Entry) {
		t.Errorf("after the upgrade\n got %s\nwant %s", got, k.Entry)
	}
}

// TestUpgradeReplacesTheCode asks each function that answers requests for its version.
func TestUpgradeReplacesTheCode(t *testing.T) {
	if !afterUpgrade() {
		return
	}
	for _, path := range []string{"/api/v1/ping", "/api/v1/search", "/api/v1/forms/x",
		"/api/v1/upload", "/api/v1/x", "/admin/login"} {
		resp, err := http.Get(os.Getenv("E2E_BASE_URL") + path)
		must.Do(t, err)
		resp.Body.Close()
		if got, want := resp.Header.Get("X-Service-Version"), os.Getenv("E2E_AFTER_UPGRADE"); got != want {
			t.Errorf("%s comes from version %q, want %q", path, got, want)
		}
	}
}

func afterUpgrade() bool { return os.Getenv("E2E_AFTER_UPGRADE") != "" }

// leave makes a model, a key and an entry with random names and writes them down.
func leave(t *testing.T) {
	t.Helper()
	admin := signIn(t)
	slug := "kept-" + filepath.Base(t.TempDir())
	call(t, "POST", "/admin/models", map[string]any{
		"slug": slug, "name": "Kept", "kind": "collection",
		"fields": []any{map[string]any{"name": "body", "label": "Body", "type": "text"}},
	}, admin)
	var key struct {
		Public string `json:"public_key"`
		Secret string
	}
	decode(t,
		call(t, "POST", "/admin/keys",
			map[string]any{"name": slug, "scopes": []string{"read", "write"}}, admin), &key)
	k := kept{Key: key.Public, Secret: key.Secret}
	headers := map[string]string{"X-API-Key": k.Key, "X-API-Secret": k.Secret}
	var entry struct{ ID string }
	decode(t,
		call(t, "POST", "/api/v1/"+slug, map[string]any{"title": "Kept", "status": "published",
			"data": map[string]any{"body": "Größe"}}, headers), &entry)
	k.Path = "/api/v1/" + slug + "/" + entry.ID
	k.Entry = call(t, "GET", k.Path, nil, headers)
	text, err := json.Marshal(k)
	must.Do(t, err)
	must.Do(t, os.MkdirAll(filepath.Dir(keptFile), 0o755))
	must.Do(t, os.WriteFile(keptFile, text, 0o600))
}

// signIn gives the headers of a request by the admin.
func signIn(t *testing.T) map[string]string {
	t.Helper()
	var session struct{ Token string }
	decode(t,
		call(t, "POST", "/admin/login",
			map[string]any{"email": adminEmail, "password": adminPassword}, nil), &session)
	return map[string]string{"Authorization": "Bearer " + session.Token}
}

// call sends JSON and returns the data of a successful answer.
func call(t *testing.T, method, path string, body any, headers map[string]string) json.RawMessage {
	t.Helper()
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		must.Do(t, err)
		sent = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), method,
		os.Getenv("E2E_BASE_URL")+path, sent)
	must.Do(t, err)
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	must.Do(t, err)
	defer resp.Body.Close()
	var answer struct{ Data json.RawMessage }
	if resp.StatusCode == http.StatusNoContent {
		return nil
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || resp.StatusCode >= 300 {
		t.Fatalf("%s %s: %s, %v", method, path, resp.Status, err)
	}
	return answer.Data
}

func decode(t *testing.T, text json.RawMessage, into any) {
	t.Helper()
	must.Do(t, json.Unmarshal(text, into))
}
