package editing

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/redirects"
	"headless/pkg/site"
	"headless/pkg/slug"
)

// makeSlug gives an entry without a slug one from its title: the first free of slug, slug-2,
// slug-3… tries counts how often it was asked for this entry.
func (s *Entries) makeSlug(ctx context.Context, m *site.Model, e *cms.Entry, tries *int) (err error) {
	if e.Slug == "" {
		e.Slug, err = s.freeSlug(ctx, m, e.Locale, slug.Of(e.Title), *tries)
		*tries++
	}
	return err
}

// slugsAtOnce is how many candidates are looked up together.
const slugsAtOnce = 20

// freeSlug finds a slug among base, base-2, base-3… that no entry of the model and locale has. It
// is the first free one or, where many are taken, one that follows a taken one; the number of reads
// grows with the logarithm of their number. tries is how often another entry was faster: the larger
// it is, the farther freeSlug looks, since of many who want the same slug only one gets it.
func (s *Entries) freeSlug(ctx context.Context, m *site.Model, locale, base string,
	tries int) (string, error) {
	taken, step := 0, 1
	for skip, skipped := rand.IntN(tries/2+1), false; ; {
		candidates := make([]redirects.Slug, slugsAtOnce)
		for i := range candidates {
			candidates[i] = redirects.Slug{Locale: locale, Slug: numbered(base, taken+(i+1)*step)}
		}
		held, err := s.Store.SlugsHeld(ctx, m, candidates)
		if err != nil {
			return "", err
		}
		if step == 1 {
			for i := range held {
				if !held[i] && skip == 0 {
					return candidates[i].Slug, nil
				}
				if !held[i] {
					skip, skipped = skip-1, true
				}
			}
			if skipped {
				taken += slugsAtOnce
				continue
			}
		}
		free := slices.Index(held, false)
		switch {
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
