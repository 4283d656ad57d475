package content

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/fulltext"
	"headless/pkg/fulltext/analysis"
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
			title.WriteRune([]rune{rune(r.IntN(0x80)), rune(r.IntN(0x3000)), rune(r.IntN(0x20000)),
				' ', '\n', '\x02', '-', '\''}[r.IntN(8)])
		}
		e := &cms.Entry{ID: "x", Title: title.String(),
			Locale: pick(r, []string{"en", "de", "ar", "ja", "tr"}), Status: cms.StatusDraft}
		p := &fulltext.PendingChange{
			Counted: fulltext.Ranked{Space: "a#b", Key: "\x00\n \xff"},
			Place:   fulltext.Ranked{Space: "a#c", Key: title.String()}, Texts: texts(m, m.Space(e), e),
			Stale: []fulltext.HeldText{{Space: "old#1", Stems: "one two"}, {Space: "old#2"}},
		}
		got, err := fulltext.DecodePending(&table.Item{Body: db.PackSeldom(p.Encode()), Version: 7})
		if err != nil {
			t.Fatalf("%q: %v", title.String(), err)
		}
		slices.SortFunc(got.Stale,
			func(a, b fulltext.HeldText) int { return strings.Compare(a.Space, b.Space) })
		p.Version = 7
		for i := range p.Texts {
			if len(p.Texts[i].Terms) == 0 {
				p.Texts[i].Terms = nil
			}
		}
		if !reflect.DeepEqual(got, p) {
			t.Fatalf("%q: %+v, want %+v", title.String(), got, p)
		}
		if terms := analysis.Analyze(analysis.Text{Title: e.Title}, e.Locale).Terms; len(terms) != len(p.Texts[0].Terms) {
			t.Fatalf("%q: %d terms of %d", title.String(), len(p.Texts[0].Terms), len(terms))
		}
	}
}
