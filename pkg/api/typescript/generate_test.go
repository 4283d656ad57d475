package typescript

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
)

// compilers are the newest TypeScript and the version before, as scripts/tools/node.sh names them.
var compilers = []string{"typescript", "typescript-before"}

func generate(t *testing.T) []byte {
	t.Helper()
	schema, err := os.ReadFile("testdata/schema.json")
	must.Do(t, err)
	file, err := OfSchema(schema)
	must.Do(t, err)
	return file
}

// TestGenerate compares the file of a schema with every type of field with testdata/types.ts; with
// UPDATE=1 it writes it.
func TestGenerate(t *testing.T) {
	const golden = "testdata/types.ts"
	file := generate(t)
	if os.Getenv("UPDATE") != "" {
		must.Do(t, os.WriteFile(golden, file, 0o644))
	}
	want, err := os.ReadFile(golden)
	must.Do(t, err)
	if !bytes.Equal(file, want) {
		t.Errorf("the file differs from %s: run UPDATE=1 go test ./pkg/api/typescript", golden)
	}
}

// TestGenerateNothing makes a file for a site without models.
func TestGenerateNothing(t *testing.T) {
	file, err := OfSchema([]byte(`{"models": []}`))
	if err != nil || !bytes.Contains(file, []byte("export interface Models {\n}")) {
		t.Errorf("%s, %v", file, err)
	}
	byHand := []byte(`{"models": [{"slug": "posts", "fields": []}, {"slug": "old", "is_active": false}]}`)
	if file, err = OfSchema(byHand); err != nil || !bytes.Contains(file, []byte("interface PostsEntry")) ||
		bytes.Contains(file, []byte("interface OldEntry")) {
		t.Errorf("a schema that was written by hand: %v", err)
	}
	if _, err := OfSchema([]byte("[")); err == nil {
		t.Error("a schema that is not JSON was taken")
	}
}

// TestTypes type-checks testdata/use.ts, which names what must compile and what must not. It needs
// NODE_TOOLS, the folder that scripts/tools/node.sh installs to.
func TestTypes(t *testing.T) {
	tools := os.Getenv("NODE_TOOLS")
	if tools == "" {
		return // make test-types
	}
	generate(t)
	for _, compiler := range compilers {
		args := []string{
			filepath.Join(tools, "node_modules", compiler, "bin", "tsc"), "--noEmit", "--strict",
			"--exactOptionalPropertyTypes",
			"--noUncheckedIndexedAccess", "--noUnusedLocals", "--erasableSyntaxOnly", "--target",
			"es2022", "--module", "nodenext",
			"--noUnusedParameters", "testdata/use.ts",
		}
		if out, err := exec.Command("node", args...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", compiler, err, strings.TrimSpace(string(out)))
		}
	}
}
