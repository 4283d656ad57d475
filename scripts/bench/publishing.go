package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"time"

	"headless/pkg/api"
	"headless/pkg/api/pipeline"
	"headless/pkg/apikeys"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/delivery"
	"headless/pkg/editing"
	"headless/pkg/links"
	"headless/pkg/links/preview"
	"headless/pkg/planning"
	"headless/pkg/planning/ahead"
	"headless/pkg/planning/bulk"
	"headless/pkg/rooms"
	"headless/pkg/search"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/translations"
)

const (
	translated = 20 // entries that get a translation
	batch      = 50 // entries of a job and of a release
	// usedFile is a media file to which texts refer.
	usedFile = "0190a000-0000-7000-8000-000000000001"
)

// publishing measures the requests of editors: drafts, translations, previews, schedules, where
// used, jobs and releases.
type publishing struct {
	*contentBench
	ctx     context.Context
	api     http.Handler
	st      *rooms.Stores
	entries *editing.Entries
	ask     func(request)                                // measures a request
	measure func(name string, each int, do func() error) // measures a function that is not a request, per item
	ids     []string                                     // of entries that have a translation
}

// run measures everything; it adds entries to the content.
func (p *publishing) run() error {
	for _, step := range []func() error{p.translate, p.translations, p.drafts, p.whereUsed, p.measureMissing,
		p.measureDelivery, p.jobs, p.releases, p.together, p.measureResolve, p.findings} {
		if err := step(); err != nil {
			return err
		}
		if err := errors.Join(p.entries.FlushTexts(p.ctx), p.entries.MergeTotals(p.ctx)); err != nil {
			return err
		}
	}
	return nil
}

// translate adds a locale, and translations of new entries whose texts refer to a file.
func (p *publishing) translate() error {
	locale := map[string]any{"code": "de", "name": "German", "native_name": "Deutsch",
		"direction": "ltr", "fallback": "en"}
	if _, err := (&site.Locales{Store: p.st.Site}).Create(p.ctx, actor, locale); err != nil &&
		cms.CodeOf(err) != cms.CodeConflict && cms.CodeOf(err) != cms.CodeValidationFailed {
		return err
	}
	ids, err := p.create(translated, "published", map[string]any{"teaser": "/media/" + usedFile})
	if err != nil {
		return err
	}
	for _, id := range ids {
		_, err := p.entries.Create(p.ctx, actor, model,
			map[string]any{"title": "Deutsch", "locale": "de", "status": "published", "translation_of": id})
		if err != nil {
			return err
		}
	}
	p.ids = ids
	return nil
}

// create creates entries.
func (p *publishing) create(n int, status string, data map[string]any) (ids []string, err error) {
	for i := range n {
		one := article(p.n + 100 + i)
		maps.Copy(one["data"].(map[string]any), data)
		one["slug"], one["status"] = nil, status
		e, err := p.entries.Create(p.ctx, actor, model, one)
		if err != nil {
			return nil, err
		}
		ids = append(ids, e.ID)
	}
	return ids, nil
}

// warm measures a read after it has run once.
func (p *publishing) warm(q request) {
	_, _ = p.contentBench.askHandler(p.api, q) // an error shows up in the measurement
	p.ask(q)
}

func (p *publishing) translations() error {
	now, err := p.st.Site.Site(p.ctx)
	if err != nil {
		return err
	}
	one, err := p.st.Content.Entry(p.ctx, now.Models[model], p.ids[0])
	if err != nil {
		return err
	}
	list := "/" + model + "?per_page=20"
	p.warm(request{"list of 20 with translations", "GET", list + "&translations=true", "", 200})
	p.warm(request{"fallback, list of 20", "GET", list + "&locale=de&fallback=true", "", 200})
	p.warm(request{"fallback, by id", "GET", "/" + model + "/" + one.ID + "?locale=de&fallback=true", "", 200})
	p.warm(request{"fallback, by slug", "GET", "/" + model + "/" + one.Slug + "?locale=de&fallback=true", "", 200})
	return nil
}

// drafts measures the requests for a draft of a published entry, and its preview.
func (p *publishing) drafts() error {
	at := "/" + model + "/" + p.ids[0]
	p.ask(request{"save a draft", "PUT", at + "/draft", `{"title": "Changed", "data": {"rank": 7}}`, 200})
	p.ask(request{"save a draft again", "PUT", at + "/draft", `{"title": "Changed again"}`, 200})
	var link preview.Link
	var err error
	p.measure("make a preview link", 1, func() error {
		link, err = preview.Links{Entries: p.entries}.Create(p.ctx, actor, model, p.ids[0], map[string]any{})
		return err
	})
	p.warm(request{"preview by id", "GET", at + "?preview=" + link.Token, "", 200})
	var made ahead.Made
	p.measure("make a preview of the site", 1, func() error {
		made, err = ahead.Of(p.entries).Create(p.ctx, actor, map[string]any{"drafts": true})
		return err
	})
	p.warm(request{"preview of the site, by id", "GET", at + "?preview=" + made.Token, "", 200})
	p.warm(request{"preview of the site, list of 20", "GET", "/" + model + "?per_page=20&preview=" + made.Token, "", 200})
	p.ask(request{"publish a draft", "POST", at + "/publish", "", 200})
	p.ask(request{"unpublish, keeping the entry", "POST", at + "/unpublish", "", 200})
	schedules := planning.NewSchedules(p.entries)
	p.measure("plan a publication", 1, func() error {
		_, err := schedules.Put(p.ctx, actor, model, p.ids[0],
			map[string]any{"publish_at": time.Now().AddDate(1, 0, 0).UTC().Format(time.RFC3339)})
		return err
	})
	p.measure("drop a plan", 1, func() error { return schedules.Delete(p.ctx, actor, model, p.ids[0]) })
	p.measure("duplicate", 1, func() error {
		_, err := p.entries.Duplicate(p.ctx, actor, model, p.ids[0], map[string]any{}, false)
		return err
	})
	return err
}

func (p *publishing) whereUsed() error {
	p.measure(fmt.Sprintf("where used, at %d places", translated), 1, func() error {
		page, err := links.Usage{Store: p.st.Content}.List(p.ctx, usedFile, db.Paging{Page: 1, PerPage: 25})
		if err == nil && page.Total < translated {
			err = fmt.Errorf("the file is used at %d places only", page.Total)
		}
		return err
	})
	p.measure("delete if unused, refused", 1, func() error {
		err := links.Usage{Store: p.st.Content}.DeleteUnused(p.ctx, usedFile, true,
			func(*db.Deletion) error { return errors.New("the file counts as unused") })
		if cms.CodeOf(err) == cms.CodeInUse {
			return nil
		}
		return err
	})
	return nil
}

// measureMissing measures the lists of entries without a translation in a locale, and of outdated entries.
func (p *publishing) measureMissing() error {
	now, err := p.st.Site.Site(p.ctx)
	if err != nil {
		return err
	}
	m := now.Models[model]
	for name, f := range map[string]query.Filter{
		"list of 20 missing in a locale": {Path: "missing", Op: query.OpEq, Values: []string{"de"}},
		"list of 20 outdated":            {Path: "outdated", Op: query.OpEq, Values: []string{"true"}},
	} {
		p.measure(name, 1, func() error {
			q, err := translations.Choice{Filters: []query.Filter{f}}.Query(p.ctx, p.st.Content, now, m)
			if err != nil {
				return err
			}
			q.Paging = db.Paging{Page: 1, PerPage: 20}
			_, err = search.List(p.ctx, p.st.Content, now, m, q)
			return err
		})
	}
	return nil
}

// measureDelivery measures uncached responses of the delivery API.
func (p *publishing) measureDelivery() error {
	key, err := (&apikeys.Keys{Store: p.st.Keys}).Create(p.ctx, actor,
		map[string]any{"kind": "publishable", "name": "bench", "rate_limit": json.Number("1000000")})
	if err != nil {
		return err
	}
	log := slog.New(slog.DiscardHandler)
	h := delivery.New(delivery.Config{
		Keys: p.st.Keys, Log: log, Entries: p.entries, LogRequest: func(db.RequestLine) {},
		Reader: pipeline.NewReader(p.st.Keys, log, api.SiteRoutes(), api.ContentRoutes(p.entries),
			api.SearchRoutes(p.entries)),
	})
	for _, q := range [][2]string{{"delivery, by id", "/" + p.ids[1]},
		{"delivery, list of 20", "?per_page=20"}} {
		name, path := q[0], q[1]
		read := func() error {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("GET", delivery.Base+"/"+key.PublicKey+"/"+model+path, nil))
			if w.Code != 200 {
				return fmt.Errorf("%s: %d %.300s", name, w.Code, w.Body)
			}
			return nil
		}
		if err := read(); err != nil { // fill the caches first
			return err
		}
		p.measure(name, 1, read)
	}
	return nil
}

// jobs measures a whole job.
func (p *publishing) jobs() error {
	ids, err := p.create(batch, "draft", nil)
	if err != nil {
		return err
	}
	list := slice.Map(ids, func(id string) any { return id })
	jobs := &bulk.Jobs{Store: p.st.Content, Entries: p.entries}
	p.measure(fmt.Sprintf("job that publishes %d, each", batch), batch, func() error {
		j, err := jobs.Create(p.ctx, actor, map[string]any{"action": planning.ActionPublish,
			"model": model, "ids": list})
		if err == nil {
			err = work(p.ctx, j.ID, jobs.Work)
		}
		return err
	})
	return nil
}

// releases measures a whole release.
func (p *publishing) releases() error {
	ids, err := p.create(batch, "draft", nil)
	if err != nil {
		return err
	}
	items := make([]any, len(ids))
	for i, id := range ids {
		items[i] = map[string]any{"model": model, "id": id, "action": planning.ActionPublish}
	}
	releases := &planning.Releases{Store: p.st.Content, Entries: p.entries}
	release := map[string]any{"name": "bench", "items": items}
	planned, err := releases.Create(p.ctx, actor, release)
	if err != nil {
		return err
	}
	made, err := ahead.Of(p.entries).Create(p.ctx, actor, map[string]any{"release": planned.ID})
	if err != nil {
		return err
	}
	p.warm(request{previewOfRelease, "GET", "/" + model + "?per_page=20&preview=" + made.Token, "", 200})
	p.measure(fmt.Sprintf("release of %d, each", batch), batch, func() error {
		r, err := releases.Create(p.ctx, actor, release)
		if err == nil {
			r, err = releases.Publish(p.ctx, actor, r.ID)
		}
		if err == nil {
			err = work(p.ctx, r.ID, releases.Work)
		}
		return err
	})
	return nil
}

// work runs the steps of a worker until there is nothing left to do.
func work(ctx context.Context, id string, step func(context.Context, string) (cms.Time, error)) error {
	for again, err := step(ctx, id); ; again, err = step(ctx, id) {
		if err != nil || again.IsZero() {
			return err
		}
		time.Sleep(max(0, time.Until(again.Time)))
	}
}
