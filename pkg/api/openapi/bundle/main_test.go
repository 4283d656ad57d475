package main

import (
	"bytes"
	"os"
	"testing"

	"headless/pkg/must"
)

// TestUpToDate fails when a piece was changed without "go generate".
func TestUpToDate(t *testing.T) {
	for name, folders := range documents {
		want, err := bundle(os.DirFS("../src"), folders...)
		must.Do(t, err)
		got, err := os.ReadFile("../" + name)
		must.Do(t, err)
		if !bytes.Equal(got, want) {
			t.Errorf("%s is stale: run go generate ./pkg/api/openapi", name)
		}
	}
}
