// Package clients_test holds the service to the tools of its users: linters and generators of
// OpenAPI, and the sites that are built with the packages below.
package clients_test

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"headless/scripts/internal/service"
)

// TestOpenAPI reads the OpenAPI documents of a service, the general one and that of its models,
// with a linter and three generators, and compiles and runs what these make. It needs TOOLS, the
// folder that scripts/tools/openapi.sh installs to.
func TestOpenAPI(t *testing.T) {
	tools := os.Getenv("TOOLS")
	if tools == "" {
		return // make test-openapi
	}
	root := service.Start(t)
	admin := service.SignIn(t, root)
	schema, err := os.ReadFile("../cms/typescript/testdata/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	admin.ApplySchema(schema)
	post := map[string]any{"title": "Hello", "status": "published",
		"data": map[string]any{"kind": "news", "price": 3}}
	admin.Do("POST", "/admin/models/posts/entries", post, nil)
	key := admin.MakeKey(map[string]any{"name": "reader", "scopes": []string{"read"}})

	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	// The program is of another module, so it has no name of Go's before.
	if err := os.Rename(filepath.Join(dir, "go", "main.go.txt"), filepath.Join(dir, "go", "main.go")); err != nil {
		t.Fatal(err)
	}
	bin, python := filepath.Join(tools, "openapi", "node_modules", ".bin"),
		filepath.Join(tools, "openapi-python", "bin")
	env := append(os.Environ(),
		"CMS_URL="+root+"/api/v1", "CMS_KEY="+key.PublicKey, "CMS_SECRET="+key.Secret,
		"GOFLAGS=-mod=mod", "GOWORK=off",
		"PATH="+python+string(os.PathListSeparator)+os.Getenv("PATH"))
	command := func(folder, name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = filepath.Join(dir, folder), env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s %v: %v\n%s", name, args, err, out)
		}
	}
	for name, key := range map[string]service.Key{"general": {}, "live": key} {
		file := filepath.Join(dir, name+".json")
		download(t, root+"/api/v1/openapi.json", key, file)
		absoluteServers(t, file)
		command(".", filepath.Join(bin, "redocly"), "lint", "--max-problems", "20", file)
		command(".", filepath.Join(bin, "openapi-typescript"), file, "-o",
			filepath.Join("typescript", name+".ts"))
		command("go", "go", "tool", "oapi-codegen", "-generate", "types,client", "-package", name,
			"-o", name+"/api.go", file)
		command("python", filepath.Join(python, "openapi-python-client"), "generate", "--path",
			file, "--output-path", name,
			"--meta", "none", "--fail-on-warning")
	}
	if t.Failed() {
		return
	}
	command("typescript", filepath.Join(bin, "tsc"), "--noEmit", "--strict", "--target", "es2022",
		"--module", "nodenext", "use.ts")
	command("go", "go", "run", ".")
	command("python", filepath.Join(python, "python"), "use.py")
}

// download keeps what an address answers, for a key or for nobody.
func download(t *testing.T, address string, key service.Key, file string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if key.PublicKey != "" {
		req.Header.Set("X-API-Key", key.PublicKey)
		req.Header.Set("X-API-Secret", key.Secret)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v", address, resp.Status, err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// absoluteServers validates a document, with its examples against their schemas, and looks for
// servers that a generated client could not reach.
func absoluteServers(t *testing.T, file string) {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	for _, server := range doc.Servers {
		req, err := http.NewRequest(http.MethodGet, server.URL, nil)
		if err != nil || req.URL.Host == "" {
			t.Errorf("the server %q is not absolute", server.URL)
		}
	}
}
