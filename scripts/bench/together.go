package main

import (
	"bytes"
	"fmt"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/comments"
	"headless/pkg/db"
	"headless/pkg/redirects"
	"headless/pkg/review"
	"headless/pkg/site"
	"headless/pkg/tasks"
)

const (
	siteModels    = 300
	siteRedirects = 1000
	userTasks     = 10_000
)

// measureResolve measures resolve on a site with many models and redirects.
func (p *publishing) measureResolve() error {
	models := &site.Models{Store: p.st.Site}
	if _, err := models.Update(p.ctx, actor, model, map[string]any{"url": "/" + model + "/{slug}"}, nil); err != nil {
		return err
	}
	for i := range siteModels - 1 {
		slug := fmt.Sprintf("m%d", i)
		body := map[string]any{"slug": slug, "name": slug, "url": "/" + slug + "/{slug}"}
		if _, err := models.Create(p.ctx, actor, body); err != nil && cms.CodeOf(err) != cms.CodeConflict {
			return err
		}
	}
	var lines bytes.Buffer
	for i := range siteRedirects {
		fmt.Fprintf(&lines, "/old-%d,/new-%d,301\n", i, i)
	}
	if _, err := (&redirects.Redirects{Store: p.st.Content.Redirects()}).Import(p.ctx, actor, lines.Bytes()); err != nil {
		return err
	}
	p.warm(request{"resolve an entry, 300 models", "GET", fmt.Sprintf("/resolve?path=/%s/article-%d", model, p.n/2), "",
		200})
	p.warm(request{"resolve a redirect, 300 models", "GET", "/resolve?path=/old-7", "", 200})
	p.warm(request{"resolve an unknown path, 300 models", "GET", "/resolve?path=/" + model + "/nothing", "", 404})
	return nil
}

// together measures comments and tasks, of which an entry and a user have many.
func (p *publishing) together() error {
	ids, err := p.create(1, "draft", nil)
	if err != nil {
		return err
	}
	all := comments.Comments{Entries: p.entries}
	for range comments.MaxOfEntry {
		if _, err := all.Create(p.ctx, actor, model, ids[0], map[string]any{"text": "Why?"}); err != nil {
			return err
		}
	}
	paging := db.Paging{Page: 1, PerPage: 20}
	p.measure("comments, 20 of 1,000", 1, func() error {
		_, err := all.List(p.ctx, model, ids[0], comments.Filter{}, paging)
		return err
	})
	p.ask(request{"update an entry with 1,000 comments", "PUT", "/" + model + "/" + ids[0], `{"data": {"rank": 5}}`, 200})
	now, err := p.st.Site.Site(p.ctx)
	if err != nil {
		return err
	}
	const user, each = "0190a000-0000-7000-8000-000000000002", 100
	for range userTasks / each {
		tx := p.st.Content.Begin()
		for range each {
			tasks.Put(tx, user, tasks.Task{Kind: tasks.Assigned, ModelID: now.Models[model].ID, EntryID: ids[0],
				Locale: "en", Comment: uuid.Must(uuid.NewV7()).String(), At: tx.At()})
		}
		if err := p.st.Content.Commit(p.ctx, tx); err != nil {
			return err
		}
	}
	p.measure("tasks, 20 of 10,000", 1, func() error {
		_, err := (&review.Reviews{Entries: p.entries}).Tasks(p.ctx, user, paging)
		return err
	})
	return nil
}
