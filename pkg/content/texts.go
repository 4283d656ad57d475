package content

import (
	"headless/pkg/cms"
	"headless/pkg/fulltext"
	"headless/pkg/site"
)

// texts returns the texts of an entry for the text index: one with all fields, and one for the
// public if fields are hidden from it.
func texts(m *site.Model, space string, e *cms.Entry) []fulltext.IndexedText {
	listed := m.Listed()
	e = m.ListedEntry(e)
	all := []fulltext.IndexedText{fulltext.Index(space, listed, e)}
	if m.HidesText() {
		all = append(all, fulltext.Index(space+fulltext.PublicText, listed.Visible(), e))
	}
	return all
}
