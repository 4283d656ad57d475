package main

import (
	"bytes"
	"os"
	"testing"
)

// TestUpToDate fails when a piece was changed without "go generate".
func TestUpToDate(t *testing.T) {
	for name, folders := range documents {
		want, err := bundle(os.DirFS("../src"), folders...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile("../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is stale: run go generate ./pkg/api/openapi", name)
		}
	}
}
