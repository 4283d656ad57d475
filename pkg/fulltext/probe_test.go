package fulltext

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"headless/pkg/db"
	"headless/pkg/table"
	"headless/pkg/table/sim"
)

const testSpace = "m.1#-#published"

// testLists is a text index with lists that merges have written.
type testLists struct {
	*Texts
	counting *table.Counting
	lists    map[string][]listChange
}

func newTestLists() *testLists {
	counting := table.NewCounting(sim.New(sim.Options{}))
	return &testLists{NewTexts(db.New(counting, nil)), counting, map[string][]listChange{}}
}

// testID is the id of the n-th entry.
func testID(n int) (id uuid.UUID) {
	copy(id[:], fmt.Sprintf("%016d", n))
	return id
}

// add adds an entry to the list of a word.
func (l *testLists) add(word string, n int) {
	l.lists[word] = append(l.lists[word], listChange{Posting: Posting{ID: testID(n), Weight: 100, Words: word}})
}

// merge writes the lists as merges do: the first block splits.
func (l *testLists) merge(t *testing.T) {
	t.Helper()
	for stem, changes := range l.lists {
		for from := 0; from < len(changes); from += 40 {
			items, err := l.Table.Get(t.Context(), false, BlockPrefix(testSpace, stem))
			if err != nil {
				t.Fatal(err)
			}
			var w listWrites
			if err := w.apply(t.Context(), l.Texts, list{ListName{testSpace, stem}, changes[from:min(from+40, len(changes))]}, items[0]); err != nil {
				t.Fatal(err)
			}
			if err := w.store(t.Context(), l.Table); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// search returns the entries that match a text, and whether there may be more. It expects a search
// to stay within its budget.
func (l *testLists) search(t *testing.T, text string) (hits []uuid.UUID, truncated bool) {
	t.Helper()
	b, err := NewBudget(text, 1)
	if err != nil {
		t.Fatal(err)
	}
	l.counting.Reset()
	found, err := l.Search(t.Context(), "m", []TextSpace{{Texts: testSpace, Entries: testSpace, Locale: "en"}}, text, b)
	if err != nil {
		t.Fatal(err)
	}
	if used := l.counting.Snapshot().ReadUnits; used > 460 {
		t.Errorf("%q reads %.0f units", text, used)
	}
	weights := make([]float64, len(found[0].terms))
	for _, h := range found[0].Hits(weights) {
		hits = append(hits, h.ID)
	}
	return hits, found[0].Truncated()
}

// TestAllWordsMatchAtAnySize: a common word used to lose the entries that are older than the part
// of its list that a search reads. Each of the asked words is followed by another one, so that none
// is a prefix.
func TestAllWordsMatchAtAnySize(t *testing.T) {
	l := newTestLists()
	const entries = 100_000
	for n := range entries {
		l.add("report", n)
		l.add("cloud", n)
		if n%(entries/100) == 3 {
			l.add("zebra", n)
		}
	}
	l.merge(t)
	for _, text := range []string{"report zebra cloud.", "zebra report cloud.", "cloud report zebra."} {
		hits, truncated := l.search(t, text)
		if len(hits) != 100 || truncated || hits[0] != testID(3) {
			t.Errorf("%q: %d hits, truncated %v", text, len(hits), truncated)
		}
	}
	// Nobody can tell here how many entries have both words, so the newest ones are found.
	hits, truncated := l.search(t, "report cloud.")
	if len(hits) < 10_000 || !truncated || hits[len(hits)-1] != testID(entries-1) {
		t.Errorf("two common words: %d hits, truncated %v", len(hits), truncated)
	}
}

// TestSearchesAreBounded: forty common words used to read forty lists whole.
func TestSearchesAreBounded(t *testing.T) {
	l := newTestLists()
	r := rand.New(rand.NewPCG(5, 6))
	var words []string
	for w := range 40 {
		words = append(words, fmt.Sprintf("word%c%cx", 'a'+w/26, 'a'+w%26))
	}
	for n := range 4000 {
		for _, word := range words {
			if r.IntN(10) > 0 {
				l.add(word, n)
			}
		}
	}
	l.merge(t)
	for _, n := range []int{1, 2, 3, 10, 39} {
		text := strings.Join(words[:n], " ") + "."
		if hits, truncated := l.search(t, text); !truncated && n > 10 {
			t.Errorf("%d words: %d hits, and none may be missing", n, len(hits))
		}
	}
	if _, err := NewBudget(strings.Join(words, " "), 9); err == nil {
		t.Error("forty words in nine spaces are searched")
	}
}

// TestWordsInManySpaces: one word in more spaces than the budget has units used to be refused, and
// in some fewer its entries were missing.
func TestWordsInManySpaces(t *testing.T) {
	l := newTestLists()
	for n := range 40 {
		l.add("zebra", n)
		l.add("report", n)
	}
	l.merge(t)
	for _, n := range []int{100, 150, 300, 400, 1000} {
		for text, terms := range map[string]int{"zebra": 1, "zebra report": 2, "report zebra unknown.": 3} {
			b, err := NewBudget(text, n)
			if err != nil {
				t.Fatal(err)
			}
			spaces := []TextSpace{{Texts: testSpace, Entries: testSpace, Locale: "en"}}
			for i := range n - 1 {
				name := fmt.Sprintf("empty.%d#-#published", i)
				spaces = append(spaces, TextSpace{Texts: name, Entries: name, Locale: "en"})
			}
			slices.Reverse(spaces)
			found, err := l.Search(t.Context(), "m", spaces, text, b)
			if err != nil {
				t.Fatal(err)
			}
			want := 40
			if terms == 3 {
				want = 0
			}
			got := 0
			for i := range found {
				got += len(found[i].Hits(make([]float64, terms)))
				if found[i].Truncated() {
					t.Errorf("%q in %d spaces: %s has more", text, n, found[i].space)
				}
			}
			if got != want {
				t.Errorf("%q in %d spaces: %d entries, want %d", text, n, got, want)
			}
		}
	}
}
