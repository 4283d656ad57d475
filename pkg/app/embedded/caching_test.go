package embedded

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"headless/pkg/api/openapi"
	"headless/pkg/must"
)

// TestKeyedAnswersArePrivate reads every route of the API with a key: no shared cache may keep an
// answer, whether there is one or not.
func TestKeyedAnswersArePrivate(t *testing.T) {
	c := newClient(t, "read", "write", "delete")
	doc, err := openapi3.NewLoader().LoadFromData(openapi.JSON())
	must.Do(t, err)
	reads := 0
	for pattern, item := range doc.Paths.Map() {
		if item.Get == nil || item.Get.Security != nil && len(*item.Get.Security) == 0 {
			continue // public
		}
		reads++
		path := strings.NewReplacer("{model}", "posts", "{idOrSlug}", "x", "{id}", "x", "{slug}",
			"x").Replace(pattern)
		r := httptest.NewRequest(http.MethodGet, "/api/v1"+path, nil)
		r.Header.Set("X-API-Key", c.key)
		r.Header.Set("X-API-Secret", c.secret)
		w := httptest.NewRecorder()
		c.server.ServeHTTP(w, r)
		if got := w.Header().Get("Cache-Control"); !strings.Contains(got, "private") && got != "no-store" {
			t.Errorf("%s: %d with Cache-Control %q", path, w.Code, got)
		}
	}
	if reads < 8 {
		t.Errorf("only %d routes were read", reads)
	}
}
