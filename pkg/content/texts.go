package content

import (
	"headless/pkg/cms"
	"headless/pkg/fulltext"
	"headless/pkg/site"
)

// texts computes what the text index holds of an entry: for everybody, and apart for the public
// where fields are hidden from it.
func texts(m *site.Model, space string, e *cms.Entry) []fulltext.IndexedText {
	listed := m.Listed()
	e = m.ListedEntry(e)
	all := []fulltext.IndexedText{fulltext.Index(space, listed, e)}
	if m.HidesText() {
		all = append(all, fulltext.Index(space+fulltext.PublicText, listed.Visible(), e))
	}
	return all
}
