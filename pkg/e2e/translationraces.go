package e2e

import (
	"slices"
	"sync"
	"testing"
)

// joinsAtOnce lets three entries join each other in a circle at the same time. Afterwards all
// members of a group must see the same group.
func joinsAtOnce(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	s.useLocale(t, "fr", "Français")
	model, k, boss := s.model(t, obj{"localized": true}), s.key(t, nil), s.adminKey(t)
	locales := []string{s.defaultLocale(t), "de", "fr"}
	for range 8 {
		ids := make([]string, len(locales))
		for i, locale := range locales {
			ids[i] = k.create(t, model, obj{"title": "One", "locale": locale}).str(t, "data.id")
		}
		var all sync.WaitGroup
		for i, id := range ids {
			all.Go(func() {
				next := obj{"translation_of": ids[(i+1)%len(ids)]}
				if a := k.do(t, "PUT /"+model+"/"+id, next); a.Status != 200 {
					t.Errorf("join: %d %s", a.Status, a.Raw)
				}
			})
		}
		all.Wait()
		seen := map[string][]string{}
		for _, id := range ids {
			a := boss.ok(t, 200, "GET /"+model+"/"+id+"?translations=true", nil)
			seen[id] = slices.Sorted(slices.Values(column(a.get("data.translations"), "id")))
		}
		for id, members := range seen {
			for _, other := range members {
				if !slices.Equal(seen[other], members) {
					t.Errorf("%s sees %v, %s sees %v", id, members, other, seen[other])
				}
			}
		}
	}
}
