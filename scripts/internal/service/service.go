// Package service runs an embedded service with an empty site, for tests of programs that use a
// service.
package service

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"headless/pkg/app"
	"headless/pkg/app/embedded"
	"headless/pkg/must"
)

// The first admin of every service.
const (
	Email    = "root@example.com"
	Password = "a long enough password"
)

// Start runs a service until the test ends and returns its URL.
func Start(t *testing.T) string { return start(t, "none") }

// StartDemo runs a service with the demo content.
func StartDemo(t *testing.T) string { return start(t, "demo") }

func start(t *testing.T, seed string) string {
	t.Helper()
	cfg, err := app.FromEnv(func(string) string { return "" })
	must.Do(t, err)
	cfg.DataDir, cfg.Seed, cfg.AdminEmail, cfg.AdminPassword, cfg.LogLevel = t.TempDir(), seed,
		Email, Password, 8
	cfg.WebhookAllowInsecure, cfg.PasswordMemory = true, 64
	hs := httptest.NewUnstartedServer(nil)
	cfg.SiteURL = "http://" + hs.Listener.Addr().String()
	cfg.MediaBaseURL = cfg.SiteURL + "/media"
	server, err := embedded.New(cfg, cfg.Logger())
	must.Do(t, err)
	hs.Config.Handler = server
	hs.Start()
	t.Cleanup(func() {
		hs.CloseClientConnections() // Close waits for requests, and a listener's lasts 25 s
		hs.Close()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return cfg.SiteURL
}

// Admin makes requests to a service as its first admin.
type Admin struct {
	t     *testing.T
	root  string
	Token string // of the session
}

// SignIn signs the first admin in.
func SignIn(t *testing.T, root string) *Admin {
	t.Helper()
	return SignInAs(t, root, Email, Password)
}

// SignInAs signs an admin of any service in.
func SignInAs(t *testing.T, root, email, password string) *Admin {
	t.Helper()
	a := &Admin{t: t, root: root}
	var in struct{ Token string }
	a.Do("POST", "/admin/login", map[string]string{"email": email, "password": password}, &in)
	a.Token = in.Token
	return a
}

// Do sends a body (nil for none) and decodes the data of the response. The test fails if the
// service refuses the request.
func (a *Admin) Do(method, path string, body, into any) {
	a.t.Helper()
	var raw []byte
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			a.t.Fatal(err)
		}
	}
	req, err := http.NewRequestWithContext(a.t.Context(), method, a.root+path, bytes.NewReader(raw))
	must.Do(a.t, err)
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Content-Type", "application/json")
	if a.Token != "" {
		req.Header.Set("Authorization", "Bearer "+a.Token)
	}
	resp, err := http.DefaultClient.Do(req)
	must.Do(a.t, err)
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNoContent {
		return
	}
	var answer struct{ Data, Error json.RawMessage }
	must.Do(a.t, json.NewDecoder(resp.Body).Decode(&answer))
	if resp.StatusCode >= 300 {
		a.t.Fatalf("%s %s: %s %s", method, path, resp.Status, answer.Error)
	}
	if into != nil {
		must.Do(a.t, json.Unmarshal(answer.Data, into))
	}
}

// Key is an API key.
type Key struct {
	PublicKey string `json:"public_key"`
	Secret    string `json:"secret"`
}

// MakeKey creates an API key.
func (a *Admin) MakeKey(body map[string]any) (key Key) {
	a.t.Helper()
	a.Do("POST", "/admin/keys", body, &key)
	return key
}

// ApplySchema plans a schema and applies it.
func (a *Admin) ApplySchema(schema json.RawMessage) {
	a.t.Helper()
	var plan struct {
		ID string `json:"plan_id"`
	}
	a.Do("POST", "/admin/schema/plan", map[string]any{"schema": schema}, &plan)
	a.Do("POST", "/admin/schema/apply", map[string]any{"schema": schema, "plan_id": plan.ID}, nil)
}
