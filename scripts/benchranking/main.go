// Command benchranking measures how well searches rank: it searches for the titles and the headings
// of real pages and prints the mean reciprocal rank of the page that each comes from, 1 where it is
// always the first result.
//
//	go run ./scripts/benchranking -docs pages.jsonl.gz
//
// A line of the file is a page in JSON: locale, slug, title and body, which is Markdown. Beside
// each figure stands that of SQLite's FTS5, where python3 is at hand. Titles and headings that
// several pages of a locale share are left out.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	_ "embed"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/fulltext/analysis"
	"headless/pkg/rooms"
	"headless/pkg/search"
	"headless/pkg/site"
	"headless/pkg/table/bolt"
	"headless/scripts/internal/program"
)

// page is one line of the file.
type page struct {
	Locale string `json:"locale"`
	Slug   string `json:"slug"`
	Title  string `json:"title"`
	Body   string `json:"body"`
}

// query looks for a page by a text that only this page of its locale has as title or heading.
type query struct {
	Kind   string `json:"kind"`
	Locale string `json:"locale"`
	Text   string `json:"text"`
	Slug   string `json:"slug"`
}

// maxHeadings is how many headings of a page are searched for.
const maxHeadings = 2

func main() {
	docs := flag.String("docs", "", "file of pages, JSON lines, packed with gzip")
	locales := flag.String("locales", "en,de,fr,es,ja,ko,zh-cn,ru,ar", "locales to search in")
	misses := flag.Bool("misses", false, "print the queries whose page is not the first result")
	flag.Parse()
	program.Main("benchranking", func(ctx context.Context) error {
		return run(ctx, *docs, strings.Split(*locales, ","), *misses)
	})
}

func run(ctx context.Context, docs string, locales []string, misses bool) error {
	pages, err := read(docs, locales)
	if err != nil {
		return err
	}
	queries := queriesOf(pages)
	fmt.Printf("%d pages, %d queries\n", len(pages), len(queries))
	ours, err := ranks(ctx, pages, queries)
	if err != nil {
		return err
	}
	theirs, err := fts5(ctx, pages, queries)
	if err != nil {
		fmt.Println("no figures of FTS5:", err)
	}
	if misses {
		for i, q := range queries {
			if ours[i] != 1 {
				fmt.Printf("%s %s %q: rank %d of %s\n", q.Locale, q.Kind, q.Text, ours[i], q.Slug)
			}
		}
	}
	report(queries, ours, theirs)
	return nil
}

// read reads the pages of some locales.
func read(file string, locales []string) ([]page, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	var pages []page
	lines := bufio.NewScanner(unpacked)
	for lines.Buffer(nil, 4<<20); lines.Scan(); {
		var p page
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			return nil, err
		}
		if slices.Contains(locales, strings.ToLower(p.Locale)) {
			if language, region, ok := strings.Cut(p.Locale, "-"); ok {
				p.Locale = language + "-" + strings.ToUpper(region)
			}
			pages = append(pages, p)
		}
	}
	return pages, lines.Err()
}

// queriesOf are the titles and the first headings of pages, as far as they are unique.
func queriesOf(pages []page) []query {
	count := map[string]int{}
	var all []query
	add := func(kind string, p page, text string) {
		count[kind+p.Locale+strings.ToLower(text)]++
		all = append(all, query{kind, p.Locale, text, p.Slug})
	}
	for _, p := range pages {
		add("title", p, p.Title)
		for i, heading := range analysis.Headings(p.Body) {
			if i < maxHeadings && len(strings.Fields(heading)) < 12 {
				add("heading", p, strings.TrimSpace(heading))
			}
		}
	}
	return slices.DeleteFunc(all, func(q query) bool {
		return q.Text == "" || count[q.Kind+q.Locale+strings.ToLower(q.Text)] > 1 ||
			len(analysis.ParseQuery(q.Text, q.Locale).Terms) == 0
	})
}

// firstPage is how far down a page is looked for.
const firstPage = 20

// ranks searches for every query and returns the places of the pages, 0 for one that is not among
// the first.
func ranks(ctx context.Context, pages []page, queries []query) ([]int, error) {
	dir, err := os.MkdirTemp("", "ranking")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	t, err := bolt.Open(filepath.Join(dir, "table.db"))
	if err != nil {
		return nil, err
	}
	st := rooms.New(t, time.Now)
	if err := storePages(ctx, st, pages); err != nil {
		return nil, errors.Join(err, st.Close())
	}
	siteNow, err := st.Site.Site(ctx)
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	places := make([]int, len(queries))
	for i, q := range queries {
		found, err := search.Search(ctx, st.Content, siteNow, search.Query{
			Paging: db.Paging{Page: 1, PerPage: firstPage}, Q: q.Text, Locales: []string{q.Locale},
			Statuses: []cms.Status{cms.StatusPublished},
		})
		if err != nil {
			return nil, errors.Join(err, st.Close())
		}
		places[i] = 1 + slices.IndexFunc(found.Items, func(r search.Result) bool { return r.Slug == q.Slug })
	}
	return places, st.Close()
}

// storePages stores the pages as entries.
func storePages(ctx context.Context, st *rooms.Stores, pages []page) error {
	locales := &site.Locales{Store: st.Site}
	if err := locales.EnsureDefault(ctx); err != nil {
		return err
	}
	known := map[string]bool{"en": true}
	for _, p := range pages {
		if known[p.Locale] {
			continue
		}
		known[p.Locale] = true
		body := map[string]any{"code": p.Locale, "name": p.Locale, "native_name": p.Locale,
			"direction": "ltr", "is_active": true}
		if _, err := locales.Create(ctx, cms.Actor{}, body); err != nil {
			return err
		}
	}
	model := map[string]any{"slug": "pages", "name": "Pages", "localized": true,
		"fields": []any{map[string]any{"name": "body", "type": "richtext", "searchable": true}}}
	if _, err := (&site.Models{Store: st.Site}).Create(ctx, cms.Actor{}, model); err != nil {
		return err
	}
	entries := &editing.Entries{Store: st.Content}
	for _, p := range pages {
		body := map[string]any{"title": p.Title, "slug": p.Slug, "locale": p.Locale,
			"status": "published", "data": map[string]any{"body": p.Body}}
		if _, err := entries.Create(ctx, cms.Actor{}, "pages", body); err != nil {
			return fmt.Errorf("%s %s: %w", p.Locale, p.Slug, err)
		}
	}
	return entries.FlushTexts(ctx)
}

//go:embed fts5.py
var fts5Program string

// fts5 asks SQLite the same.
func fts5(ctx context.Context, pages []page, queries []query) ([]int, error) {
	input, err := json.Marshal(map[string]any{"pages": pages, "queries": queries, "depth": firstPage})
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "python3", "-c", fts5Program)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var places []int
	return places, json.Unmarshal(out, &places)
}

// report prints the mean reciprocal ranks by locale and kind, and over all.
func report(queries []query, ours, theirs []int) {
	type sum struct {
		n            int
		ours, theirs float64
	}
	sums := map[string]*sum{}
	for i, q := range queries {
		for _, key := range []string{q.Locale + " " + q.Kind, "all " + q.Kind, "all"} {
			s := cmp.Or(sums[key], &sum{})
			sums[key] = s
			s.n++
			s.ours += reciprocal(ours[i])
			if theirs != nil {
				s.theirs += reciprocal(theirs[i])
			}
		}
	}
	row(os.Stdout, "", "queries", "here", "FTS5")
	for _, key := range slices.Sorted(maps.Keys(sums)) {
		s := sums[key]
		row(os.Stdout, key, s.n, mean(s.ours, s.n), mean(s.theirs, s.n))
	}
	fmt.Println("goal: 0.92 over all")
}

func row(w io.Writer, columns ...any) {
	fmt.Fprintf(w, "%-16v %8v %6v %6v\n", columns...)
}

func mean(sum float64, n int) string { return fmt.Sprintf("%.3f", sum/float64(n)) }

func reciprocal(place int) float64 {
	if place == 0 {
		return 0
	}
	return 1 / float64(place)
}
