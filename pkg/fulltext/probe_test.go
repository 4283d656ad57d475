package fulltext

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"headless/pkg/db"
	"headless/pkg/fulltext/analysis"
	"headless/pkg/table/sim"
)

// TestAllWordsMatchAtAnySize: a common word used to lose the entries that are older than the part
// of its list that a search reads.
func TestAllWordsMatchAtAnySize(t *testing.T) {
	s := NewTexts(db.New(sim.New(sim.Options{}), nil))
	s.maxBlocks = 3
	const space, entries = "m.1#-#published", 2000
	var ids []uuid.UUID
	lists := map[string][]listChange{}
	for n := range entries {
		var id uuid.UUID
		copy(id[:], fmt.Sprintf("%016d", n))
		ids = append(ids, id)
		p := listChange{Posting: Posting{ID: id, Weight: 100, Words: "report"}}
		lists["report"] = append(lists["report"], p)
		if n%500 == 3 {
			p.Words = "zebra"
			lists["zebra"] = append(lists["zebra"], p)
		}
	}
	for stem, changes := range lists {
		for from := 0; from < len(changes); from += 40 { // as merges do, the first block splits
			key := BlockPrefix(space, stem)
			items, err := s.Table.Get(t.Context(), false, key)
			if err != nil {
				t.Fatal(err)
			}
			var w listWrites
			if err := w.apply(t.Context(), s, list{ListName{space, stem}, changes[from:min(from+40, len(changes))]}, items[0]); err != nil {
				t.Fatal(err)
			}
			if err := w.store(t.Context(), s.Table); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, text := range []string{"report zebra", "zebra report"} {
		query := analysis.ParseQuery(text, "en")
		found := SpacePostings{space: space, Locale: "en", total: entries,
			terms: make([]termHits, len(query.Terms))}
		for i, term := range query.Terms {
			term.Prefix = false
			var err error
			if found.terms[i], err = s.termHits(t.Context(), space, term, pendingChanges{}); err != nil {
				t.Fatal(err)
			}
		}
		if len(found.terms[0].hits)+len(found.terms[1].hits) > entries/2 {
			t.Fatal("the list was read whole, so that this shows nothing")
		}
		if err := s.probe(t.Context(), &found, query.Terms, pendingChanges{}); err != nil {
			t.Fatal(err)
		}
		hits := found.Hits([]float64{1, 1})
		if len(hits) != 4 || found.Truncated() || hits[0].ID != ids[3] {
			t.Errorf("%q: %d hits, truncated %v", text, len(hits), found.Truncated())
		}
	}
}
