package shown

import (
	"context"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/groups"
	"headless/pkg/redirects"
	"headless/pkg/site"
)

// readAddresses returns the addresses that reads show for entries, and those that they showed before, by
// their ids.
func (s *Texts) readAddresses(ctx context.Context, ids []string) (addresses map[string][]string,
	former map[string]map[string]bool, err error) {
	found, err := s.store.AddressesAbove(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	var grouped []content.Reference
	for _, id := range ids {
		if m := s.site.ModelByID(found[id].ModelID); m != nil && m.Localized {
			grouped = append(grouped, content.Reference{Model: m, ID: id})
		}
	}
	list, err := groups.OfEach(ctx, s.store, grouped)
	if err != nil {
		return nil, nil, err
	}
	members := map[string][]string{}
	var others []string
	for i, g := range list {
		for _, id := range g.Members {
			members[grouped[i].ID] = append(members[grouped[i].ID], id)
			others = append(others, id)
		}
	}
	translated, err := s.store.AddressesAbove(ctx, others)
	if err != nil {
		return nil, nil, err
	}
	were, err := s.readFormer(ctx, found, translated)
	addresses, former = map[string][]string{}, map[string]map[string]bool{}
	for _, id := range ids {
		former[id] = map[string]bool{}
		for _, member := range append(members[id], id) {
			for _, address := range were[member] {
				former[id][address] = true
			}
		}
		if address := found[id].On(s.site, id); address != "" {
			addresses[id] = append(addresses[id], address)
		}
		for _, member := range members[id] {
			if address := translated[member].On(s.site, member); address != "" {
				addresses[id] = append(addresses[id], address)
			}
		}
	}
	return addresses, former, err
}

// readFormer returns the addresses that entries had while they were published, by id, and those that follow
// from former places of entries above them. It reads one level of a tree at a time.
func (s *Texts) readFormer(ctx context.Context, lists ...map[string]content.Address) (map[string][]string, error) {
	known, places := content.Above{}, map[string][]cms.Place{}
	var level, entries []content.Reference
	for _, found := range lists {
		for id, a := range found {
			if m := s.site.ModelByID(a.ModelID); m != nil && known[id].ModelID == "" {
				known[id], level = a, append(level, content.Reference{Model: m, ID: id})
			}
		}
	}
	entries = level
	for n := 0; len(level) > 0 && n <= 2*cms.MaxLevels; n++ {
		models, ids := make([]*site.Model, len(level)), make([]string, len(level))
		for i, ref := range level {
			models[i], ids[i] = ref.Model, ref.ID
		}
		trails, err := redirects.FormerPlaces(ctx, s.store.DB, models, ids)
		if err == nil {
			err = s.store.AddAbove(ctx, known, ids...)
		}
		if err != nil {
			return nil, err
		}
		for i, id := range ids {
			places[id] = append(trails[i], known[id].Place(id))
		}
		level = levelAbove(level, places)
	}
	addresses := map[string][]string{}
	for _, ref := range entries {
		addresses[ref.ID] = redirects.Links(ref.Model, places, ref.ID)
	}
	return addresses, nil
}

// levelAbove returns the entries whose slugs stand or stood in the addresses of those of a level, but for
// those whose places are known.
func levelAbove(level []content.Reference, places map[string][]cms.Place) (above []content.Reference) {
	for _, ref := range level {
		if !ref.Model.HasPath() {
			continue
		}
		for _, p := range places[ref.ID] {
			at := content.Reference{Model: ref.Model, ID: p.Parent}
			if _, known := places[p.Parent]; p.Parent != "" && !known && !slices.Contains(above, at) {
				above = append(above, at)
			}
		}
	}
	return above
}
