// Package urls makes the URLs of entries on the site for answers that show them (extensions §13).
//
// What always holds: the URLs of one answer take at most one round trip, and none if no entry stands
// in a tree.
package urls

import (
	"headless/pkg/cms"
	"headless/pkg/site"
)

// Answer makes the URLs of the entries in one answer. A nil *Answer makes none.
type Answer struct {
	Tags *cms.Tags // collects what the URLs depend on; may be nil
}

// Of returns the URL of an entry, nil if the answer shows no URLs.
func (a *Answer) Of(m *site.Model, p cms.Place) *cms.EntryURL {
	if a == nil {
		return nil
	}
	a.Tags.Add(cms.TagSettings)
	address := cms.EntryURL(m.URLOf(p))
	return &address
}
