package translations

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"headless/pkg/content"
	"headless/pkg/coverage"
	"headless/pkg/index"
	"headless/pkg/search"
	"headless/pkg/site"
)

// Filter chooses entries by their translations (extensions §3). The zero value chooses all.
type Filter struct {
	// Codes of locales: entries in other locales that have no translation in any of these.
	Missing  []string
	Outdated *bool // whether the entry was changed before its translation in the default locale was
}

// None reports whether the filter chooses all.
func (f Filter) None() bool { return len(f.Missing) == 0 && f.Outdated == nil }

// name tells filters apart in cursors.
func (f Filter) name() string {
	if f.Outdated == nil {
		return fmt.Sprint(f.Missing)
	}
	return fmt.Sprint(f.Missing, *f.Outdated)
}

// Choose lets a list find only what a filter chooses, by the coverages that entries are listed by.
// It takes one round trip. SERVICE_UNAVAILABLE for what is outdated while coverages are brought to
// another default locale.
func Choose(ctx context.Context, s *content.Store, now *site.Site, m *site.Model,
	q *search.EntryQuery, f Filter) error {
	if !m.Localized || !m.Listed().Localized {
		return f.chooseAlone(now, q)
	}
	q.Locales = slices.DeleteFunc(slices.Clone(q.Locales), // what is in another of them is not missing there
		func(code string) bool { return slices.Contains(f.Missing, code) })
	spaces := m.Spaces(q.Locales, q.Statuses)
	all, byLabel, err := index.LabelCounts(ctx, s.DB, spaces)
	if err != nil {
		return err
	}
	q.Labels = &index.Labels{Name: f.name(), Counts: map[string]map[string]int{}}
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
		code, _ := m.LocaleOf(strings.Split(space, "#")[1])
		if own := coverage.Alone(code); f.chooses(own) {
			chosen[own.Label()] = max(0, alone)
		}
		q.Labels.Counts[space] = chosen
	}
	return nil
}

// chooseAlone is Choose where no entry has a translation.
func (f Filter) chooseAlone(now *site.Site, q *search.EntryQuery) error {
	if !f.chooses(coverage.Alone(now.Default)) {
		q.Labels = &index.Labels{Name: f.name()}
	}
	return nil
}

// chooses reports whether entries of a coverage are chosen.
func (f Filter) chooses(c coverage.Coverage) bool {
	return !slices.ContainsFunc(f.Missing, c.Has) && (f.Outdated == nil || *f.Outdated == c.Older)
}
