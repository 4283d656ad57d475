package urls

import (
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/site"
)

func TestClean(t *testing.T) {
	for path, want := range map[string]string{
		"/": "/", "/a/": "/a", "/a?b#c": "/a", "/a#b?c": "/a", "/%61%2Fb": "/a/b", "/%2561": "/%61",
		"/%zz%4": "/%zz%4", "/a%3Fb": "/a?b", "/%C3%A9": "/é", "": "!", "a": "!", "//a": "!",
		"/" + strings.Repeat("é", 1999): "/" + strings.Repeat("é", 1999), "/" + strings.Repeat("a", 2000): "!",
	} {
		got, err := Clean(path)
		if err != nil {
			got = "!"
		}
		if got != want {
			t.Errorf("%.20q: %q, want %q", path, got, want)
		}
	}
}

func TestMatches(t *testing.T) {
	now := &site.Site{Default: "en", Models: map[string]*site.Model{},
		Locales: []cms.Locale{{Code: "en", IsActive: true, IsDefault: true}, {Code: "de", IsActive: true}}}
	add := func(slug, url string, kind cms.ModelKind, localized bool) {
		now.Models[slug] = &site.Model{Model: cms.Model{Slug: slug, URL: url, Kind: kind, Localized: localized,
			IsActive: true, Home: "start"}}
	}
	const id = "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"
	add("posts", "/{locale?}/posts/{slug}", cms.KindCollection, true)
	add("dated", "/news/{year}/{month}-{slug}.html", cms.KindCollection, false)
	add("ids", "/i/{id}", cms.KindCollection, false)
	add("about", "/{locale}/about", cms.KindSingle, true)
	add("all", "/all", cms.KindCollection, false)
	add("open", "/{slug}", cms.KindCollection, true)
	add("tree", "/t/{path}", cms.KindCollection, false)
	add("away", "https://other.example/{slug}", cms.KindCollection, false)
	add("query", "/p?id={id}", cms.KindCollection, false)
	for path, want := range map[string]string{
		"/posts/hello":                      "posts en hello",
		"/de/posts/hello":                   "posts de hello",
		"/en/posts/hello":                   "posts en hello", // refused later: it is not the entry's URL
		"/posts":                            "posts en start, open en posts, open de posts",
		"/news/2026/03-hello.html":          "dated en hello",
		"/news/2026/3-hello.html":           "",
		"/i/" + id:                          "ids en " + id,
		"/i/x":                              "",
		"/de/about":                         "about de ",
		"/fr/about":                         "",
		"/all":                              "open en all, open de all",
		"/":                                 "open en start, open de start",
		"/t":                                "tree en start, open en t, open de t",
		"/t/a/b":                            "tree en a/b",
		"/t/A":                              "",
		"/t/a/" + strings.Repeat("b", 1990): "",
		"/p":                                "open en p, open de p",
		"/Big":                              "",
		"/posts/" + id:                      "",
		"/de":                               "open en de, open de de",
	} {
		var got []string
		for _, m := range Matches(now, path) {
			got = append(got, m.Model.Slug+" "+m.Locale+" "+strings.Join(append(m.Above, m.Slug+m.ID), "/"))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %s, want %s", path, strings.Join(got, ", "), want)
		}
	}
}
