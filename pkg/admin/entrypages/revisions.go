package entrypages

import (
	"encoding/json"
	"fmt"
	"strconv"

	"headless/pkg/admin/entryforms"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/site"
)

// revisionView is a revision for JSON: its author, time and content.
type revisionView struct {
	Version any             `json:"version"` // a number; d1, d2 … for drafts
	Actor   *string         `json:"actor"`
	Time    cms.Time        `json:"time"`
	Event   string          `json:"event"`
	Slug    string          `json:"slug"`
	Title   string          `json:"title"`
	Status  cms.Status      `json:"status"`
	Locale  string          `json:"locale"`
	Data    json.RawMessage `json:"data"`
	SEO     cms.SEO         `json:"seo"`
	Draft   bool            `json:"draft,omitempty"`

	digests map[string]string // in place of Data
	changed []string          // keys of what differs from the revision before
}

// versionName returns the version of the revision as used in URLs.
func (v *revisionView) versionName() string { return fmt.Sprint(v.Version) }

// digest replaces the content of the revision with its digests.
func (v *revisionView) digest(m *site.Model, r content.Revision) error {
	e, err := contentOf(r)
	if err == nil {
		v.Data, v.digests = nil, entryforms.Digests(m, e)
	}
	return err
}

// contentOf returns the entry as of a revision.
func contentOf(r content.Revision) (*cms.Entry, error) {
	return (&content.EntryItem{JSON: r.Entry}).Decoded()
}

func newRevisionView(r content.Revision) (v revisionView, err error) {
	err = json.Unmarshal(r.Entry, &v)
	v.Draft, v.Version, v.Actor, v.Time, v.Event = r.Draft > 0, r.Version, r.Actor, r.Time, r.Event
	if v.Draft {
		v.Version = "d" + strconv.FormatInt(r.Draft, 10)
	}
	return v, err
}
