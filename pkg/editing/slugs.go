package editing

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/redirects"
	"headless/pkg/site"
	"headless/pkg/slug"
)

// makeSlug gives an entry without a slug one from its title: the first free of slug, slug-2,
// slug-3…
func (s *Entries) makeSlug(ctx context.Context, m *site.Model, e *cms.Entry) (err error) {
	if e.Slug == "" {
		e.Slug, err = s.freeSlug(ctx, m, e.Locale, slug.Of(e.Title))
	}
	return err
}

// slugsAtOnce is how many candidates are looked up together.
const slugsAtOnce = 20

// freeSlug finds one of base, base-2, base-3… that no entry of the model and locale has: the first,
// or where many are taken one that follows a taken one, in a number of reads that grows with the
// logarithm of theirs.
func (s *Entries) freeSlug(ctx context.Context, m *site.Model, locale, base string) (string, error) {
	taken, step := 0, 1
	for {
		candidates := make([]redirects.Slug, slugsAtOnce)
		for i := range candidates {
			candidates[i] = redirects.Slug{Locale: locale, Slug: numbered(base, taken+(i+1)*step)}
		}
		held, err := s.Store.SlugsHeld(ctx, m, candidates)
		if err != nil {
			return "", err
		}
		free := slices.Index(held, false)
		switch {
		case free >= 0 && step == 1:
			return candidates[free].Slug, nil
		case free >= 0: // look closer behind the last that is taken
			taken, step = taken+free*step, (step+slugsAtOnce-1)/slugsAtOnce
		default: // look further
			taken, step = taken+slugsAtOnce*step, step*slugsAtOnce
		}
	}
}

func numbered(base string, n int) string {
	if n == 1 {
		return base
	}
	return base + "-" + strconv.Itoa(n)
}

func joined(list []string) string { return strings.Join(list, ", ") }
