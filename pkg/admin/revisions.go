package admin

import (
	"errors"

	"headless/pkg/cms"
	"headless/pkg/store"
)

// revisionView is a revision as JSON shows it: who saved what and when, and the content itself.
type revisionView struct {
	Version int64          `json:"version"`
	Actor   *string        `json:"actor"`
	Time    cms.Time       `json:"time"`
	Event   string         `json:"event"`
	Slug    string         `json:"slug"`
	Title   string         `json:"title"`
	Status  cms.Status     `json:"status"`
	Locale  string         `json:"locale"`
	Data    map[string]any `json:"data"`
	SEO     cms.SEO        `json:"seo"`
}

func newRevisionView(r store.Revision) (revisionView, error) {
	item := store.EntryItem{JSON: r.Entry}
	e, err := item.Decoded()
	if err != nil {
		return revisionView{}, err
	}
	return revisionView{
		Version: r.Version, Actor: r.Actor, Time: r.Time, Event: r.Event,
		Slug: e.Slug, Title: e.Title, Status: e.Status, Locale: e.Locale, Data: e.Data, SEO: e.SEO,
	}, nil
}

func missingEntry(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return cms.Errorf(cms.CodeNotFound, "There is no such entry.")
	}
	return err
}
