package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"headless/pkg/must"
	"headless/scripts/internal/service"
)

const typesSchema = "../../pkg/api/typescript/testdata/schema.json"

// TestTypes writes the types of a service that has the schema of the golden file.
func TestTypes(t *testing.T) {
	use(t, serve(t))
	expect(t, 0, "schema", "apply", typesSchema)
	out := filepath.Join(t.TempDir(), "cms.ts")
	expect(t, 2, "types", "--watch")
	expect(t, 0, "types", "-o", out)
	expect(t, 0, "types")
	got, err := os.ReadFile(out)
	must.Do(t, err)
	want, err := os.ReadFile("../../pkg/api/typescript/testdata/types.ts")
	must.Do(t, err)
	if !bytes.Equal(got, want) {
		t.Error("the types of a live service differ from those of its schema")
	}
}

// TestWatchTypes writes the file again after a change of the models.
func TestWatchTypes(t *testing.T) {
	c := use(t, serve(t))
	out := filepath.Join(t.TempDir(), "cms.ts")
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	done := make(chan error, 1)
	go func() { done <- watchTypes(ctx, c, out, 20*time.Millisecond) }()
	holds := func(text string) {
		t.Helper()
		for ctx.Err() == nil {
			if file, err := os.ReadFile(out); err == nil && bytes.Contains(file, []byte(text)) {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatalf("the file never holds %q", text)
	}
	holds("export class Client")
	body := map[string]any{"slug": "news", "name": "News", "fields": []any{}}
	must.Do(t, c.JSON("POST", "/admin/models", body, nil))
	holds("interface NewsEntry")
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestClient compiles the client for a service and runs it there with Node.js. It needs NODE_TOOLS,
// the folder that scripts/tools/node.sh installs to.
func TestClient(t *testing.T) {
	tools := os.Getenv("NODE_TOOLS")
	if tools == "" {
		return // make test-types
	}
	address := serve(t)
	use(t, address)
	expect(t, 0, "schema", "apply", typesSchema)
	dir := t.TempDir()
	expect(t, 0, "types", "-o", filepath.Join(dir, "types.ts"))
	script, err := os.ReadFile("testdata/run.ts")
	must.Do(t, err)
	for name, text := range map[string][]byte{"run.ts": script, "package.json": []byte(`{"type":"module"}`)} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	admin := service.SignIn(t, address)
	secret := admin.MakeKey(map[string]any{"name": "server", "scopes": []string{"read", "write", "delete"}})
	public := admin.MakeKey(map[string]any{"name": "browser", "kind": "publishable"})
	env := append(os.Environ(), "CMS_URL="+address, "KEY="+secret.PublicKey,
		"SECRET="+secret.Secret, "PUBLIC_KEY="+public.PublicKey, "TOKEN="+admin.Token)
	tsc := filepath.Join(tools, "node_modules", "typescript", "bin", "tsc")
	for _, args := range [][]string{{tsc, "--strict", "--target", "es2022", "--module", "nodenext",
		"run.ts"}, {"run.js"}} {
		cmd := exec.Command("node", args...)
		cmd.Dir, cmd.Env = dir, env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("node %v: %v\n%s", args, err, out)
		}
	}
}
