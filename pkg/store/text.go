package store

import (
	"fmt"
	"hash/fnv"
	"math"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/search"
)

// The text index holds a list of postings for each term of a space. A change of an entry does not touch the lists: it writes, in its
// transaction, one pending change that says what the index is to hold of the entry and what it may still hold. A search reads the pending changes of a model
// and takes what they say in place of what the lists hold of these entries; MergeText brings them into the lists, many entries at a time, since
// entries share most of their terms.

// indexedText is what the text index holds of an entry for one kind of reader.
type indexedText struct {
	Space string
	Terms []indexedTerm // by stem
}

// indexedTerm is one term of an entry.
type indexedTerm struct {
	Stem   string
	Weight uint16 // see weightOf
	Words  string // as written, joined by blanks
}

// heldText tells which lists of a space hold an entry.
type heldText struct {
	Space string `json:"s"`
	Stems string `json:"t"`           // joined by blanks
	Sum   uint64 `json:"h,omitempty"` // of the terms with weights and words
}

// weightScale turns a term's weight, between 0 and 2.2, into a whole number.
const weightScale = 29_000

func weightOf(w float64) uint16 { return uint16(math.Round(min(w*weightScale, math.MaxUint16))) }

// publicText marks the space of the text that readers without an admin role may search, where it is less than all.
const publicText = "#public"

// hidesText tells whether a field that is searched is hidden from keys without an admin role.
func (m *Model) hidesText() bool {
	visible := m.Visible()
	return visible != &m.Model && fmt.Sprint(searchablePaths(visible.Fields)) != fmt.Sprint(searchablePaths(m.Fields))
}

// texts computes what the text index holds of an entry: for everybody, and apart for the public where fields are hidden from it.
func (m *Model) texts(space string, e *cms.Entry) []indexedText {
	all := []indexedText{textOf(space, &m.Model, e)}
	if m.hidesText() {
		all = append(all, textOf(space+publicText, m.Visible(), e))
	}
	return all
}

func textOf(space string, m *cms.Model, e *cms.Entry) indexedText {
	x := indexedText{Space: space}
	for _, term := range search.Analyze(e.Title, SearchableTexts(m, e.Data), e.Locale).Terms { // sorted
		if len(term.Stem) <= maxStem {
			x.Terms = append(x.Terms, indexedTerm{term.Stem, weightOf(term.Weight), strings.Join(term.Words, " ")})
		}
	}
	return x
}

// maxStem keeps sort keys within their size; longer "words" are not found.
const maxStem = 400

// SearchableTexts are the plain texts of the searchable fields that the model knows.
func SearchableTexts(m *cms.Model, data map[string]any) []string {
	return appendTexts(nil, m.Fields, data)
}

func appendTexts(texts []string, fields []cms.Field, data map[string]any) []string {
	for i := range fields {
		f := &fields[i]
		switch v := data[f.Name].(type) {
		case string:
			if f.Searchable && f.Type == cms.TypeRichText {
				texts = append(texts, search.PlainText(v))
			} else if f.Searchable {
				texts = append(texts, v)
			}
		case map[string]any:
			if f.Type == cms.TypeGroup {
				texts = appendTexts(texts, f.Fields, v)
			}
		case []any:
			for _, item := range v {
				texts = appendListed(texts, f, item)
			}
		}
	}
	return texts
}

// appendListed takes the texts of one element of a multiselect, list or blocks field.
func appendListed(texts []string, f *cms.Field, item any) []string {
	switch v := item.(type) {
	case string:
		if f.Searchable {
			texts = append(texts, v)
		}
	case map[string]any:
		fields := f.Fields
		if f.Type == cms.TypeBlocks {
			fields = nil
			for i := range f.Fields {
				if f.Fields[i].Name == v["type"] {
					fields = f.Fields[i].Fields
				}
			}
		}
		texts = appendTexts(texts, fields, v)
	}
	return texts
}

func searchablePaths(fields []cms.Field) []string {
	var paths []string
	for i := range fields {
		if fields[i].Searchable {
			paths = append(paths, fields[i].Name+" "+string(fields[i].Type))
		}
		for _, below := range searchablePaths(fields[i].Fields) {
			paths = append(paths, fields[i].Name+"."+below)
		}
	}
	return paths
}

// analyzerVersion changes when text is cut into terms differently than before, so that models are indexed anew.
const analyzerVersion = 1

// textKind sums up what the text index of a model depends on.
func (m *Model) textKind() string {
	return fmt.Sprintf("%d text %q public %q", analyzerVersion, searchablePaths(m.Fields), searchablePaths(m.Visible().Fields))
}

// held sums up texts for the manifest.
func held(texts []indexedText) []heldText {
	list := make([]heldText, 0, len(texts))
	for _, x := range texts {
		if len(x.Terms) == 0 {
			continue
		}
		h, stems := fnv.New64a(), make([]string, len(x.Terms))
		for i, term := range x.Terms {
			stems[i] = term.Stem
			fmt.Fprintf(h, "%s %d %s\n", term.Stem, term.Weight, term.Words)
		}
		list = append(list, heldText{x.Space, strings.Join(stems, " "), h.Sum64()})
	}
	return list
}
