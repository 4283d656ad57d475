package store

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/search"
	"headless/pkg/table"
)

// TestPendingForm encodes and decodes the texts of entries full of anything.
func TestPendingForm(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(21, 22))
	m := oracleModel()
	for range 2000 {
		var title strings.Builder
		for range r.IntN(60) {
			title.WriteRune([]rune{rune(r.IntN(0x80)), rune(r.IntN(0x3000)), rune(r.IntN(0x20000)), ' ', '\n', '\x02', '-', '\''}[r.IntN(8)])
		}
		e := &cms.Entry{ID: "x", Title: title.String(), Locale: pick(r, []string{"en", "de", "ar", "ja", "tr"}), Status: cms.StatusDraft}
		p := &pendingChange{
			Counted: ranked{"a#b", "\x00\n \xff"}, Place: ranked{"a#c", title.String()}, Texts: m.texts(m.space(e), e),
			Stale: []heldText{{Space: "old#1", Stems: "one two"}, {Space: "old#2"}},
		}
		got, err := decodePending(&table.Item{Body: packSeldom(p.encode()), Version: 7})
		if err != nil {
			t.Fatalf("%q: %v", title.String(), err)
		}
		slices.SortFunc(got.Stale, func(a, b heldText) int { return strings.Compare(a.Space, b.Space) })
		p.version = 7
		for i := range p.Texts {
			if len(p.Texts[i].Terms) == 0 {
				p.Texts[i].Terms = nil
			}
		}
		if !reflect.DeepEqual(got, p) {
			t.Fatalf("%q: %+v, want %+v", title.String(), got, p)
		}
		if terms := search.Analyze(e.Title, nil, e.Locale).Terms; len(terms) != len(p.Texts[0].Terms) {
			t.Fatalf("%q: %d terms of %d", title.String(), len(p.Texts[0].Terms), len(terms))
		}
	}
}
