package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"

	"headless/scripts/internal/template"
)

// build builds the functions as `sam build` does (make build-<LogicalId> in the folder of each), for this machine's processor,
// and returns their folders by id.
func build(ctx context.Context, functions []template.Function, into string) (map[string]string, error) {
	out := map[string]string{}
	for _, f := range functions {
		dir, err := filepath.Abs(filepath.Join(into, f.ID))
		if err != nil {
			return nil, err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
		cmd := exec.CommandContext(ctx, "make", "-s", "-C", f.CodeURI, "build-"+f.ID)
		cmd.Env = append(os.Environ(), "ARTIFACTS_DIR="+dir, "ARCH="+goruntime.GOARCH)
		if text, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("building %s: %w\n%s", f.ID, err, text)
		}
		out[f.ID] = dir
	}
	return out, nil
}
