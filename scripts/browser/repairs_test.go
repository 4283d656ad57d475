package browser

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image/color"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"headless/pkg/must"
)

// broken is a site with 1,000 pages: 60 have a link that leads to one of 6 deleted pages, 40 show a picture of
// their own without an alternative text, and 160 have no description.
func broken(t *testing.T) *site {
	t.Helper()
	s := newSite(t)
	s.call("POST", "/models", obj{"slug": "pages", "name": "Pages", "url": "/{slug}",
		"fields": []obj{{"name": "body", "label": "Text", "type": "richtext"},
			{"name": "cover", "label": "Cover", "type": "media"},
			{"name": "next", "label": "Next", "type": "relation", "model": "pages"}}})
	create := func(title string, data obj, description string) string {
		t.Helper()
		return s.made("/models/pages/entries", obj{"title": title, "status": "published",
			"seo": obj{"description": description}, "data": data})
	}
	var gone []string
	for i := range 6 {
		gone = append(gone, create(fmt.Sprint("Former page ", i), nil, fmt.Sprint("About former page ", i)))
	}
	for i := range 994 {
		data, description := obj{}, fmt.Sprint("What is on page ", i)
		switch {
		case i < 60:
			data["body"] = "See [more](cms://entry/" + gone[i%6] + ")."
		case i < 100:
			data["cover"] = s.upload(fmt.Sprintf("cover-%d.png", i), color.RGBA{uint8(i), 120, 90, 255})
		case i < 260:
			description = ""
		}
		create(fmt.Sprint("Page ", i), data, description)
	}
	s.call("POST", "/jobs", obj{"action": "delete", "model": "pages", "ids": gone})
	return s
}

// found waits until there are so many findings of a kind.
func (s *site) found(kind string, want int) {
	s.t.Helper()
	n := -1
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(5 * patience); time.Now().Before(end); <-tick.C {
		if n = s.findings(kind); n == want {
			return
		}
	}
	s.t.Fatalf("%d findings of %s, want %d", n, kind, want)
}

// findings counts the findings of a kind.
func (s *site) findings(kind string) int {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+"/admin/health?per_page=1&kind="+kind, nil)
	must.Do(s.t, err)
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Authorization", "Bearer "+s.token)
	res, err := http.DefaultClient.Do(req)
	must.Do(s.t, err)
	defer res.Body.Close()
	var answer struct{ Meta struct{ Total int } }
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil || res.StatusCode != http.StatusOK {
		s.t.Fatalf("findings: %s (%v)", res.Status, err)
	}
	return answer.Meta.Total
}

// TestBrowserRepairs repairs a site before its relaunch, as an editor does, and counts what that takes.
func TestBrowserRepairs(t *testing.T) {
	s := broken(t)
	s.found("link.gone", 60)
	s.found("alt.missing", 40)
	s.found("seo.description", 160)
	b := s.openTab()
	b.counted()

	s.act("mending 60 links to 6 deleted pages", func() {
		b.task("mending 60 links to 6 deleted pages", 21, "/health?kind=link.gone", func() {
			b.see("Former page 5 (in the trash)")
			b.click(`//thead//input[@type="checkbox"]`)
			b.press("//main", "Replace links")
			b.see("Places that link to it: 10")
			b.look(t, "the page that replaces links")
			for i := range 6 {
				b.click(fmt.Sprintf(`//main//button[@data-source][contains(., "Former page %d")]`, i))
				b.do(chromedp.WaitVisible(chromedp.CSS("dialog.picker")))
				b.keys(fmt.Sprint("Page 50", i))
				b.click(fmt.Sprintf(`//dialog//button[contains(@class, "choice")][contains(., "Page 50%d")]`, i))
			}
			b.press("//main", "Replace")
			b.see("Jobs")
			s.found("link.gone", 0)
		})
	})

	s.act("writing 40 alternative texts", func() {
		b.task("writing 40 alternative texts", 43, "/health?kind=alt.missing", func() {
			b.click(`//thead//input[@type="checkbox"]`)
			b.press("//main", "Write texts")
			b.see("Missing texts")
			b.look(t, "the page of missing texts")
			names := eval[[]string](b, `[...document.querySelectorAll("main [name^=alt-]")].map((i) => i.name)`)
			if len(names) != 40 {
				t.Fatalf("%d inputs for 40 pictures", len(names))
			}
			for i, name := range names {
				b.fill(name, fmt.Sprint("Cover ", i))
			}
			b.press("//main", "Save")
			s.found("alt.missing", 0)
		})
	})

	s.act("writing 160 descriptions in a CSV file", func() {
		b.task("writing 160 descriptions in a CSV file", 5, "/health?kind=seo.description&model=pages", func() {
			address := eval[string](b, `document.querySelector("main a[href*='texts.csv']").href`)
			b.press("//main", "Import CSV")
			b.see("Import")
			b.do(chromedp.SetUploadFiles(chromedp.CSS("main input[type=file]"), []string{s.filled(address)}))
			b.do(chromedp.SendKeys(chromedp.CSS("main [name=mode]"), "Published"))
			b.press("//main", "Import")
			s.found("seo.description", 0)
		})
	})
}

// act says how many requests and how much time something takes, without the thinking of a person.
func (s *site) act(name string, do func()) {
	s.t.Helper()
	from, n := time.Now(), s.asked.Load()
	do()
	s.t.Logf("%s: %d requests but for assets, %.1f s", name, s.asked.Load()-n, time.Since(from).Seconds())
}

// filled fetches a CSV file of texts, fills in its descriptions, as in a spreadsheet, and stores it.
func (s *site) filled(address string) (path string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, address, nil)
	must.Do(s.t, err)
	req.Header.Set("Authorization", "Bearer "+s.token)
	res, err := http.DefaultClient.Do(req)
	must.Do(s.t, err)
	defer res.Body.Close()
	rows, err := csv.NewReader(res.Body).ReadAll()
	if err != nil || len(rows) != 161 {
		s.t.Fatalf("%d rows (%v)", len(rows), err)
	}
	for _, row := range rows[1:] {
		row[3] = "A description of " + row[1]
	}
	var file bytes.Buffer
	must.Do(s.t, csv.NewWriter(&file).WriteAll(rows))
	path = filepath.Join(s.t.TempDir(), "texts.csv")
	must.Do(s.t, os.WriteFile(path, file.Bytes(), 0o600))
	return path
}
