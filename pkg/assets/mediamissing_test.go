package assets

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"headless/pkg/must"
)

// TestMissing looks at all pages of records, and at the size of each object.
func TestMissing(t *testing.T) {
	w := newMediaWorld(t)
	s := w.start(nil)
	var ids []string
	for i := range missingPage + 2 {
		m, err := s.Upload(t.Context(), mediaActor, textUpload(fmt.Sprint(i, ".txt"), "kept"))
		must.Do(t, err)
		ids = append(ids, m.ID)
	}
	if missing, n, err := s.Missing(t.Context()); err != nil || n != len(ids) || len(missing) != 0 {
		t.Errorf("%d records, %v missing, %v", n, missing, err)
	}
	want := []string{ids[0], ids[len(ids)-1]}
	must.Do(t, w.blobs.Delete(t.Context(), objectKey(want[0])))
	must.Do(t, w.blobs.Put(t.Context(), objectKey(want[1]), strings.NewReader("half"[:2]),
		objectMeta("x", "text/plain", 0)))
	missing, _, err := s.Missing(t.Context())
	slices.Sort(missing)
	slices.Sort(want)
	if err != nil || !slices.Equal(missing, want) {
		t.Errorf("missing %v, want %v, %v", missing, want, err)
	}
}
