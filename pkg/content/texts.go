package content

import (
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/fulltext"
	"headless/pkg/fulltext/searchable"
	"headless/pkg/index"
	"headless/pkg/index/totals"
	"headless/pkg/site"
)

// textOf returns what the text index has of an entry: a text with all fields, one for the public if
// fields are hidden from it, and the values by which filters of lists count the entry.
func textOf(m *site.Model, x *index.Indexed, e *cms.Entry) fulltext.Change {
	listed := m.Listed()
	e = m.ListedEntry(e)
	c := fulltext.Change{Version: uint32(e.Version), Texts: []fulltext.IndexedText{searchable.Index(x.Space, listed, e)}}
	if m.HidesText() {
		c.Texts = append(c.Texts, searchable.Index(x.Space+fulltext.PublicText, listed.Visible(), e))
	}
	for _, name := range x.Counters {
		if name != totals.All && !strings.HasPrefix(name, totals.Label) {
			c.Filters = append(c.Filters, name)
		}
	}
	slices.Sort(c.Filters)
	c.Filters = slices.Compact(c.Filters)
	return c
}
