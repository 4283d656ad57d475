package translations

import (
	"context"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/groups"
	"headless/pkg/site"
)

// Candidate is an entry whose best translation is looked for.
type Candidate struct {
	Model *site.Model
	Entry *cms.Entry
	Group *groups.Group
}

// Pick finds for each candidate the best of its group: in the first locale of a chain in which it
// has a member that may be seen, nil where there is none. It takes one round trip, and none where
// the chain has no better members.
func Pick(ctx context.Context, s *content.Store, chain []string, visible func(*cms.Entry) bool,
	list []Candidate) ([]*cms.Entry, error) {
	var refs []content.Reference
	for _, c := range list {
		for _, id := range Better(chain, c.Entry.Locale, c.Group) {
			refs = append(refs, content.Reference{Model: c.Model, ID: id})
		}
	}
	members, err := s.EntriesByID(ctx, refs)
	if err != nil {
		return nil, err
	}
	byID := map[string]*cms.Entry{}
	for _, e := range members {
		if e != nil && visible(e) {
			byID[e.ID] = e
		}
	}
	best := make([]*cms.Entry, len(list))
	for i, c := range list {
		best[i] = c.Best(chain, visible, byID)
	}
	return best, nil
}

// Better are the ids of the members of a group that a chain of locales prefers to one of a locale.
func Better(chain []string, locale string, g *groups.Group) (ids []string) {
	for _, code := range chain {
		if code == locale {
			break // nothing after it can be better
		}
		if id := g.Members[code]; id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// Best is the first of the group along the chain that may be seen, nil for none. byID has the
// better members that may be seen.
func (c Candidate) Best(chain []string, visible func(*cms.Entry) bool,
	byID map[string]*cms.Entry) *cms.Entry {
	for _, locale := range chain {
		found := byID[c.Group.Members[locale]]
		if locale == c.Entry.Locale && visible(c.Entry) {
			found = c.Entry
		}
		if found != nil && found.Locale == locale {
			return found
		}
	}
	return nil
}

// LookupOrder is the locales in which a slug is looked for with a fallback: those of the chain,
// then the others in their order.
func LookupOrder(now *site.Site, chain []string) []string {
	order := slices.Clone(chain)
	for _, code := range now.Codes() {
		if !slices.Contains(order, code) {
			order = append(order, code)
		}
	}
	return order
}
