package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
)

// TestInit writes a site of each template, loads its content into a service and reads it by the
// requests that its pages make.
func TestInit(t *testing.T) {
	for _, test := range []struct{ template, framework, path, include, text, picture string }{
		{"blog", "astro", "/posts/hello", "cover", `<a href="/about">about this blog</a>`, "A hut by the water"},
		{"marketing", "next", "/", "blocks.picture", `<a href="/plans">the plans</a>`, "A red cup"},
	} {
		t.Run(test.template, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "site")
			expect(t, 0, "init", dir, "--template", test.template, "--framework", test.framework)
			expect(t, 1, "init", dir)
			for _, file := range []string{".env", ".gitignore", "README.md", "package.json", "tsconfig.json", "lib/cms.ts"} {
				if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() == 0 {
					t.Errorf("%s: %v", file, err)
				}
			}
			address := serve(t)
			c := use(t, address)
			expect(t, 0, "import", filepath.Join(dir, "content"))
			expect(t, 0, "import", filepath.Join(dir, "content"), "--on-conflict", "fail")
			types := filepath.Join(dir, "lib", "cms.ts")
			shipped, err := os.ReadFile(types)
			must.Do(t, err)
			expect(t, 0, "types", "-o", types)
			if made, err := os.ReadFile(types); err != nil || !bytes.Equal(made, shipped) {
				t.Errorf("the types of the service differ from those of the new site (%v)", err)
			}
			var key struct {
				PublicKey string `json:"public_key"`
			}
			must.Do(t, c.JSON("POST", "/admin/keys", map[string]string{"name": "site", "kind": "publishable"}, &key))
			resp, err := http.Get(address + "/delivery/v1/" + key.PublicKey + "/resolve?richtext=html&images=400&include=" +
				test.include + "&path=" + test.path)
			must.Do(t, err)
			defer resp.Body.Close()
			var found struct {
				Data json.RawMessage
				Meta struct{ Kind string }
			}
			raw, err := io.ReadAll(resp.Body)
			if err == nil {
				err = json.Unmarshal(raw, &found)
			}
			quoted, _ := json.Marshal(test.text) // a text can be encoded
			text := strings.Trim(string(quoted), `"`)
			plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace
			if err != nil || found.Meta.Kind != "entry" || !strings.Contains(plain(string(found.Data)), plain(text)) ||
				!strings.Contains(string(found.Data), test.picture) || !strings.Contains(string(found.Data), " 400w") {
				t.Errorf("the page at %s: %s, %v", test.path, raw, err)
			}
		})
	}
	expect(t, 2, "init", filepath.Join(t.TempDir(), "x"), "--template", "unknown")
	expect(t, 2, "init", filepath.Join(t.TempDir(), "x"), "--framework", "unknown")
}
