package main

import (
	"slices"
	"testing"
)

func TestEnvironment(t *testing.T) {
	outputs := map[string]string{"ApiUrl": "https://api", "TableName": "t", "MediaBucketName": "b",
		"DeliveryUrl": "https://cdn"}
	for url, want := range map[string][]string{
		"": {"E2E_TARGET=deployed", "E2E_EDGE_URL=https://cdn", "E2E_BASE_URL=https://api", "TABLE_NAME=t", "MEDIA_BUCKET=b"},
		"https://here": {"E2E_TARGET=deployed", "E2E_EDGE_URL=https://cdn", "E2E_BASE_URL=https://here", "TABLE_NAME=t",
			"MEDIA_BUCKET=b"},
	} {
		if got, err := environment(outputs, url); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	if _, err := environment(map[string]string{"ApiUrl": "https://api"}, ""); err == nil {
		t.Error("a stack of something else is taken")
	}
}
