package editing

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"

	"headless/pkg/cms"
	"headless/pkg/redirects"
	"headless/pkg/site"
	"headless/pkg/slug"
)

// makeSlug generates a slug from the title for an entry without one: the first free of slug,
// slug-2, slug-3…, its own stored slug among them. attempts counts the calls for this entry.
func (s *Entries) makeSlug(ctx context.Context, m *site.Model, e *cms.Entry, attempts *int) (err error) {
	if e.Slug == "" {
		e.Slug, err = s.freeSlug(ctx, m, e, slug.Of(e.Title, e.Locale), *attempts)
		*attempts++
	}
	return err
}

// slugsAtOnce is how many candidates one read looks up. The first read looks up one, since most titles
// are new: a read unit instead of 20.
const slugsAtOnce = 20

// freeSlug returns a slug among base, base-2, base-3… that no other entry of the model and locale has. It
// is the first free one or, if many are taken, one right after a taken one; the number of reads
// grows with the logarithm of the number of taken slugs. attempts is how often another entry took
// the slug first: the larger it is, the more free slugs freeSlug may skip at random, so that
// concurrent saves choose different slugs.
func (s *Entries) freeSlug(ctx context.Context, m *site.Model, e *cms.Entry, base string,
	attempts int) (string, error) {
	taken, step, n := 0, 1, 1
	if attempts > 0 {
		n = slugsAtOnce
	}
	for skip, skipped := rand.IntN(attempts/2+1), false; ; n = slugsAtOnce {
		candidates := make([]redirects.Slug, n)
		for i := range candidates {
			candidates[i] = redirects.Slug{Locale: e.Locale, Slug: withNumber(base, taken+(i+1)*step)}
		}
		held, err := s.Store.SlugHolders(ctx, m, candidates)
		if err != nil {
			return "", err
		}
		for i := range held {
			if held[i] == e.ID {
				held[i] = ""
			}
		}
		if step == 1 {
			for i := range held {
				if m.ReservesSlug(candidates[i].Slug) {
					continue
				}
				if held[i] == "" && skip == 0 {
					return candidates[i].Slug, nil
				}
				if held[i] == "" {
					skip, skipped = skip-1, true
				}
			}
			if skipped {
				taken += n
				continue
			}
		}
		free := slices.Index(held, "")
		if step == 1 && free >= 0 { // reserved
			taken += n
			continue
		}
		switch {
		case free >= 0: // search more closely after the last taken one
			taken, step = taken+free*step, (step+n-1)/n
		default: // search further
			taken, step = taken+n*step, step*n
		}
	}
}

func withNumber(base string, n int) string {
	if n == 1 {
		return base
	}
	return base + "-" + strconv.Itoa(n)
}
