package content

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

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
			Ranked:  fulltext.Ranked{Space: "a#c", Key: title.String()}, Texts: texts(m, m.Space(e), e),
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

// TestPendingIsBounded saves 700 entries while nothing merges behind: the writers themselves keep
// few changes of texts pending.
func TestPendingIsBounded(t *testing.T) {
	t.Parallel()
	const most = 300 // without the writers' merges there would be 700
	s := testStore(t)
	saved := s.withModel(t, oracleModel())
	for n := range 700 {
		tx := s.Begin()
		id := uuid.NewString()
		SaveEntry(tx, saved, nil, &cms.Entry{ID: id, Version: 1, Title: "Word " + id, Slug: "s-" + id,
			Locale: "en", Status: cms.StatusPublished}, cms.Actor{}, cms.EventEntryCreated)
		if err := s.Commit(t.Context(), tx); err != nil {
			t.Fatal(err)
		}
		rows, err := s.Table.Query(t.Context(),
			table.Range{Partition: fulltext.PendingPartition(saved.IndexName())})
		if err != nil || len(rows) > most {
			t.Fatalf("%d changes are pending after %d saves; %v", len(rows), n+1, err)
		}
	}
	hits, _, err := s.Search(t.Context(), saved, TextQuery{Text: "word", Locales: []string{"en"},
		Statuses: []cms.Status{cms.StatusPublished}})
	if err != nil || len(hits) != 700 {
		t.Errorf("%d hits, want 700; %v", len(hits), err)
	}
}
