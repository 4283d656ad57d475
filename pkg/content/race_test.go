package content

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/db/waiting"
	"headless/pkg/index"
	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/table"
)

// race is a site with one model, written and read by many at once while its index is made anew.
type race struct {
	t       *testing.T
	s       *Store
	tb      *recorder
	modelID string
	still   map[string]bool // entries that nobody changes
	hot     []string
	added   atomic.Int64 // increments that were confirmed
	created sync.Map     // ids of entries that were confirmed
}

func newRace(t *testing.T) *race {
	t.Helper()
	tb := recorded(testStore(t).Table)
	faulty := table.NewFaulty(tb,
		table.RandomFaults(7, table.Rates{Conflict: 0.05, Throttled: 0.01, Delay: 200 * time.Microsecond}))
	rc := &race{t: t, s: opened(faulty), tb: tb, still: map[string]bool{}}
	m := oracleModel()
	m.Fields = append(m.Fields, cms.Field{Name: "code", Type: cms.TypeText, Unique: true})
	rc.modelID = m.ID
	rc.must(func(siteNow *site.Site) (*db.Tx, error) {
		tx := rc.s.Begin()
		site.PutLocales(tx, siteNow, cms.Locale{Code: "en", IsDefault: true, IsActive: true},
			cms.Locale{Code: "de", IsActive: true})
		site.PutModel(tx, siteNow, "", *m)
		return tx, nil
	})
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 34 {
		e := &cms.Entry{ID: uuid.NewString(), Version: 1}
		randomEntry(r, e)
		e.Slug, e.Locale, e.Status = "s-"+e.ID, "en", cms.StatusPublished
		if i < 30 {
			e.Title, rc.still[e.ID] = fmt.Sprintf("steadfast %d", i), true
		} else {
			e.Data["size"] = json.Number("0")
			rc.hot = append(rc.hot, e.ID)
		}
		rc.must(rc.creating(e))
	}
	return rc
}

// try runs a use case, again whenever the table was away or another writer was faster.
func (rc *race) try(use func(*site.Site) (*db.Tx, error)) error {
	ctx := context.Background()
	for {
		err := rc.s.Retry(ctx, func() error {
			site, err := rc.s.Site(ctx)
			if err != nil {
				return err
			}
			tx, err := use(site)
			if err != nil {
				return err
			}
			return rc.s.Commit(ctx, tx)
		})
		var busy *cms.Error
		if errors.Is(err, table.ErrUnavailable) || errors.As(err, &busy) && busy.Code == cms.CodeUnavailable {
			continue
		}
		return err
	}
}

func (rc *race) must(use func(*site.Site) (*db.Tx, error)) {
	rc.t.Helper()
	if err := rc.try(use); err != nil {
		rc.t.Error(err)
	}
}

func (rc *race) creating(e *cms.Entry) func(*site.Site) (*db.Tx, error) {
	return func(siteNow *site.Site) (*db.Tx, error) {
		tx := rc.s.Begin()
		SaveEntry(tx, siteNow.ModelByID(rc.modelID), nil, e, cms.Actor{}, "entry.created")
		site.RequireSite(tx, siteNow)
		return tx, nil
	}
}

// updating changes a hot entry by a function of the stored one.
func (rc *race) updating(id string, edit func(*cms.Entry)) func(*site.Site) (*db.Tx, error) {
	return func(siteNow *site.Site) (*db.Tx, error) {
		m := siteNow.ModelByID(rc.modelID)
		rec, err := rc.s.EntryForChange(context.Background(), m, id)
		if err != nil {
			return nil, err
		}
		e := *rec.Entry
		e.Version++
		e.Data = map[string]any{}
		for k, v := range rec.Entry.Data {
			e.Data[k] = v
		}
		edit(&e)
		tx := rc.s.Begin()
		SaveEntry(tx, m, rec, &e, cms.Actor{}, "entry.updated")
		site.RequireSite(tx, siteNow)
		return tx, nil
	}
}

// write does one random thing to a hot entry.
func (rc *race) write(r *rand.Rand) {
	id := pick(r, rc.hot)
	words, status, locale := pick(r, oracleWords), pick(r, cms.Statuses), pick(r, []string{"en", "de"})
	rc.must(rc.updating(id, func(e *cms.Entry) {
		size, err := strconv.Atoi(string(e.Data["size"].(json.Number)))
		if err != nil {
			rc.t.Error(err)
		}
		e.Data["size"] = json.Number(strconv.Itoa(size + 1))
		e.Title, e.Status, e.Locale = "hot "+words, status, locale
	}))
	rc.added.Add(1)
}

// collide tries to take a slug and a unique value that others want too; it reports whether it won.
func (rc *race) collide(n int) bool {
	e := &cms.Entry{ID: uuid.NewString(), Version: 1, Slug: fmt.Sprintf("wanted-%d", n),
		Title: "collision", Locale: "en", Status: cms.StatusPublished}
	e.Data = map[string]any{"size": json.Number("0"), "code": fmt.Sprintf("code %d", n)}
	if n%2 == 0 {
		e.Slug = "s-" + e.ID // only the value collides
	}
	err := rc.try(rc.creating(e))
	var taken *SlugTakenError
	var conflict *cms.Error
	if err != nil && !errors.As(err, &taken) &&
		!(errors.As(err, &conflict) && conflict.Code == cms.CodeConflict) {
		rc.t.Errorf("collision: %v", err)
	}
	if err == nil {
		rc.created.Store(e.ID, true)
	}
	return err == nil
}

// remodel changes the definition so that the index is made anew.
func (rc *race) remodel(n int) {
	rc.must(func(siteNow *site.Site) (*db.Tx, error) {
		was := siteNow.ModelByID(rc.modelID)
		next := *was
		next.Fields = append([]cms.Field{}, was.Fields...)
		next.Indexes = [][][]string{nil, {{"data.color", "data.flag"}}, {{"data.color", "data.size"}}}[n%3]
		next.DefaultSort = []string{"", "title", "title"}[n%3]
		next.NextGeneration(was, "en")
		tx := rc.s.Begin()
		site.PutModel(tx, siteNow, was.Slug, next)
		return tx, nil
	})
	for {
		_, err := rc.s.Reindex(context.Background(), rc.modelID)
		if err == nil {
			return
		}
		if !errors.Is(err, table.ErrUnavailable) && !errors.Is(err, context.Canceled) {
			rc.t.Errorf("reindex: %v", err)
			return
		}
	}
}

// walk reads a whole list by cursor: entries that nobody changes come once.
func (rc *race) walk(r *rand.Rand) {
	ctx := context.Background()
	q := index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 7}, Sort: randomSort(r)}
	seen := map[string]int{}
	for {
		page, err := rc.page(ctx, q)
		if errors.Is(err, table.ErrUnavailable) {
			continue
		}
		var gone *cms.Error
		if errors.As(err, &gone) && gone.Code == cms.CodeBadRequest || errors.Is(err, index.ErrReindexing) {
			return // the default order changed
		}
		if err != nil {
			rc.t.Error(err)
			return
		}
		for _, item := range page.Items {
			e, err := item.Decoded()
			if err != nil {
				rc.t.Error(err)
				return
			}
			seen[e.ID]++
		}
		if q.Cursor = page.Next; q.Cursor == "" {
			break
		}
	}
	for id := range rc.still {
		if seen[id] != 1 {
			rc.t.Errorf("an entry that nobody changes came %d times, sorted by %v", seen[id], q.Sort)
		}
	}
}

func (rc *race) page(ctx context.Context, q index.ListQuery) (db.Page[EntryItem], error) {
	site, err := rc.s.Site(ctx)
	if err != nil {
		return db.Page[EntryItem]{}, err
	}
	return rc.s.Entries(ctx, site.ModelByID(rc.modelID), []string{"en", "de"}, cms.Statuses, q)
}

// seek searches for the word of the entries that nobody changes.
func (rc *race) seek() {
	ctx := context.Background()
	before, err := rc.s.Site(ctx)
	if err != nil {
		return
	}
	m := before.ModelByID(rc.modelID)
	found, err := rc.s.Search(ctx, []*site.Model{m}, TextQuery{Text: "steadfa", Locales: []string{"en", "de"},
		Statuses: cms.Statuses, Default: "en"})
	if err == nil && found.Total != len(rc.still) {
		if now, _ := rc.s.Site(ctx); now != nil && now.Version == before.Version {
			rc.t.Errorf("%d hits, want %d", found.Total, len(rc.still))
		}
	}
}

func TestRaces(t *testing.T) {
	t.Parallel()
	t.Run("few", func(t *testing.T) { races(t, index.MaxCollect) })
	t.Run("many", func(t *testing.T) { races(t, 0) })
}

func races(t *testing.T, exact int) {
	t.Parallel()
	rc := newRace(t)
	rc.s.maxExact = exact
	var writers, readers sync.WaitGroup
	stop := make(chan struct{})
	won := make([]atomic.Int64, 6)
	for w := range 16 {
		writers.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 1))
			for i := range 6 {
				rc.write(r)
				if rc.collide(i) {
					won[i].Add(1)
				}
			}
		})
	}
	writers.Go(func() {
		for n := range 6 {
			rc.remodel(n)
		}
	})
	for range 2 {
		readers.Go(func() {
			r := rand.New(rand.NewPCG(9, 9))
			for {
				select {
				case <-stop:
					return
				default:
					rc.walk(r)
					rc.seek()
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	for i := range won {
		if n := won[i].Load(); n != 1 {
			t.Errorf("collision %d has %d winners", i, n)
		}
	}
	rc.check()
}

// later is when merges that were left undone are taken over.
func later() time.Time { return time.Now().Add(waiting.Lease) }

// check looks at the rows that remain when all work is done.
func (rc *race) check() {
	rc.t.Helper()
	ctx := context.Background()
	quiet := opened(rc.tb)
	siteNow, err := quiet.Site(ctx)
	must.Do(rc.t, err)
	m := siteNow.ModelByID(rc.modelID)
	all := map[string]*cms.Entry{}
	sum := 0
	for _, item := range rc.tb.items(rc.t, "E#") {
		if item.Sort != "a" {
			continue
		}
		e, err := decodeEntry(&site.Model{}, &item)
		must.Do(rc.t, err)
		all[e.ID] = e
		if !rc.still[e.ID] {
			n, _ := strconv.Atoi(string(e.Data["size"].(json.Number)))
			sum += n
		}
		kept, _, err := quiet.Revisions(ctx, m, e.ID)
		if err != nil || int64(kept) != e.Version {
			rc.t.Errorf("%d revisions of version %d: %v", kept, e.Version, err)
		}
	}
	if int64(sum) != rc.added.Load() {
		rc.t.Errorf("%d changes are stored, %d were confirmed", sum, rc.added.Load())
	}
	if m.Building() {
		rc.t.Error("the former generation still serves")
	}
	drop(rc.t, rc.tb)
	if _, err := New(rc.tb, later).FlushTexts(ctx); err != nil {
		rc.t.Fatal(err)
	}
	audit(rc.t, rc.tb, m, all, true)
	r := rand.New(rand.NewPCG(8, 8))
	for range 40 {
		checkRandom(ctx, rc.t, quiet, m, r, all)
	}
	checkSearch(ctx, rc.t, quiet, m, all)
}
