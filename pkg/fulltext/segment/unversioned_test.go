package segment

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"headless/pkg/must"
)

// numberedDocs returns documents with the numbers from..to-1 and a version.
func numberedDocs(from, to int, version uint32) (docs []Document) {
	for n := from; n < to; n++ {
		docs = append(docs, Document{Space: "m1.1#en#published", Locale: "en", Index: "m1.1", Version: version,
			ID: [idBytes]byte{byte(n * 31), byte(n >> 8), byte(n), 7}, Terms: []Term{{"word", byte(n), "word words"}},
			Filters: []string{fmt.Sprint("v=", n%3)}})
	}
	return docs
}

// TestUnversioned reads segments of the format before this one, which had no versions: those in testdata, of a page and
// of several, which that format's program built of numberedDocs. It merges them with one of today.
func TestUnversioned(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/unversioned.json")
	must.Do(t, err)
	var all []stored
	must.Do(t, json.Unmarshal(raw, &all))
	if len(all) != 2 || len(all[0]) != 1 || len(all[1]) < 3 {
		t.Fatalf("%d segments", len(all))
	}
	docs := [][]Document{numberedDocs(0, 20, 0), numberedDocs(20, 300, 0), numberedDocs(300, 900, 5)}
	all = append(all, build(t, 2, docs[2]))
	var inputs []Input
	for i, s := range all {
		h := s.header(t, ID(i))
		if got := contents(t, s, h); !slices.Equal(got, expected(docs[i])) {
			t.Errorf("segment %d: %d postings, want %d", i, len(got), len(expected(docs[i])))
		}
		inputs = append(inputs, Input{Header: h, Page: s.page, Gone: func(int) bool { return false }})
	}
	merged := stored{}
	b, _, err := Merge(9, inputs, merged.put)
	if err == nil {
		_, err = b.Finish()
	}
	must.Do(t, err)
	if got := contents(t, merged, merged.header(t, 9)); !slices.Equal(got, expected(slices.Concat(docs...))) {
		t.Errorf("%d postings after a merge", len(got))
	}
}
