package blobtest

import (
	"slices"
	"testing"

	"headless/pkg/blob"
)

func list(t *testing.T, store blob.Store) {
	all := []string{"mail/1.eml", "media.x", "media/a", "media/a-b", "media/a.b/c", "media/aa/b", "media/b", "z"}
	for _, key := range all {
		put(t, store, key, "x")
	}
	tests := []struct {
		prefix, after string
		want          []string
	}{
		{"", "", all},
		{"media/", "", all[2:7]},
		{"media/a", "", all[2:6]},
		{"media", "", all[1:7]},
		{"media/", "media/a", all[3:7]},
		{"media/", "media/a.b/c", all[5:7]},
		{"media/", "media/b", nil},
		{"media/", "a", all[2:7]},
		{"", "media/a-b", all[4:]},
		{"none/", "", nil},
	}
	for _, test := range tests {
		if got := listKeys(t, store, test.prefix, test.after); !slices.Equal(got, test.want) {
			t.Errorf("List(%q, %q) = %q, want %q", test.prefix, test.after, got, test.want)
		}
	}
	for range store.List(t.Context(), "", "") {
		break // stopping early is allowed
	}
}

func listKeys(t *testing.T, store blob.Store, prefix, after string) []string {
	t.Helper()
	var found []string
	for info, err := range store.List(t.Context(), prefix, after) {
		if err != nil {
			t.Fatalf("List: %v", err)
		}
		if info.Size != 1 || info.Modified.IsZero() {
			t.Errorf("List: %+v", info)
		}
		found = append(found, info.Key)
	}
	return found
}
