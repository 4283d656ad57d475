package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"headless/pkg/must"
	"headless/scripts/internal/emulator"
	"headless/scripts/internal/nextformat"
	"headless/scripts/internal/service"
)

// TestFormats deploys a version of another format over a stack with content, a newer one and then
// an older one: each refuses everything, and the former version goes on after it. `make
// test-localstack-formats` runs it.
func TestFormats(t *testing.T) {
	if os.Getenv("OPERATIONS") == "" {
		t.Skip("OPERATIONS=1 runs it, which takes some minutes")
	}
	t.Chdir("../..")
	host, err := startHost(t.Context())
	must.Do(t, err)
	t.Cleanup(host.Stop)
	now, later := os.Getenv("GOFLAGS"), nextformat.Flags(t, nextformat.Later)
	t.Run("newer over older", func(t *testing.T) {
		newDeployed(t, host, "formats-up").replaced(now, later, nextformat.NewerRefuses)
	})
	t.Run("older over newer", func(t *testing.T) {
		newDeployed(t, host, "formats-down").replaced(later, now, nextformat.OlderRefuses(nextformat.Later))
	})
}

// deployed is a stack in a test.
type deployed struct {
	t *testing.T
	stack
	headers map[string]string // of requests to the API
}

func newDeployed(t *testing.T, host *emulator.Emulator, name string) *deployed {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must.Do(t, err)
	d := &deployed{t: t, stack: stack{name: name, endpoint: host.URL,
		address: "http://" + listener.Addr().String()}}
	server := &http.Server{Handler: d.proxy(), ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	return d
}

// put deploys the version that these flags build.
func (d *deployed) put(flags string) {
	d.t.Helper()
	d.t.Setenv("GOFLAGS", flags)
	must.Do(d.t, d.deploy(d.t.Context(), "", nil))
}

// replaced fills a stack of one version, deploys another over it, and the first one again.
func (d *deployed) replaced(first, other, refusal string) {
	d.t.Helper()
	d.put(first)
	at := d.fill()
	status, before := d.ask("GET", at, "")
	if status != 200 {
		d.t.Fatalf("the entry is %d %s", status, before)
	}
	d.put(other)
	for _, r := range [][3]string{{"GET", at}, {"GET", "/api/v1/posts"}, {"DELETE", at},
		{"PUT", at, `{"title": "Lost"}`}, {"POST", "/api/v1/posts", `{"title": "Lost"}`},
		{"GET", "/api/v1/settings"}, {"GET", "/api/v1/search?q=kept"},
		{"POST", "/admin/login", `{"email": "root@example.com", "password": "a long enough password"}`}} {
		if status, answer := d.ask(r[0], r[1], r[2]); status != 503 || !strings.Contains(answer, refusal) {
			d.t.Errorf("%s %s: %d %s", r[0], r[1], status, answer)
		}
	}
	d.put(first)
	if status, after := d.ask("GET", at, ""); status != 200 || after != before {
		d.t.Errorf("the entry is %d %s, was %s", status, after, before)
	}
	if status, answer := d.ask("PUT", at, `{"title": "Changed"}`); status != 200 {
		d.t.Errorf("a change: %d %s", status, answer)
	}
	if status, list := d.ask("GET", "/api/v1/posts", ""); status != 200 || strings.Contains(list, "Lost") {
		d.t.Errorf("the list is %d %s", status, list)
	}
}

// fill makes the first user, a model, a key and an entry, of which it returns the path.
func (d *deployed) fill() string {
	d.t.Helper()
	outputs, err := d.outputs(d.t.Context())
	must.Do(d.t, err)
	create := exec.Command("go", "run", "./scripts/cms", "users", "create", service.Email)
	create.Env = append(os.Environ(), "ADMIN_PASSWORD="+service.Password)
	for name, value := range d.variables(outputs) {
		create.Env = append(create.Env, name+"="+value)
	}
	if text, err := create.CombinedOutput(); err != nil {
		d.t.Fatalf("%v: %s", err, text)
	}
	admin := service.SignIn(d.t, d.address)
	admin.Do("POST", "/admin/models", map[string]any{"slug": "posts", "name": "Posts",
		"fields": []any{map[string]any{"name": "body", "label": "Body", "type": "textarea"}}}, nil)
	key := admin.MakeKey(map[string]any{"name": "traffic", "scopes": []string{"read", "write", "delete"}})
	d.headers = map[string]string{"X-API-Key": key.PublicKey, "X-API-Secret": key.Secret}
	status, answer := d.ask("POST", "/api/v1/posts",
		`{"title": "Kept", "status": "published", "data": {"body": "Größe"}}`)
	var made struct{ Data struct{ ID string } }
	if err := json.Unmarshal([]byte(answer), &made); err != nil || status != 201 {
		d.t.Fatalf("%d %s", status, answer)
	}
	return fmt.Sprint("/api/v1/posts/", made.Data.ID)
}

// ask makes a request and returns the answer.
func (d *deployed) ask(method, path, body string) (status int, answer string) {
	d.t.Helper()
	req, err := http.NewRequest(method, d.address+path, strings.NewReader(body))
	must.Do(d.t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	for name, value := range d.headers {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	must.Do(d.t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	must.Do(d.t, err)
	return resp.StatusCode, string(text)
}
