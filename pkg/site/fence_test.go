package site

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/table/sim"
)

// changeConfig commits what a test makes of the site.
func changeConfig(ctx context.Context, s *Store, do func(*Site, *db.Tx)) error {
	return s.Retry(ctx, func() error {
		site, err := s.Site(ctx)
		if err != nil {
			return err
		}
		tx := s.Begin()
		do(site, tx)
		return s.Commit(ctx, tx)
	})
}

func plainModel(slug string) Model {
	m := Model{Model: cms.NewModel(), Gen: 1}
	m.ID, m.Slug, m.Name = "id"+slug, slug, slug
	return m
}

// TestTornConfiguration: a reader that meets a change of the configuration half way used to keep a
// mix of two versions for good.
func TestTornConfiguration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tab := sim.New(sim.AWS())
		writer := Open(db.New(tab, time.Now))
		ctx := t.Context()
		must.Do(t, changeConfig(ctx, writer,
			func(site *Site, tx *db.Tx) { PutModel(tx, site, "", plainModel("things")) }))
		done := make(chan struct{})
		var readers sync.WaitGroup
		for range 20 {
			reader := Open(db.New(tab, time.Now))
			readers.Go(func() {
				for {
					select {
					case <-done:
						return
					default:
					}
					site, err := reader.Site(ctx)
					if err != nil {
						t.Error(err)
						return
					}
					if name := site.Models["things"].Name; name != "things" &&
						name != fmt.Sprint("version ", site.Version) {
						t.Errorf("version %d shows the model of %q", site.Version, name)
					}
					time.Sleep(time.Millisecond)
				}
			})
		}
		for range 20 {
			err := changeConfig(ctx, writer, func(site *Site, tx *db.Tx) {
				m := *site.Models["things"]
				m.Name = fmt.Sprint("version ", site.Version+1)
				PutModel(tx, site, "things", m)
			})
			must.Do(t, err)
			time.Sleep(10 * time.Millisecond)
		}
		close(done)
		readers.Wait()
	})
}

// TestFence: a write that saw a model before it was closed does not commit after that.
func TestFence(t *testing.T) {
	tab := sim.New(sim.Options{})
	ctx := t.Context()
	for name, closing := range map[string]func(*Site, *db.Tx){
		"model": func(site *Site, tx *db.Tx) {
			m := *site.Models["model"]
			m.IsActive = false
			PutModel(tx, site, "model", m)
		},
		"locale": func(site *Site, tx *db.Tx) {
			PutLocales(tx, site, cms.Locale{Code: "en", Name: "closed", IsActive: false})
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, slow := Open(db.New(tab, time.Now)), Open(db.New(tab, time.Now))
			err := changeConfig(ctx, s, func(site *Site, tx *db.Tx) {
				PutModel(tx, site, "", plainModel(name))
				PutLocales(tx, site, cms.Locale{Code: "en", IsDefault: true, IsActive: true})
			})
			must.Do(t, err)
			site, err := slow.Site(ctx)
			must.Do(t, err)
			write := func(site *Site, id string) error {
				tx := slow.Begin()
				tx.Put(table.Item{Key: table.Key{Partition: "E#test#" + id, Sort: "a"}})
				RequireFence(tx, site)
				return slow.Commit(ctx, tx)
			}
			must.Do(t, s.Retry(ctx, func() error { return write(site, "before") }))
			must.Do(t, changeConfig(ctx, s, closing))
			for range 20 {
				if err := write(site, "after"); !errors.Is(err, db.ErrOvertaken) {
					t.Fatalf("a write by the old configuration: %v", err)
				}
			}
			// If the process that closed it died before it raised the fence, the next writer
			// does.
			if site, err = slow.Site(ctx); err != nil {
				t.Fatal(err)
			}
			var rows []table.Key
			for row := range fenceRows {
				rows = append(rows, fenceKey(row))
			}
			must.Do(t, tab.BatchWrite(ctx, nil, rows))
			if err := write(site, "repaired"); !errors.Is(err, db.ErrOvertaken) {
				t.Fatalf("the first write after a crash: %v", err)
			}
			must.Do(t, write(site, "repaired"))
		})
	}
}

// TestFenceRaisedTogether: many changes of the site raise the fence at the same time, in any order.
func TestFenceRaisedTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tab, ctx := sim.New(sim.AWS()), t.Context()
		s := Open(db.New(tab, time.Now))
		const models = 8
		name := func(i int) string { return fmt.Sprint("m", i) }
		for i := range models {
			must.Do(t, changeConfig(ctx, s,
				func(site *Site, tx *db.Tx) { PutModel(tx, site, "", plainModel(name(i))) }))
		}
		var changes sync.WaitGroup
		for i := range models {
			changes.Go(func() {
				own := Open(db.New(tab, time.Now))
				for range 5 {
					if err := changeConfig(ctx, own,
						func(site *Site, tx *db.Tx) { PutModel(tx, site, name(i), *site.Models[name(i)]) }); err != nil {
						t.Error(err)
					}
				}
			})
		}
		changes.Wait()
		site, err := s.Site(ctx)
		if err != nil || site.fence != 5*models {
			t.Fatalf("%d changes, %v", site.fence, err)
		}
		for row := range fenceRows {
			if item, err := s.Get(ctx, fenceKey(row)); err != nil || item.Version != site.fence {
				t.Fatalf("row %d: %v, %v", row, item, err)
			}
		}
	})
}
