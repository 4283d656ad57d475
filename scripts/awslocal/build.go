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

// build builds the functions with the flags of `sam build`, for this machine's processor, into a
// folder for each by its id.
func build(ctx context.Context, functions []template.Function, into string) error {
	all := filepath.Join(into, "all")
	cmd := exec.CommandContext(ctx, "make", "-s", "-C", "functions", "-f", "build.mk", "all")
	cmd.Env = append(os.Environ(), "ARTIFACTS_DIR="+all, "ARCH="+goruntime.GOARCH)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the functions: %v\n%s", err,
			text) // not %w: awslocal exits with the status of its command only
	}
	for _, f := range functions {
		dir := filepath.Join(into, f.ID)
		built := filepath.Join(all, filepath.Base(f.CodeURI))
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		if err := os.Rename(built, dir); err != nil {
			return err
		}
	}
	return os.RemoveAll(all)
}
