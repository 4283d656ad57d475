package delivery

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/menus"
	"headless/pkg/must"
	"headless/pkg/planning"
	"headless/pkg/planning/ahead"
	"headless/pkg/rights"
	"headless/pkg/site"
	"headless/pkg/table"
)

// changesOfOne is how many entries of each model and locale a preview changes in TestPreviewCost. With five models and
// two locales these are as many as there may be.
const changesOfOne = 100

// bodyOf decodes the body of a request.
func bodyOf(t *testing.T, text string) map[string]any {
	t.Helper()
	made, err := cms.DecodeObject([]byte(text))
	must.Do(t, err)
	return made
}

// TestPreviewCost counts what each kind of read costs more in a preview of the site with as many changes as there may
// be: three round trips and 500 read units more at most.
func TestPreviewCost(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	tx := w.stores.Begin()
	role := cms.Role{Slug: "writers", Name: "Writers",
		Rules: []cms.Rule{{Actions: []cms.Action{cms.ActionRead, cms.ActionWrite, cms.ActionPublish}}}}
	db.Docs[cms.Role]{DB: w.stores.DB, Kind: "role"}.Create(tx, string(role.Slug), role, nil)
	maker := cms.Actor{Name: "wr@example.com", Source: cms.SourceAdmin, UserID: "wr"}
	rights.Put(tx, cms.User{ID: maker.UserID, Email: maker.Name, Role: role.Slug, IsActive: true}, rights.SignIn{})
	must.Do(t, w.stores.Commit(ctx, tx))
	_, err := (&site.Locales{Store: w.stores.Site}).Create(ctx, editor, bodyOf(t, `{"code": "de", "name": "German"}`))
	must.Do(t, err)
	models := &site.Models{Store: w.stores.Site}
	for _, m := range []string{`{"slug": "people", "name": "People", "localized": true, "url": "/{locale}/people/{slug}"}`,
		`{"slug": "topics", "name": "Topics", "localized": true, "url": "/{locale}/topics/{slug}"}`,
		`{"slug": "news", "name": "News", "localized": true, "url": "/{locale}/news/{slug}", "fields": [{"name": "word", "type": "text"},
			{"name": "author", "type": "relation", "model": "people"}, {"name": "topic", "type": "relation", "model": "topics"}]}`,
		`{"slug": "home", "name": "Home", "kind": "single"}`,
		`{"slug": "events", "name": "Events", "localized": true, "url": "/{locale}/events/{slug}"}`,
		`{"slug": "pages", "name": "Pages", "localized": true, "tree": true, "url": "/{locale}/pages/{path}"}`} {
		_, err := models.Create(ctx, editor, bodyOf(t, m))
		must.Do(t, err)
	}
	schedules := planning.NewSchedules(w.entries)
	at := time.Now().Add(24 * time.Hour).UTC().Truncate(time.Second)
	change := func(model string, entry, draft map[string]any) (id, item string, err error) {
		e, err := w.entries.Create(ctx, editor, model, entry)
		if err == nil {
			_, err = w.entries.SaveDraft(ctx, editor, model, e.ID, draft, nil)
		}
		if err == nil {
			_, err = schedules.Put(ctx, maker, model, e.ID, map[string]any{"publish_at": at.Format(time.RFC3339)})
		}
		if err != nil {
			return "", "", err
		}
		return e.ID, fmt.Sprintf(`{"model": %q, "id": %q, "action": "publish"}`, model, e.ID), nil
	}
	slugs, locales := []string{"people", "topics", "events", "pages", "news"}, []string{"en", "de"}
	ids, items := map[string][]string{}, []string{}
	all := func(model, locale string) (made, added []string, err error) {
		for n := range changesOfOne {
			if model == "events" && locale == "de" && n == 0 {
				continue // home is one more
			}
			data, changed := map[string]any{}, map[string]any{}
			if model == "news" {
				data = map[string]any{"word": "a", "author": ids["people en"][n], "topic": ids["topics en"][n]}
				changed = map[string]any{"word": "b"}
			}
			draft := map[string]any{"title": "Changed", "data": changed}
			if n < 5 {
				draft["slug"] = fmt.Sprintf("new-%s-%d", model, n)
			}
			id, item, err := change(model, map[string]any{"title": "Stored", "status": "published", "locale": locale,
				"slug": fmt.Sprintf("%s-%d", model, n), "data": data}, draft)
			if err != nil {
				return nil, nil, err
			}
			made, added = append(made, id), append(added, item)
		}
		return made, added, nil
	}
	fill := func(slugs ...string) {
		var g errgroup.Group
		var mu sync.Mutex
		filled := map[string][]string{} // apart from ids, which others read meanwhile
		for _, model := range slugs {
			for _, locale := range locales {
				g.Go(func() error {
					made, added, err := all(model, locale)
					mu.Lock()
					defer mu.Unlock()
					filled[model+" "+locale], items = made, append(items, added...)
					return err
				})
			}
		}
		must.Do(t, g.Wait())
		maps.Copy(ids, filled)
	}
	fill(slugs[:4]...)
	fill("news")
	_, item, err := change("home", map[string]any{"title": "Stored", "status": "published"},
		map[string]any{"title": "Changed"})
	must.Do(t, err)
	items = append(items, item)
	p := ahead.Of(w.entries)
	release, err := p.Releases.Create(ctx, maker, bodyOf(t, `{"name": "All", "items": [`+strings.Join(items, ",")+`]}`))
	must.Do(t, err)
	var links []string
	for _, slug := range slugs {
		links = append(links, `{"label": "A", "entry": {"model": "`+slug+`", "id": "`+ids[slug+" en"][0]+`"}}`)
	}
	_, err = (&menus.Menus{Store: w.stores.Content}).Create(ctx, editor, bodyOf(t, `{"slug": "main", "name": "Main",
		"items": {"en": [`+strings.Join(links, ",")+`]}}`))
	must.Do(t, err)
	must.Do(t, w.entries.FlushTexts(ctx))
	must.Do(t, w.entries.MergeTotals(ctx))
	get(w.fresh, w.base+"/news?per_page=5") // makes the key of cursors

	for kind, shown := range map[string]map[string]any{"drafts": {"drafts": true}, "release": {"release": release.ID},
		"time": {"at": at.Format(time.RFC3339)}} {
		made, err := p.Create(cms.WithPermissions(ctx, cms.NewPermissions(role.Rules)), maker, shown)
		must.Do(t, err)
		if made.Changes != 1_000 {
			t.Errorf("%s: %d changes", kind, made.Changes)
		}
		for name, read := range map[string]struct {
			path, before, shows string // before: the same read without a preview, "" for path
		}{
			"list":           {"/news?per_page=20&sort=slug", "", "Changed"},
			"list of German": {"/news?per_page=20&locale=de", "", "Changed"},
			"filter and sort": {"/news?per_page=20&filter[data.word]=b&sort=-title",
				"/news?per_page=20&filter[data.word]=a&sort=-title", `"total":100`},
			"last page":            {"/news?per_page=20&page=5", "", `"total":100`},
			"any locale":           {"/news?per_page=20&locale=any", "", `"total":200`},
			"includes":             {"/news?per_page=20&include=author,topic", "", "Changed"},
			"single":               {"/home", "", "Changed"},
			"by id":                {"/news/" + ids["news en"][7], "", "Changed"},
			"by id, with includes": {"/news/" + ids["news en"][7] + "?include=author,topic", "", "Changed"},
			"by slug":              {"/news/new-news-1", "/news/news-1", "Changed"},
			"by former slug":       {"/news/news-1", "", `"moved_to":"new-news-1"`},
			"resolve":              {"/resolve?path=/en/news/new-news-1", "/resolve?path=/en/news/news-1", "Changed"},
			"resolve former slug":  {"/resolve?path=/en/news/news-1", "", "/news/new-news-1"},
			"tree":                 {"/pages/tree", "", "Changed"},
			"menu":                 {"/menus/main", "", "/news/new-news-0"},
			"sitemap":              {"/sitemap-1.xml", "", "/events/new-events-1"},
		} {
			t.Run(kind+"/"+name, func(t *testing.T) {
				trips, units, text := w.costOfPreview(t, cmp.Or(read.before, read.path), read.path, made.Token)
				if !strings.Contains(text, read.shows) {
					t.Errorf("it does not show %q: %.500s", read.shows, text)
				}
				if trips > 3 || units > 500 {
					t.Errorf("it takes %d round trips and %.0f read units more", trips, units)
				}
			})
		}
	}
}

// TestPreviewCostOfFollowing counts round trips where changes change other entries: translations that share values,
// and entries below one that is unpublished.
func TestPreviewCostOfFollowing(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	_, err := (&site.Locales{Store: w.stores.Site}).Create(ctx, editor, bodyOf(t, `{"code": "de", "name": "German"}`))
	must.Do(t, err)
	models := &site.Models{Store: w.stores.Site}
	for _, m := range []string{`{"slug": "docs", "name": "Docs", "localized": true, "url": "/docs/{locale?}/{slug}",
		"fields": [{"name": "code", "type": "text", "translatable": false}]}`,
		`{"slug": "pages", "name": "Pages", "tree": true, "url": "/pages/{path}"}`} {
		_, err := models.Create(ctx, editor, bodyOf(t, m))
		must.Do(t, err)
	}
	create := func(model, text string) string {
		e, err := w.entries.Create(ctx, editor, model, bodyOf(t, text))
		must.Do(t, err)
		return e.ID
	}
	doc := create("docs", `{"title": "Doc", "slug": "doc", "status": "published", "data": {"code": "old"}}`)
	create("docs", `{"title": "Dok", "slug": "dok", "locale": "de", "status": "published", "translation_of": "`+doc+`"}`)
	_, err = w.entries.SaveDraft(ctx, editor, "docs", doc, bodyOf(t, `{"slug": "moved", "data": {"code": "new"}}`), nil)
	must.Do(t, err)
	top := create("pages", `{"title": "Top", "slug": "top", "status": "published"}`)
	create("pages", `{"title": "Below", "slug": "below", "status": "published", "parent": "`+top+`"}`)
	create("pages", `{"title": "Other", "slug": "other", "status": "published"}`)
	p := ahead.Of(w.entries)
	at := time.Now().Add(24 * time.Hour).UTC().Format(time.RFC3339)
	release, err := p.Releases.Create(ctx, editor, bodyOf(t, `{"name": "R", "publish_at": "`+at+`", "items": [
		{"model": "docs", "id": "`+doc+`", "action": "publish"},
		{"model": "pages", "id": "`+top+`", "action": "unpublish", "children": "down"}]}`))
	must.Do(t, err)
	get(w.fresh, w.base+"/docs?per_page=1")
	for kind, shown := range map[string]map[string]any{"drafts": {"drafts": true}, "release": {"release": release.ID},
		"time": {"at": at}} {
		made, err := p.Create(ctx, editor, shown)
		must.Do(t, err)
		for path, want := range map[string]string{"/docs?locale=de": `"code":"new"`, "/docs/dok?locale=de": `"code":"new"`,
			"/resolve?path=/docs/doc": "/docs/moved", "/docs/doc": `"moved_to":"moved"`,
			"/docs/dok?locale=de&fallback=true": `"code":"new"`,
			"/pages":                            `"total":1`, "/resolve?path=/docs/moved": `"code":"new"`} {
			before := strings.Replace(path, "moved", "doc", 1)
			if kind == "drafts" && path == "/pages" {
				continue // drafts unpublish nothing
			}
			t.Run(kind+path, func(t *testing.T) {
				trips, units, text := w.costOfPreview(t, before, path, made.Token)
				if !strings.Contains(text, want) {
					t.Errorf("it does not show %q: %.500s", want, text)
				}
				if trips > 3 || units > 60 {
					t.Errorf("it takes %d round trips and %.0f read units more", trips, units)
				}
			})
		}
	}
}

// costOfPreview returns what a read costs more with a preview than another one without, in a warm process, and its
// answer.
func (w *world) costOfPreview(t *testing.T, before, path, token string) (trips int, units float64, answer string) {
	synctest.Test(t, func(t *testing.T) {
		counting := table.NewCounting(table.NewFaulty(uncounted{w.stores.Table}, table.Latency(10*time.Millisecond)))
		origin := startProcess(counting, time.Now).origin
		ask := func(path string) (u table.Usage, text string) {
			for range 2 { // the first one is cold
				counting.Reset()
				a := get(origin, w.base+path)
				u, text = counting.Snapshot(), a.Body.String()
				if a.Code != http.StatusOK && strings.Contains(path, "preview=") {
					t.Fatalf("%s: %d %s", path, a.Code, text)
				}
			}
			return u, text
		}
		join := "?"
		if strings.Contains(path, "?") {
			join = "&"
		}
		plain, _ := ask(before)
		used, text := ask(path + join + "preview=" + token)
		trips, units, answer = used.RoundTrips-plain.RoundTrips, used.ReadUnits-plain.ReadUnits, text
		t.Logf("%d round trips and %.0f read units, %d and %.0f more", used.RoundTrips, used.ReadUnits, trips, units)
	})
	return trips, units, answer
}

// uncounted is a table without counters of requests: a bubble of synctest cannot wait for writes of a table outside.
type uncounted struct{ table.Table }

func (uncounted) Add(context.Context, table.Key, int64, int64, int64) (int64, error) { return 1, nil }
