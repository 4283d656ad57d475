package editing

import (
	"context"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/index/totals"
	"headless/pkg/site"
)

const (
	modelsAtOnce  = 16 // models that are checked concurrently
	entriesAtOnce = 50 // entries that sharedIn holds in memory
)

// ModelHasEntries reports whether a model has entries of any status in any locale, not counting the
// trash.
func (s *Entries) ModelHasEntries(ctx context.Context, m *site.Model) (bool, error) {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return false, err
	}
	return s.hasEntries(ctx, m, site.Codes()...)
}

// LocaleInUse reports whether any model has entries in a locale, not counting the trash.
func (s *Entries) LocaleInUse(ctx context.Context, code string) (bool, error) {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return false, err
	}
	var used atomic.Bool
	var reading sync.Mutex // one model at a time reads entries, which may be large
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(modelsAtOnce)
	for _, m := range site.Models {
		g.Go(func() error {
			if used.Load() {
				return nil
			}
			found, err := s.hasEntries(ctx, m, code)
			if found && err == nil && !m.Localized {
				// Its entries of all locales share one space, so search for one in this locale: it
				// was saved while this locale was the default.
				reading.Lock()
				found, err = s.sharedIn(ctx, site, m, code)
				reading.Unlock()
			}
			used.CompareAndSwap(false, found && err == nil)
			return err
		})
	}
	err = g.Wait()
	return used.Load(), err
}

// sharedIn reports whether a model that is not localized has an entry in a locale. No row of the index has the
// locale, so it reads the entries, a page at a time: one list refuses to look at as many.
func (s *Entries) sharedIn(ctx context.Context, site *site.Site, m *site.Model, code string) (bool, error) {
	if only := m.OnlyLocale(); only != "" {
		return only == code, nil
	}
	q := index.ListQuery{Paging: db.Paging{Page: 1, PerPage: entriesAtOnce},
		Sort: []query.SortField{{Path: "created_at"}}}
	for {
		page, err := s.Store.Entries(ctx, m, site.Codes(), cms.Statuses, q)
		if err != nil {
			return false, err
		}
		for i := range page.Items {
			if e, err := page.Items[i].Decoded(); err != nil || e.Locale == code {
				return err == nil, err
			}
		}
		if q.Cursor = page.Next; q.Cursor == "" {
			return false, nil
		}
	}
}

func (s *Entries) hasEntries(ctx context.Context, m *site.Model, locales ...string) (bool, error) {
	n, err := totals.Of(ctx, s.Store.DB, m.Spaces(locales, cms.Statuses), totals.All)
	return err == nil && n[0] > 0, err
}
