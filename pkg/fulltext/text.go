package fulltext

import (
	"fmt"
	"hash/fnv"
	"math"
	"strings"

	"headless/pkg/db"
)

// The text index holds a list of postings for each term of a space. A change of an entry does not
// touch the lists: it writes, in its transaction, one pending change that says what the index is to
// hold of the entry and what it may still hold. A search reads the pending changes of a model and
// takes what they say in place of what the lists hold of these entries; MergeText brings them into
// the lists, many entries at a time, since entries share most of their terms.

// Texts is the text index of models. It is safe for concurrent use.
type Texts struct {
	*db.DB
	words     wordCache
	pace      pace
	maxBlocks int // of a list of postings that a search reads
	BinSize   int // entries in a bin of ranks that is split
}

// NewTexts opens the text index.
func NewTexts(db *db.DB) *Texts { return &Texts{DB: db, BinSize: binSize, maxBlocks: maxBlocks} }

// IndexedText is what the text index holds of an entry for one kind of reader.
type IndexedText struct {
	Space string
	Terms []IndexedTerm // by stem
}

// IndexedTerm is one term of an entry.
type IndexedTerm struct {
	Stem   string
	Weight uint16 // see weightOf
	Words  string // as written, joined by blanks
}

// HeldText tells which lists of a space hold an entry.
type HeldText struct {
	Space string `json:"s"`
	Stems string `json:"t"`           // joined by blanks
	Sum   uint64 `json:"h,omitempty"` // of the terms with weights and words
}

// weightScale turns a term's weight, between 0 and 2.2, into a whole number.
const weightScale = 29_000

func WeightOf(w float64) uint16 { return uint16(math.Round(min(w*weightScale, math.MaxUint16))) }

// PublicText marks the space of the text that readers without an admin role may search, where it is
// less than all.
const PublicText = "#public"

// MaxStem keeps sort keys within their size; longer "words" are not found.
const MaxStem = 400

// Held sums up texts for the manifest.
func Held(texts []IndexedText) []HeldText {
	list := make([]HeldText, 0, len(texts))
	for _, x := range texts {
		if len(x.Terms) == 0 {
			continue
		}
		h, stems := fnv.New64a(), make([]string, len(x.Terms))
		for i, term := range x.Terms {
			stems[i] = term.Stem
			fmt.Fprintf(h, "%s %d %s\n", term.Stem, term.Weight, term.Words)
		}
		list = append(list, HeldText{x.Space, strings.Join(stems, " "), h.Sum64()})
	}
	return list
}
