package blob

import (
	"net/http/httptest"
	"testing"
)

func TestCaching(t *testing.T) {
	for _, row := range []struct {
		edition int
		query   string
		want    string
	}{
		{0, "", CacheForever}, {0, "?w=64", CacheForever}, {0, "?v=1", CacheForever},
		{0, "?v=2", CacheBriefly}, {0, "?v=", CacheBriefly}, {0, "?v=x", CacheBriefly},
		{2, "?v=2", CacheForever}, {2, "?v=2&w=64", CacheForever},
		{2, "", CacheBriefly}, {2, "?w=64", CacheBriefly}, {2, "?v=1", CacheBriefly}, {2, "?v=3", CacheBriefly},
	} {
		info := Info{Meta: Meta{Edition: row.edition}}
		if got := Caching(info, httptest.NewRequest("GET", "/media/a"+row.query, nil)); got != row.want {
			t.Errorf("edition %d, %q: %s", row.edition, row.query, got)
		}
	}
}
