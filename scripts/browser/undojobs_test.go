package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"headless/pkg/must"
)

// TestBrowserUndoJobs takes back replaced links, that undo, and an upload of redirects, by the buttons of their pages.
func TestBrowserUndoJobs(t *testing.T) {
	for name, scripts := range map[string]bool{"scripts": true, "no scripts": false} {
		t.Run(name, func(t *testing.T) {
			s, files := library(t)
			lamps := obj{"title": "Lamps", "data": obj{"cover": files[0]}}
			post := s.call("POST", "/models/posts/entries", lamps)["id"].(string)
			job := s.call("POST", "/media/"+files[0]+"/replace", obj{"with": files[1]})["id"].(string)
			b := s.openTabWith(scripts)
			seen := func(text string) {
				t.Helper()
				if !scripts { // the page of a job does not refresh itself
					b.until(text, func() bool {
						title := eval[string](b, "document.readyState === 'complete' ? document.title : ''")
						if strings.Contains(title, text) || title == "" || b.loading.Load() {
							return strings.Contains(title, text)
						}
						b.open(strings.TrimPrefix(eval[string](b, "location.pathname"), "/admin"))
						return false
					})
				}
				b.see(text)
			}
			undo := func(text string) {
				t.Helper()
				before := eval[string](b, "location.pathname")
				b.press("//main", "Undo")
				b.until("the page of the next job", func() bool { return eval[string](b, "location.pathname") != before })
				seen(text)
			}
			b.open("/jobs/" + job)
			seen("Replace links: 1 of 1")
			for _, want := range []string{files[0], files[1]} {
				undo("Undo: 1 of 1")
				if got := s.call("GET", "/models/posts/entries/"+post, nil)["data"].(obj)["cover"]; got != want {
					t.Errorf("the cover is %v, want %s", got, want)
				}
			}
			path := filepath.Join(t.TempDir(), "redirects.csv")
			must.Do(t, os.WriteFile(path, []byte("/old,/new\n/older,/old\n"), 0o600))
			b.open("/redirects.csv/upload")
			b.do(chromedp.SetUploadFiles(chromedp.CSS("main input[type=file]"), []string{path}))
			b.press("//main", "Upload")
			b.see("Every line was taken.")
			if scripts {
				b.audit(t, "uploaded redirects")
			}
			undo("Undo: 2 of 2")
			b.press("//main", "Back to the list")
			b.see("No redirects yet.")
		})
	}
}
