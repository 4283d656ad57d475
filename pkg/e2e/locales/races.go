package locales

import (
	"slices"
	"sync"
	"testing"

	"headless/pkg/e2e/kit"
)

// joinsAtOnce lets three entries join each other in a circle at the same time. Afterwards all
// members of a group must see the same group.
func joinsAtOnce(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	s.UseLocale(t, "fr", "Français")
	model, k, boss := s.Model(t, kit.Obj{"localized": true}), s.Key(t, nil), s.AdminKey(t)
	locales := []string{s.DefaultLocale(t), "de", "fr"}
	for range 8 {
		ids := make([]string, len(locales))
		for i, locale := range locales {
			ids[i] = k.Create(t, model, kit.Obj{"title": "One", "locale": locale}).Str(t, "data.id")
		}
		var all sync.WaitGroup
		for i, id := range ids {
			all.Go(func() {
				next := kit.Obj{"translation_of": ids[(i+1)%len(ids)]}
				if a := k.Do(t, "PUT /"+model+"/"+id, next); a.Status != 200 {
					t.Errorf("join: %d %s", a.Status, a.Raw)
				}
			})
		}
		all.Wait()
		seen := map[string][]string{}
		for _, id := range ids {
			a := boss.Get(t, "/"+model+"/"+id+"?translations=true")
			seen[id] = slices.Sorted(slices.Values(kit.Column(a.Get("data.translations"), "id")))
		}
		for id, members := range seen {
			for _, other := range members {
				kit.Same(t, id+" and "+other, seen[other], members)
			}
		}
	}
}
