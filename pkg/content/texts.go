package content

import (
	"strings"

	"headless/pkg/cms"
	"headless/pkg/fulltext"
	"headless/pkg/fulltext/analysis"
	"headless/pkg/site"
)

// texts computes what the text index holds of an entry: for everybody, and apart for the public
// where fields are hidden from it.
func texts(m *site.Model, space string, e *cms.Entry) []fulltext.IndexedText {
	listed := m.Listed()
	e = m.ListedEntry(e)
	all := []fulltext.IndexedText{textOf(space, listed, e)}
	if m.HidesText() {
		all = append(all, textOf(space+fulltext.PublicText, listed.Visible(), e))
	}
	return all
}

func textOf(space string, m *cms.Model, e *cms.Entry) fulltext.IndexedText {
	x := fulltext.IndexedText{Space: space}
	for _, term := range analysis.Analyze(fulltext.TextOf(m, e), e.Locale).Terms { // sorted
		if len(term.Stem) <= fulltext.MaxStem {
			x.Terms = append(x.Terms,
				fulltext.IndexedTerm{Stem: term.Stem, Weight: fulltext.WeightOf(term.Weight),
					Words: strings.Join(term.Words, " ")})
		}
	}
	return x
}
