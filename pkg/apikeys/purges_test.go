package apikeys

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
)

// TestPurgesOfKeys purges the answers to a key only for changes that they depend on (extensions §8).
func TestPurgesOfKeys(t *testing.T) {
	s := New(openTable(t), time.Now)
	keys := &Keys{Store: s}
	k, err := keys.Create(t.Context(), cms.Actor{}, map[string]any{"name": "Site", "kind": cms.KeyPublishable})
	must.Do(t, err)
	var purged []string
	s.OnPurge(func(p db.Purge) { purged = append(purged, p.Tags...) })
	for _, change := range []struct {
		body   map[string]any
		purges bool
	}{
		{map[string]any{"name": "Shop"}, false}, {map[string]any{"rate_limit": json.Number("900")}, false},
		{map[string]any{"origins": []any{"https://shop.example"}}, true},
		{map[string]any{"expires_at": "2999-01-01T00:00:00Z"}, true},
	} {
		purged = nil
		_, err := keys.Update(t.Context(), cms.Actor{}, k.ID, change.body, nil)
		must.Do(t, err)
		if slices.Contains(purged, cms.TagKey(k.ID)) != change.purges {
			t.Errorf("%v purges %v", change.body, purged)
		}
	}
	purged = nil
	must.Do(t, keys.Delete(t.Context(), cms.Actor{}, k.ID))
	if !slices.Contains(purged, cms.TagKey(k.ID)) {
		t.Errorf("the end of the key purges %v", purged)
	}
}
