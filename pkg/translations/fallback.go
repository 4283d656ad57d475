package translations

import (
	"context"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/groups"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// Candidate is an entry whose best translation is wanted.
type Candidate struct {
	Model *site.Model
	Entry *cms.Entry
	Group *groups.Group
}

// Pick returns the best entry of each candidate's group: the first visible member along the chain
// of locales, nil if there is none. It takes one round trip, and none if no candidate can have a
// better translation.
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
	return slice.Map(list, func(c Candidate) *cms.Entry { return c.Best(chain, visible, byID) }), nil
}

// Better returns the ids of the members of a group whose locales come before locale in the chain.
func Better(chain []string, locale string, g *groups.Group) (ids []string) {
	for _, code := range chain {
		if code == locale {
			break // later locales are not better
		}
		if id := g.Members[code]; id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// Best returns the first visible member of the group along the chain, nil if there is none. byID
// holds the visible members that Better names.
func (c Candidate) Best(chain []string, visible func(*cms.Entry) bool, byID map[string]*cms.Entry) *cms.Entry {
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

// LookupOrder returns the locales in which a slug is looked up with a fallback: those of the chain,
// then the other locales of the site in their order.
func LookupOrder(now *site.Site, chain []string) []string {
	return slice.Distinct(slices.Concat(chain, now.Codes()))
}
