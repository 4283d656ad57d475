package frame

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"headless/pkg/docs/pages"
	"headless/pkg/richtext"
)

// TestGuidesOfPages: the links to guides lead to pages and headings.
func TestGuidesOfPages(t *testing.T) {
	site := &pages.Site{HTML: richtext.Local, Log: slog.New(slog.DiscardHandler)}
	h := site.Handler(http.NotFoundHandler())
	for section, guide := range guides {
		name, id, _ := strings.Cut(guide, "#")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", pages.Base+"/"+name, nil))
		if w.Code != 200 || !strings.Contains(w.Body.String(), `id="`+id) {
			t.Errorf("%s: there is no %s", section, guide)
		}
	}
}
