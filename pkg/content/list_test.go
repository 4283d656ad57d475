package content

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/collation"
	"headless/pkg/db"
	"headless/pkg/fulltext/analysis"
	"headless/pkg/fulltext/searchable"
	"headless/pkg/index"
	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

// The oracle test keeps a plain list of entries beside the store and compares the answers of
// thousands of random queries.

func testStore(t testing.TB) *Store {
	t.Helper()
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	t.Cleanup(func() { _ = tb.Close() })
	return opened(tb)
}

// withModel stores a model and the locale en, as a site has them, and returns the model as stored.
func (s *Store) withModel(t *testing.T, m *site.Model) *site.Model {
	t.Helper()
	tx := s.Begin()
	now, err := s.Site(t.Context())
	must.Do(t, err)
	site.PutLocales(tx, now, cms.Locale{Code: "en", IsDefault: true, IsActive: true})
	site.PutModel(tx, now, "", *m)
	must.Do(t, s.Commit(t.Context(), tx))
	if now, err = s.Site(t.Context()); err != nil {
		t.Fatal(err)
	}
	return now.ModelByID(m.ID)
}

func opened(t table.Table) *Store { return New(t, time.Now) }

// searched returns all hits of a search in one model.
func searched(ctx context.Context, t *testing.T, s *Store, m *site.Model, q TextQuery) []index.Hit {
	t.Helper()
	found, err := s.Search(ctx, []*site.Model{m}, q)
	must.Do(t, err)
	hits, err := found.All(ctx)
	must.Do(t, err)
	if hits == nil {
		hits = []index.Hit{}
	}
	return hits
}

func oracleModel() *site.Model {
	return &site.Model{Gen: 1, Model: cms.Model{ID: uuid.NewString(), Slug: "things",
		Kind: cms.KindCollection, Localized: true, IsActive: true, MaxPerPage: 100,
		Indexes: [][]string{{"data.color", "data.flag"}},
		Fields: []cms.Field{
			{Name: "color", Type: cms.TypeSelect, Options: []string{"red", "green", "blue"}},
			{Name: "flag", Type: cms.TypeBoolean},
			{Name: "size", Type: cms.TypeNumber},
			{Name: "word", Type: cms.TypeText, Searchable: true},
			{Name: "tags", Type: cms.TypeMultiSelect, Options: []string{"a", "b", "c", "d", "e",
				"f", "g", "h"}},
			{Name: "day", Type: cms.TypeDate},
			{Name: "note", Type: cms.TypeTextarea},
			{Name: "extra", Type: cms.TypeJSON},
			{Name: "place", Type: cms.TypeGroup, Fields: []cms.Field{{Name: "city", Type: cms.TypeText}}},
		}}}
}

var oracleWords = []string{"apple", "Apple", "Äpfel", "zebra", "", "éclair", "eclair", "10", "9",
	"Straße", "strasse", "日本"}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func randomEntry(r *rand.Rand, e *cms.Entry) {
	e.Title = fmt.Sprintf("%s %d", pick(r, oracleWords), r.IntN(4))
	e.Status = pick(r, cms.Statuses)
	e.Locale = pick(r, []string{"en", "de"})
	e.Data = map[string]any{}
	maybe := func(name string, v any) {
		if r.IntN(4) > 0 {
			e.Data[name] = v
		}
	}
	maybe("color", pick(r, []string{"red", "red", "red", "green", "blue"}))
	maybe("flag", r.IntN(2) == 0)
	maybe("size",
		json.Number(pick(r, []string{"0", "-1.5", "1e2", "100", "99.99", "-3", "7",
			"123456789012345678901"})))
	maybe("word", pick(r, oracleWords))
	maybe("note", pick(r, oracleWords))
	maybe("day", pick(r, []string{"2026-01-01", "2025-12-31", "1969-07-20"}))
	maybe("extra", map[string]any{"k": pick(r, []any{json.Number("1"), "1", true})})
	maybe("place", map[string]any{"city": pick(r, oracleWords)})
	tags := []any{}
	for _, tag := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		if r.IntN(3) == 0 {
			tags = append(tags, tag)
		}
	}
	maybe("tags", tags)
}

func randomFilter(r *rand.Rand) query.Filter {
	f := query.Filter{Op: query.OpEq}
	switch r.IntN(9) {
	case 0:
		f.Path, f.Values = "data.color", []string{pick(r, []string{"red", "green", "pink"})}
	case 1:
		f.Path, f.Values = "data.flag", []string{pick(r, []string{"true", "false"})}
		f.Op = pick(r, []query.Op{query.OpEq, query.OpEq, query.OpLt, query.OpGte, query.OpNe,
			query.OpGt, query.OpLte})
	case 2:
		f.Path, f.Values = "data.size", []string{pick(r, []string{"100", "-1.5", "7.0"})}
		f.Op = pick(r, []query.Op{query.OpEq, query.OpLt, query.OpGte, query.OpNe, query.OpGt, query.OpLte})
	case 3:
		f.Path, f.Values = "data.word", []string{pick(r, oracleWords)}
		f.Op = pick(r, []query.Op{query.OpEq, query.OpLt, query.OpGte, query.OpContains, query.OpStartsWith})
	case 4:
		f.Path, f.Values, f.Op = "data.tags", []string{"a", "b"}, pick(r, []query.Op{query.OpIn, query.OpNin})
	case 5:
		f.Path, f.Values, f.Op = "data.day", []string{"true"}, query.OpNull
	case 6:
		f.Path, f.Values = "data.extra.k", []string{"1"}
	case 7:
		f.Path, f.Values = "data.place.city", []string{pick(r, oracleWords)}
	case 8:
		f.Path, f.Values, f.Op = "title", []string{"apple 1", "Apple 1", "zebra 2"}, query.OpIn
	}
	return f
}

func randomSort(r *rand.Rand) []query.SortField {
	var sort []query.SortField
	for range r.IntN(4) {
		path := pick(r, []string{"title", "data.size", "data.word", "data.flag", "data.day",
			"status", "locale", "updated_at", "data.note", "data.place.city"})
		if !slices.ContainsFunc(sort, func(f query.SortField) bool { return f.Path == path }) {
			sort = append(sort, query.SortField{Path: path, Desc: r.IntN(2) == 0})
		}
	}
	return sort
}

// oracle answers a query by looking at every entry.
func oracle(m *site.Model, all map[string]*cms.Entry, locales []string, statuses []cms.Status,
	q index.ListQuery) []*cms.Entry {
	listed := m.Listed()
	compare := rememberingCompare()
	var list []*cms.Entry
	for _, e := range all {
		ok := slices.Contains(locales, e.Locale) && slices.Contains(statuses, e.Status)
		for _, f := range q.Filters {
			ok = ok && f.Match(&m.Model, e, compare)
		}
		if ok {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b *cms.Entry) int {
		for _, f := range q.Sort {
			if c := query.Compare(query.SortValue(&m.Model, a, f.Path), query.SortValue(&m.Model, b, f.Path), compare); c != 0 {
				if f.Desc {
					return -c
				}
				return c
			}
		}
		c := 0
		for _, f := range query.SortOrder(listed) {
			if c = query.Compare(query.SortValue(listed, a, f.Path), query.SortValue(listed, b, f.Path), compare); c != 0 {
				if f.Desc {
					c = -c
				}
				break
			}
		}
		if c == 0 {
			c = strings.Compare(a.ID, b.ID)
		}
		if len(q.Sort) > 0 && q.Sort[0].Desc {
			return -c
		}
		return c
	})
	return list
}

// rememberingCompare is CompareText that computes the key of each text once.
func rememberingCompare() func(a, b string) int {
	keys := map[string][]byte{}
	key := func(s string) []byte {
		if keys[s] == nil {
			keys[s] = collation.Key(s)
		}
		return keys[s]
	}
	return func(a, b string) int { return bytes.Compare(key(a), key(b)) }
}

// oracleMatches is what a search must find, by looking at the texts alone.
func oracleMatches(m *cms.Model, e *cms.Entry, text string) bool {
	doc := analysis.Analyze(searchable.Text(m, e), e.Locale)
	_, ok := analysis.ParseQuery(text, e.Locale).Matches(doc, 100,
		func(analysis.QueryTerm) int64 { return 1 })
	return ok
}

func byID(list []*cms.Entry) map[string]*cms.Entry {
	all := map[string]*cms.Entry{}
	for _, e := range list {
		all[e.ID] = e
	}
	return all
}

func TestListAgainstOracle(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := rand.New(rand.NewPCG(1, 2))
	s, m := testStore(t), oracleModel()
	all := map[string]*cms.Entry{}
	for round := range 6 {
		for range 60 {
			writeRandom(t, s, m, r, all)
		}
		for i := range 50 {
			checkRandom(ctx, t, s, m, r, all)
			if i != 25 {
				continue
			}
			if _, err := s.FlushTexts(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
	}
}

// writeRandom creates, changes or deletes an entry in both.
func writeRandom(t *testing.T, s *Store, m *site.Model, r *rand.Rand, all map[string]*cms.Entry) {
	t.Helper()
	e := &cms.Entry{ID: uuid.NewString(), Version: 1, CreatedAt: cms.At(time.UnixMilli(r.Int64N(5) * 1000))}
	var rec *EntryRecord
	if len(all) > 0 && r.IntN(3) == 0 {
		for id := range all {
			var err error
			if rec, err = s.EntryForChange(context.Background(), m, id); err != nil {
				t.Fatal(err)
			}
			copied := *rec.Entry
			e = &copied
			e.Version++
			break
		}
	}
	trash := rec != nil && r.IntN(4) == 0
	if trash {
		delete(all, e.ID)
	} else {
		randomEntry(r, e)
		e.Slug = "s-" + e.ID
		e.UpdatedAt = cms.At(time.UnixMilli(r.Int64N(50) * 1000))
		if e.Status == cms.StatusPublished {
			e.PublishedAt = cms.At(time.UnixMilli(r.Int64N(20) * 1000))
		}
		all[e.ID] = e
	}
	err := s.Retry(context.Background(), func() (err error) { // a merge of texts may overtake a save
		if rec != nil {
			if rec, err = s.EntryForChange(context.Background(), m, e.ID); err != nil {
				return err
			}
		}
		tx := s.Begin()
		if trash {
			TrashEntry(tx, m, rec, e, cms.Actor{}, "entry.deleted")
		} else {
			SaveEntry(tx, m, rec, e, cms.Actor{}, "entry.updated")
		}
		return s.Commit(context.Background(), tx)
	})
	must.Do(t, err)
}

// checkRandom walks through a random list.
func checkRandom(ctx context.Context, t *testing.T, s *Store, m *site.Model, r *rand.Rand,
	all map[string]*cms.Entry) {
	t.Helper()
	checkList(ctx, t, s, m, r, all,
		index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 1 + r.IntN(20)}, Sort: randomSort(r)})
}

// checkRandomPage looks at one page of a random list, large as it may be.
func checkRandomPage(ctx context.Context, t *testing.T, s *Store, m *site.Model, r *rand.Rand,
	all map[string]*cms.Entry) {
	t.Helper()
	checkList(ctx, t, s, m, r, all,
		index.ListQuery{Paging: db.Paging{Page: 1, PerPage: len(all) + 1}, Sort: randomSort(r)})
}

// checkList compares a list, with random filters and words, with the oracle's: also while the index
// of a changed model is built.
func checkList(ctx context.Context, t *testing.T, s *Store, m *site.Model, r *rand.Rand,
	all map[string]*cms.Entry, q index.ListQuery) {
	t.Helper()
	for range r.IntN(4) {
		q.Filters = append(q.Filters, randomFilter(r))
	}
	locales := pick(r, [][]string{{"en"}, {"de"}, {"en", "de"}})
	statuses := pick(r, [][]cms.Status{{cms.StatusPublished}, {cms.StatusDraft}, cms.Statuses})
	exact, texts := s.maxExact > 0, m.Listed()
	if exact {
		texts = &m.Model
	}
	asked := q
	if exact && len(q.Sort) == 0 && m.OrderChanged() {
		asked.Sort = query.SortOrder(&m.Model)
	}
	want := oracle(m, all, locales, statuses, asked)
	text := ""
	if r.IntN(3) == 0 {
		text = pick(r, []string{"apple", "appl", "zebra 1", "eclair", "äpfel 2", "strass", "日", "1 app"})
		want = slices.DeleteFunc(want, func(e *cms.Entry) bool { return !oracleMatches(texts, e, text) })
		q.Hits = searched(ctx, t, s, m, TextQuery{Text: text, Locales: locales, Statuses: statuses, Default: "en"})
		if len(q.Sort) == 0 {
			q.Sort = []query.SortField{{Path: "title"}}
			want = oracle(m, byID(want), locales, statuses, q)
		}
	}
	pages := r.IntN(2) == 0
	var got []string
	for n := 0; n < 500; n++ {
		page, err := s.Entries(ctx, m, locales, statuses, q)
		if err != nil {
			t.Fatalf("%v %v: %v", q.Filters, q.Sort, err)
		}
		if page.Total != len(want) {
			t.Errorf("total %d, want %d: filters %v, sort %v, statuses %v, locales %v, q %q",
				page.Total, len(want), q.Filters, q.Sort, statuses, locales, text)
			return
		}
		for _, item := range page.Items {
			e, err := item.Decoded()
			must.Do(t, err)
			got = append(got, e.ID)
		}
		if pages && len(page.Items) < q.PerPage || !pages && page.Next == "" {
			break
		}
		if pages {
			q.Page++
		} else {
			q.Cursor = page.Next
		}
	}
	for i := range want {
		if i >= len(got) || got[i] != want[i].ID {
			t.Errorf("place %d of %d (got %d) differs: filters %v, sort %v, statuses %v, locales %v, pages %v, per page %d",
				i, len(want), len(got), q.Filters, q.Sort, statuses, locales, pages, q.PerPage)
			return
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d entries, want %d: filters %v sort %v", len(got), len(want), q.Filters, q.Sort)
	}
}

// oracleScores are the scores that a search in one locale must give, by looking at the texts alone.
func oracleScores(m *site.Model, all map[string]*cms.Entry, locale, text string) map[string]float64 {
	words := analysis.ParseQuery(text, locale)
	docs := map[string]analysis.Document{}
	for _, e := range all {
		if e.Locale == locale {
			docs[e.ID] = analysis.Analyze(searchable.Text(&m.Model, e), e.Locale)
		}
	}
	df := func(q analysis.QueryTerm) int64 {
		stems := map[string]int64{}
		most := int64(0)
		for _, doc := range docs {
			for _, term := range doc.Terms {
				if q.Factor(term.Stem, term.Words) > 0 {
					stems[term.Stem]++
					most = max(most, stems[term.Stem])
				}
			}
		}
		return most
	}
	scores := map[string]float64{}
	for id, doc := range docs {
		if score, ok := words.Matches(doc, int64(len(docs)), df); ok {
			scores[id] = score
		}
	}
	return scores
}
