package content

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/table"
)

// definitions are changes of a model as an administrator makes them.
var definitions = []struct {
	name string
	edit func(*cms.Model)
}{
	{"a field less", func(m *cms.Model) { m.Fields = slices.Delete(slices.Clone(m.Fields), 2, 3) }},
	{"a field more", func(m *cms.Model) {
		m.Fields = append(slices.Clone(m.Fields), cms.Field{Name: "size", Type: cms.TypeNumber},
			cms.Field{Name: "added", Type: cms.TypeText})
	}},
	{"number becomes text", retype("size", cms.TypeText)},
	{"text becomes number", retype("word", cms.TypeNumber)},
	{"text becomes date", retype("note", cms.TypeDate)},
	{"date becomes text", retype("day", cms.TypeText)},
	{"list becomes text", retype("tags", cms.TypeText)},
	{"group becomes list", retype("place", cms.TypeList)},
	{"list becomes group", retype("place", cms.TypeGroup)},
	{"json becomes select", retype("extra", cms.TypeSelect)},
	{"text becomes list", retype("tags", cms.TypeMultiSelect)},
	{"default sort", func(m *cms.Model) { m.DefaultSort = "title,-data.color" }},
	{"searchable", func(m *cms.Model) {
		m.Fields = slices.Clone(m.Fields)
		for i := range m.Fields {
			m.Fields[i].Searchable = m.Fields[i].Name == "note" || m.Fields[i].Name == "size"
		}
	}},
	{"composite index",
		func(m *cms.Model) {
			m.Indexes = [][]string{{"data.flag", "data.size"},
				{"data.color", "data.day"}}
		}},
	{"visible fields", func(m *cms.Model) { m.VisibleFields = []string{"color", "flag"} }},
	{"all at once", func(m *cms.Model) { *m = oracleDefinition(*m) }},
}

// oracleDefinition is the first definition again, for the same model.
func oracleDefinition(m cms.Model) cms.Model {
	next := oracleModel().Model
	next.ID, next.Slug = m.ID, m.Slug
	return next
}

func retype(name string, kind cms.FieldType) func(*cms.Model) {
	return func(m *cms.Model) {
		m.Fields = slices.Clone(m.Fields)
		for i := range m.Fields {
			if m.Fields[i].Name == name {
				m.Fields[i].Type = kind
			}
		}
	}
}

// commitModel stores a changed definition as the service does.
func commitModel(t *testing.T, s *Store, id string, edit func(*cms.Model)) *site.Model {
	t.Helper()
	ctx := context.Background()
	siteNow, err := s.Site(ctx)
	must.Do(t, err)
	was := siteNow.ModelByID(id)
	next := *was
	edit(&next.Model)
	next.NextGeneration(was, "en")
	tx := s.Begin()
	site.PutModel(tx, siteNow, was.Slug, next)
	must.Do(t, s.Commit(ctx, tx))
	return currentModel(t, s, id)
}

func currentModel(t *testing.T, s *Store, id string) *site.Model {
	t.Helper()
	site, err := s.Site(context.Background())
	must.Do(t, err)
	return site.ModelByID(id)
}

func siteWithModel(t *testing.T, s *Store, m *site.Model) *site.Model {
	t.Helper()
	ctx := context.Background()
	siteNow, err := s.Site(ctx)
	must.Do(t, err)
	tx := s.Begin()
	site.PutLocales(tx, siteNow, cms.Locale{Code: "en", IsDefault: true, IsActive: true},
		cms.Locale{Code: "de", IsActive: true})
	site.PutModel(tx, siteNow, "", *m)
	must.Do(t, s.Commit(ctx, tx))
	return currentModel(t, s, m.ID)
}

// moveSome builds up to n entries in the new generation, as Reindex does.
func moveSome(t *testing.T, s *Store, id string, n int) {
	t.Helper()
	ctx := context.Background()
	site, err := s.Site(ctx)
	must.Do(t, err)
	m := site.ModelByID(id)
	for _, space := range m.FormerSpaces(site) {
		rows, err := s.Table.Query(ctx, table.Range{Partition: index.RowPartition(space, index.DefaultPath)})
		must.Do(t, err)
		for _, row := range rows {
			key := manifestKey(m.ID, index.RowID(row.Key).String(), m.Gen)
			if _, err := s.Get(ctx, key); err == nil || n == 0 {
				continue
			}
			must.Do(t, s.build(ctx, id, index.RowID(row.Key)))
			n--
		}
	}
}

// drop removes the rest of former generations, as the sweeper does later.
func drop(t *testing.T, tb table.Table) {
	t.Helper()
	must.Do(t, New(tb, func() time.Time { return time.Now().Add(time.Hour) }).DropIndexes(t.Context()))
}

// TestChangingModel changes a definition again and again and asks before, during and after each
// move of the entries, both when they are few enough to look at each and when they are too many.
func TestChangingModel(t *testing.T) {
	t.Parallel()
	t.Run("few", func(t *testing.T) { changingModel(t, index.MaxCollect) })
	t.Run("many", func(t *testing.T) { changingModel(t, 0) })
}

func changingModel(t *testing.T, exact int) {
	t.Parallel()
	ctx := context.Background()
	r := rand.New(rand.NewPCG(11, 12))
	tb := recorded(testStore(t).Table)
	s := opened(tb)
	s.maxExact = exact
	m := siteWithModel(t, s, oracleModel())
	all := map[string]*cms.Entry{}
	for range 40 {
		writeRandom(t, s, m, r, all)
	}
	for i, d := range definitions {
		m = commitModel(t, s, m.ID, d.edit)
		for range 3 {
			for range 8 {
				checkRandom(ctx, t, s, m, r, all)
			}
			for range 3 {
				writeRandom(t, s, m, r, all)
			}
			moveSome(t, s, m.ID, 15)
		}
		if i%4 != 3 { // sometimes the next change comes before the move is done
			if _, err := s.Reindex(ctx, m.ID); err != nil {
				t.Fatal(err)
			}
			if m = currentModel(t, s, m.ID); m.Building() {
				t.Error("the former generation still serves")
			}
			drop(t, tb)
			audit(t, tb, m, all, true)
			for range 8 {
				checkRandom(ctx, t, s, m, r, all)
			}
		}
		if t.Failed() {
			t.Fatalf("after %q", d.name)
		}
	}
}

// TestLocalizing switches localization on and off while all entries are in one locale.
func TestLocalizing(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := rand.New(rand.NewPCG(13, 14))
	tb := recorded(testStore(t).Table)
	s := opened(tb)
	m := siteWithModel(t, s, oracleModel())
	all := map[string]*cms.Entry{}
	for range 25 {
		e := &cms.Entry{ID: uuid.NewString(), Version: 1}
		randomEntry(r, e)
		e.Slug, e.Locale = "s-"+e.ID, "en"
		tx := s.Begin()
		SaveEntry(tx, m, nil, e, cms.Actor{}, "entry.created")
		must.Do(t, s.Commit(ctx, tx))
		all[e.ID] = e
	}
	for _, localized := range []bool{false, true, false, true} {
		m = commitModel(t, s, m.ID, func(m *cms.Model) { m.Localized = localized })
		for _, moved := range []int{0, 10, 100} {
			moveSome(t, s, m.ID, moved)
			for _, locale := range []string{"en", "de"} {
				where, want := []string{locale}, 0
				if locale == "en" || !localized {
					want = len(all)
				}
				page, err := s.Entries(ctx, m, where, cms.Statuses,
					index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 100}})
				if err == nil && (page.Total != want || len(page.Items) != want) &&
					!(locale == "de" && !localized) {
					t.Errorf("localized %v, %d moved: %d entries in %s, want %d", localized, moved,
						page.Total, locale, want)
				}
				must.Do(t, err)
			}
		}
		if _, err := s.Reindex(ctx, m.ID); err != nil {
			t.Fatal(err)
		}
		m = currentModel(t, s, m.ID)
		drop(t, tb)
		audit(t, tb, m, all, true)
	}
}

// TestLargeModel adds, changes and removes fields of a model with many entries, and asks while they
// are moved.
func TestLargeModel(t *testing.T) {
	t.Parallel()
	const size = 250
	ctx := context.Background()
	r := rand.New(rand.NewPCG(15, 16))
	s := testStore(t)
	m := siteWithModel(t, s, oracleModel())
	all := map[string]*cms.Entry{}
	for i := range size {
		e := &cms.Entry{ID: uuid.NewString(), Version: 1, CreatedAt: cms.At(time.UnixMilli(int64(i)))}
		randomEntry(r, e)
		e.Slug = fmt.Sprintf("s-%d", i)
		tx := s.Begin()
		SaveEntry(tx, m, nil, e, cms.Actor{}, "entry.created")
		must.Do(t, s.Commit(ctx, tx))
		all[e.ID] = e
	}
	ask := func(n int) {
		for range n {
			checkRandomPage(ctx, t, s, m, r, all)
		}
	}
	for _, i := range []int{1, 2, 13} {
		m = commitModel(t, s, m.ID, definitions[i].edit)
		done := make(chan error, 1)
		go func() {
			_, err := s.Reindex(ctx, m.ID)
			done <- err
		}()
		ask(2)
		must.Do(t, <-done)
		m = currentModel(t, s, m.ID)
		ask(2)
		if t.Failed() {
			t.Fatalf("after %q", definitions[i].name)
		}
	}
}

// TestMoveBetweenReads moves all entries before each read of a list in turn: every one of them is
// listed once.
func TestMoveBetweenReads(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := rand.New(rand.NewPCG(17, 18))
	for n, done := 1, false; !done; n++ {
		s := testStore(t)
		m := siteWithModel(t, s, oracleModel())
		all := map[string]*cms.Entry{}
		for range 120 {
			writeRandom(t, s, m, r, all)
		}
		m = commitModel(t, s, m.ID, func(m *cms.Model) {
			m.Fields = append(slices.Clone(m.Fields), cms.Field{Name: "new", Type: cms.TypeText})
		})
		queries := 0
		hooked := New(table.NewFaulty(s.Table, func(c table.Call) table.Fault {
			if c.Method == "Query" && strings.HasPrefix(c.Range.Partition, "I#") {
				if queries++; queries == n {
					if _, err := s.Reindex(ctx, m.ID); err != nil {
						t.Error(err)
					}
				}
			}
			return table.Fault{}
		}), time.Now)
		hooked.maxExact = 0
		listed := map[string]int{}
		for q := (index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 4}}); ; {
			page, err := hooked.Entries(ctx, m, []string{"de"}, []cms.Status{cms.StatusPublished}, q)
			must.Do(t, err)
			for _, item := range page.Items {
				e, err := item.Decoded()
				must.Do(t, err)
				listed[e.ID]++
			}
			if q.Cursor = page.Next; q.Cursor == "" {
				break
			}
		}
		for id, e := range all {
			if want := e.Locale == "de" && e.Status == cms.StatusPublished; want != (listed[id] == 1) ||
				listed[id] > 1 {
				t.Errorf("moved before query %d: entry in %s, %s is listed %d times", n, e.Locale,
					e.Status, listed[id])
			}
		}
		if done = queries < n; t.Failed() {
			return
		}
	}
}
