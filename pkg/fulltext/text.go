package fulltext

import (
	"fmt"
	"hash/fnv"
	"math"
	"strings"

	"headless/pkg/db"
	"headless/pkg/db/waiting"
)

// The text index has a posting list for each term of a space. A change of an entry does not touch
// the lists. Its transaction writes one pending change, with the entry's new terms and the lists
// that may hold old ones. A search reads all pending changes of a model, and for their entries uses
// them instead of the lists. MergeText merges the pending changes of many entries into the lists
// together, since entries share most of their terms.

// Texts is the text index of models. It is safe for concurrent use.
type Texts struct {
	*db.DB
	words   wordCache
	pace    waiting.Pace
	BinSize int // entries in a bin of ranks after a split
}

// NewTexts opens the text index.
func NewTexts(db *db.DB) *Texts { return &Texts{DB: db, BinSize: binSize} }

// IndexedText holds the terms of an entry in one space: the space of all text or of public text.
type IndexedText struct {
	Space string
	Terms []IndexedTerm // sorted by stem
}

// IndexedTerm is one term of an entry.
type IndexedTerm struct {
	Stem   string
	Weight uint16 // see WeightOf
	Words  string // as written, joined by blanks
}

// HeldText names the posting lists of a space that hold an entry.
type HeldText struct {
	Space string `json:"s"`
	Stems string `json:"t"`           // joined by blanks
	Sum   uint64 `json:"h,omitempty"` // of the terms with weights and words
}

// weightScale turns a term's weight, between 0 and 2.2, into a whole number.
const weightScale = 29_000

// WeightOf returns the weight of a term as postings store it.
func WeightOf(w float64) uint16 { return uint16(math.Round(min(w*weightScale, math.MaxUint16))) }

// PublicText is the suffix of the space of public text. An entry has public text if readers without
// an admin role may search only a part of its text.
const PublicText = "#public"

// MaxStem is the maximum length of a stem in bytes, which keeps sort keys below the table's limit.
// Longer words cannot be found.
const MaxStem = 400

// Held returns which lists hold the texts of an entry, for its manifest.
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
