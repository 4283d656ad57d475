package service

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/store"
)

// ModelHasEntries tells whether a model has entries of any status in any locale; the trash does not count.
func (s *Entries) ModelHasEntries(ctx context.Context, m *store.Model) (bool, error) {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return false, err
	}
	return s.has(ctx, m, site.Codes()...)
}

// LocaleInUse tells whether any model has entries in a locale; the trash does not count.
func (s *Entries) LocaleInUse(ctx context.Context, code string) (bool, error) {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return false, err
	}
	for _, m := range site.Models {
		used, err := s.has(ctx, m, code)
		if used && err == nil && !m.Localized {
			// Its entries share one list: look whether one was saved while this locale was the default.
			used, err = s.sharedIn(ctx, site, m, code)
		}
		if used || err != nil {
			return used, err
		}
	}
	return false, nil
}

func (s *Entries) sharedIn(ctx context.Context, site *store.Site, m *store.Model, code string) (bool, error) {
	page, err := s.Store.Entries(ctx, m, site.Codes(), cms.Statuses, store.ListQuery{
		Paging: store.Paging{Page: 1, PerPage: 1}, Filters: []cms.Filter{{Path: "locale", Op: cms.OpEq, Values: []string{code}}},
	})
	return page.Total > 0, err
}

func (s *Entries) has(ctx context.Context, m *store.Model, locales ...string) (bool, error) {
	page, err := s.Store.Entries(ctx, m, locales, cms.Statuses, store.ListQuery{Paging: store.Paging{Page: 1, PerPage: 1}})
	return page.Total > 0, err
}
