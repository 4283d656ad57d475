package pages

import (
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"headless/pkg/docs"
	"headless/pkg/must"
	"headless/pkg/richtext"
)

// served returns a function that requests a path.
func served(t *testing.T) func(method, path string, status int) *httptest.ResponseRecorder {
	site := &Site{HTML: richtext.Local, URL: "https://cms.example.com", Log: slog.New(slog.DiscardHandler)}
	h := site.Handler(http.NotFoundHandler())
	return func(method, path string, status int) *httptest.ResponseRecorder {
		t.Helper()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, path, nil))
		if w.Code != status {
			t.Errorf("%s %s: %d, want %d", method, path, w.Code, status)
		}
		return w
	}
}

// TestGuides: every guide is in the index, and every link of a page leads to a page and a heading.
func TestGuides(t *testing.T) {
	get := served(t)
	pages := map[string]string{Base: get("GET", Base, 200).Body.String()}
	files, err := fs.ReadDir(docs.Files, ".")
	must.Do(t, err)
	for _, f := range files {
		name := strings.TrimSuffix(f.Name(), ".md")
		if name == index {
			continue
		}
		at := path.Join(Base, name)
		pages[at] = get("GET", at, 200).Body.String()
		if !strings.Contains(name, ".") && !strings.Contains(pages[Base], `href="`+at+`"`) {
			t.Errorf("the index has no link to %s", name)
		}
		if !strings.Contains(pages[at], "\n<h1 id=") {
			t.Errorf("%s is shown as text", name)
		}
	}
	link := regexp.MustCompile(`href="([^"]*)"`)
	for at, page := range pages {
		for _, m := range link.FindAllStringSubmatch(page, -1) {
			to, id, _ := strings.Cut(m[1], "#")
			switch {
			case to == "":
				to = at
			case strings.Contains(to, ":"), strings.HasPrefix(to, "/llms"), strings.HasPrefix(to, "/docs/style.css"),
				strings.HasPrefix(to, "/admin"):
				continue
			}
			if target, ok := pages[to]; !ok || id != "" && !strings.Contains(target, `id="`+id+`"`) {
				t.Errorf("%s links to %s, which is not there", at, m[1])
			}
		}
	}
}

// TestLinksOfTexts follows every link that programs and readers find in the Markdown of a running service.
func TestLinksOfTexts(t *testing.T) {
	get := served(t)
	files, err := fs.ReadDir(docs.Files, ".")
	must.Do(t, err)
	texts := []string{"/llms.txt"}
	for _, f := range files {
		texts = append(texts, path.Join(Base, f.Name()))
	}
	link, code := regexp.MustCompile(`\]\(([^)\s]+)\)`), regexp.MustCompile("(?s)```.*?```|`[^`\n]*`|\n    [^\n]*")
	for _, at := range texts {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(get("GET", at, 200).Body.String(), ""), -1) {
			to, err := url.Parse(m[1])
			if err != nil || to.Host != "" && to.Host != "cms.example.com" || to.Path == "" {
				continue
			}
			target := (&url.URL{Path: at}).ResolveReference(&url.URL{Path: to.Path}).Path
			if asset, ok := strings.CutPrefix(target, "/admin/"); ok {
				if _, err := os.Stat("../../admin/ui/" + asset); err != nil {
					t.Errorf("%s shows %s, which is not there", at, m[1])
				}
				continue
			}
			if get("GET", target, 200).Code != 200 {
				t.Errorf("%s links to %s, which is not there", at, m[1])
			}
		}
	}
	for line := range strings.Lines(get("GET", "/llms.txt", 200).Body.String()) {
		if strings.HasPrefix(line, "- ") && !strings.Contains(line, "](") {
			t.Errorf("llms.txt has a topic without a guide: %s", line)
		}
	}
}

// TestExamples: examples of the guides call the service where cms dev serves it.
func TestExamples(t *testing.T) {
	get := served(t)
	for _, m := range regexp.MustCompile(
		`localhost:(\d+)/(api|delivery|admin|mcp)`).FindAllStringSubmatch(get("GET", "/llms-full.txt", 200).Body.String(),
		-1) {
		if m[1] != "3000" {
			t.Errorf("an example calls %s", m[0])
		}
	}
}

// TestSearch: a search finds the section about its words, and shows what was typed as text.
func TestSearch(t *testing.T) {
	get := served(t)
	found := link(get("GET", "/docs/search?q=what+purge+costs", 200).Body.String())
	if len(found) == 0 || found[0] != "/docs/delivery#what-a-purge-costs" {
		t.Errorf("found %v", found)
	}
	page := get("GET", "/docs/search?q=%3Cscript%3Exyzzy", 200)
	if body := page.Body.String(); strings.Contains(body, "<script") || !strings.Contains(body, "Nothing has all words") {
		t.Error("what was typed is not shown as text")
	}
	if p := page.Header().Get("Content-Security-Policy"); !strings.HasPrefix(p, "default-src 'none'") {
		t.Errorf("the policy is %q", p)
	}
	get("GET", "/docs/search", 200)
}

// link returns the addresses of what a search found.
func link(page string) (list []string) {
	for _, m := range regexp.MustCompile(`<h2><a href="([^"]*)">`).FindAllStringSubmatch(page, -1) {
		list = append(list, m[1])
	}
	return list
}

// TestTexts: programs get the guides as Markdown.
func TestTexts(t *testing.T) {
	get := served(t)
	short := get("GET", "/llms.txt", 200).Body.String()
	if !strings.HasPrefix(short, "# Headless") || !strings.Contains(short, "](https://cms.example.com/docs/api.md)") ||
		!strings.Contains(short, "\n## Site developers\n") || strings.Contains(short, "](..") {
		t.Errorf("llms.txt is\n%s", short)
	}
	full := get("GET", "/llms-full.txt", 200).Body.String()
	for _, name := range []string{"api", "webhooks", "threats"} {
		if text := get("GET", "/docs/"+name+".md", 200).Body.String(); !strings.Contains(full, text) {
			t.Errorf("llms-full.txt lacks %s", name)
		}
	}
	get("HEAD", "/docs/", 200)
	get("GET", "/docs/style.css", 200)
	get("POST", "/docs", 405)
	for _, missing := range []string{"/docs/nothing", "/docs/nothing.md", "/docs/../../etc/passwd", "/docs/a/b",
		"/docsx"} {
		get("GET", missing, 404)
	}
}
