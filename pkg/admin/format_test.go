package admin_test

import (
	"net/http"
	"strings"
	"testing"

	"headless/pkg/db"
	"headless/pkg/must"
	siteroom "headless/pkg/site"
	"headless/pkg/table"
)

// TestOtherFormat: over rows of another format nobody can sign in, since that would write rows.
func TestOtherFormat(t *testing.T) {
	s := newSite(t)
	tbl := s.store.Site.Table
	for shard := range 8 {
		found, err := tbl.Get(t.Context(), table.Strong, siteroom.ConfigKey(shard))
		if err != nil || found[0] == nil {
			t.Fatal(found, err)
		}
		item := *found[0]
		item.Body[len(item.Body)-1] = db.Format + 1
		must.Do(t, tbl.BatchWrite(t.Context(), []table.Item{item}, nil))
	}
	s.open(t, tbl)
	for path, body := range map[string]map[string]any{
		"/login":  {"email": adminEmail, "password": password},
		"/models": {"slug": "posts", "name": "Posts"},
	} {
		a := client{s, ""}.do(t, "POST", path, body)
		if a.Code != http.StatusServiceUnavailable || !strings.Contains(a.Error.Message, "newer version") {
			t.Errorf("%s: %d %s", path, a.Code, a.Body)
		}
	}
}
