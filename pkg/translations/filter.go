package translations

import (
	"context"
	"fmt"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/coverage"
	"headless/pkg/index"
	"headless/pkg/index/totals"
	"headless/pkg/site"
)

// Filter selects entries by their translations (extensions §3). The zero value selects all.
type Filter struct {
	// Missing lists codes of locales. It selects entries in other locales that have no translation
	// in any of these.
	Missing []string
	// Review lists states of reviews; nil selects all entries. Choice.Query applies it.
	Review   []string
	Outdated *bool // whether the entry is older than its translation in the default locale
}

// None reports whether the filter selects all entries.
func (f Filter) None() bool { return len(f.Missing) == 0 && f.Outdated == nil }

// cursorName identifies the filter in cursors.
func (f Filter) cursorName() string {
	if f.Outdated == nil {
		return fmt.Sprint(f.Missing)
	}
	return fmt.Sprint(f.Missing, *f.Outdated)
}

// Choose restricts a query to the entries that a filter selects, by their coverages in the index.
// Entries that the caller cannot read do not exist: a translation is missing, and an original makes nothing outdated.
// It takes one round trip. Error: SERVICE_UNAVAILABLE for a filter on Outdated while coverages are
// being updated to another default locale.
func Choose(ctx context.Context, s *content.Store, now *site.Site, m *site.Model,
	q *content.EntryQuery, f Filter) error {
	if !m.Localized || !m.Listed().Localized {
		return f.chooseAlone(now, q)
	}
	may := cms.PermissionsOf(ctx)
	f.Missing = may.Locales(cms.ActionRead, m.Slug, f.Missing)
	if f.Outdated != nil && !may.May(cms.ActionRead, m.Slug, now.Default) {
		if *f.Outdated {
			q.Labels = &index.Labels{Name: f.cursorName()}
			return nil
		}
		f.Outdated = nil
	}
	// An entry in one of these locales is not missing there.
	q.Locales = slices.DeleteFunc(slices.Clone(q.Locales),
		func(code string) bool { return slices.Contains(f.Missing, code) })
	spaces := m.Spaces(q.Locales, q.Statuses)
	all, byLabel, err := totals.OfLabels(ctx, s.DB, spaces)
	if err != nil {
		return err
	}
	q.Labels = &index.Labels{Name: f.cursorName(), Counts: map[string]map[string]int{}}
	for i, space := range spaces {
		chosen, alone := map[string]int{}, all[i]
		for label, n := range byLabel[i] {
			c := coverage.Parse(label)
			alone -= n
			if n > 0 && f.Outdated != nil && c.Default != now.Default {
				return index.ErrReindexing
			}
			if f.chooses(c) {
				chosen[label] = n
			}
		}
		code, _ := m.Fixed(space, "locale")
		if own := coverage.Alone(code); f.chooses(own) {
			chosen[own.Label()] = max(0, alone)
		}
		q.Labels.Counts[space] = chosen
	}
	return nil
}

// chooseAlone is Choose for a model whose entries have no translations.
func (f Filter) chooseAlone(now *site.Site, q *content.EntryQuery) error {
	if !f.chooses(coverage.Alone(now.Default)) {
		q.Labels = &index.Labels{Name: f.cursorName()}
	}
	return nil
}

// chooses reports whether the filter selects entries with a coverage.
func (f Filter) chooses(c coverage.Coverage) bool {
	return !slices.ContainsFunc(f.Missing, c.Has) && (f.Outdated == nil || *f.Outdated == c.Older)
}
