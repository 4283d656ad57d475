package entrypages

import (
	"errors"
	"fmt"
	"strconv"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
)

// revisionView is a revision for JSON: its author, time and content.
type revisionView struct {
	Version any            `json:"version"` // a number; d1, d2 … for drafts
	Actor   *string        `json:"actor"`
	Time    cms.Time       `json:"time"`
	Event   string         `json:"event"`
	Slug    string         `json:"slug"`
	Title   string         `json:"title"`
	Status  cms.Status     `json:"status"`
	Locale  string         `json:"locale"`
	Data    map[string]any `json:"data"`
	SEO     cms.SEO        `json:"seo"`
	Draft   bool           `json:"draft,omitempty"`
}

// versionName returns the version of the revision as used in URLs.
func (v *revisionView) versionName() string { return fmt.Sprint(v.Version) }

// entry returns what a form would show of the revision.
func (v *revisionView) entry() *cms.Entry {
	return &cms.Entry{Slug: v.Slug, Title: v.Title, Data: v.Data, SEO: v.SEO}
}

func newRevisionView(r content.Revision) (revisionView, error) {
	e, err := (&content.EntryItem{JSON: r.Entry}).Decoded()
	if err != nil {
		return revisionView{}, err
	}
	var version any = r.Version
	if r.Draft > 0 {
		version = "d" + strconv.FormatInt(r.Draft, 10)
	}
	return revisionView{
		Draft: r.Draft > 0, Version: version, Actor: r.Actor, Time: r.Time, Event: r.Event,
		Slug: e.Slug, Title: e.Title, Status: e.Status, Locale: e.Locale, Data: e.Data, SEO: e.SEO,
	}, nil
}

// missingRevision returns gone in place of ErrNotFound, and other errors unchanged.
func missingRevision(err, gone error) error {
	if errors.Is(err, db.ErrNotFound) {
		return gone
	}
	return err
}
