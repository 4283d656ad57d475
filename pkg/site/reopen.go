package site

import (
	"context"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
)

// Reopen opens the models and locales that were closed for a deletion which ended without an outcome, because the
// process crashed or the table was unavailable. A deletion that still runs begins again.
func (s *Store) Reopen(ctx context.Context) error {
	site, err := s.Site(ctx)
	if err != nil || !site.reopen(nil) {
		return err
	}
	return ChangeSite(ctx, s, func(site *Site, tx *db.Tx) error {
		site.reopen(tx)
		return nil
	})
}

// reopen does so in a transaction, unless that is nil, and reports whether there are such models or locales.
func (s *Site) reopen(tx *db.Tx) bool {
	isLeft := func(active bool, until time.Time) bool {
		return !active && !until.IsZero() && until.Before(s.store.Clock())
	}
	var left []cms.Locale
	for _, l := range s.Locales {
		if isLeft(l.IsActive, s.docs.locales[l.Code].Value.ClosedUntil) {
			left = append(left, l)
		}
	}
	found := len(left) > 0
	if found && tx != nil {
		PutOpenLocales(tx, s, true, left...)
	}
	for _, m := range s.Models {
		if isLeft(m.IsActive, m.ClosedUntil) {
			if found = true; tx != nil {
				PutOpen(tx, s, *m, true)
			}
		}
	}
	return found
}
